/** What /proc tells of processes and groups. Elsewhere than on Linux nothing is known, and a group counts as alive. */
import * as Fs from "node:fs"

export interface Facts {
  readonly group: number
  /** When it started, which tells it from another of the same number. */
  readonly start: string
  /** A zombie: it runs no more and waits to be collected. */
  readonly isDead: boolean
  /** A thread of the kernel, which has no program. */
  readonly isKernel: boolean
}

const kernelThread = 0x00200000

/** Undefined when there is no such process, or nothing is known of it. */
export const look = (pid: number | string): Facts | undefined => {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The name in parentheses may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const [state = "", , group = "", , , , flags = ""] = fields
  return {
    group: Number(group),
    start: fields[19] ?? "",
    isDead: state === "Z" || state === "X",
    isKernel: (Number(flags) & kernelThread) !== 0
  }
}

/** The numbers of all processes; none where nothing is known. */
export const pids = (): ReadonlyArray<string> => {
  try {
    return Fs.readdirSync("/proc").filter((entry) => /^[1-9]\d*$/.test(entry))
  } catch {
    return []
  }
}

/** True only when every process of the group, if any is left, is a zombie. */
export const isGroupDead = (group: number): boolean => {
  const all = pids()
  return all.length > 0 && !all.some((pid) => isLiveMember(look(pid), group))
}

const isLiveMember = (facts: Facts | undefined, group: number): boolean =>
  facts !== undefined && facts.group === group && !facts.isDead

const read = (path: string): string | undefined => {
  try {
    return Fs.readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}
