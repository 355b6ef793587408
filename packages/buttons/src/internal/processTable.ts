/**
 * What /proc tells of processes and groups. Elsewhere than on Linux nothing is known, and a group counts as alive. A look
 * that fails, as each does without a free descriptor, is never taken for a process that is not there.
 */
import type { Buffer } from "node:buffer"
import * as Fs from "node:fs"
import * as NodeError from "./nodeError.js"

export interface Facts {
  readonly group: number
  /** When it started, which tells it from another of the same number. */
  readonly start: string
  /** A zombie: it runs no more and waits to be collected. */
  readonly isDead: boolean
  /** A thread of the kernel, which has no program. */
  readonly isKernel: boolean
}

/** There is no such process; it is not for us to see; the look itself failed. */
export type Unseen = "gone" | "closed" | "failed"

const kernelThread = 0x00200000

export const find = (pid: number | string): Facts | Unseen => {
  const stat = read(pid, "stat")
  if (typeof stat === "string") return stat
  const text = stat.toString("latin1")
  // The name in parentheses may itself hold blanks and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const [state = "", , group = "", , , , flags = ""] = fields
  return {
    group: Number(group),
    start: fields[19] ?? "",
    isDead: state === "Z" || state === "X",
    isKernel: (Number(flags) & kernelThread) !== 0
  }
}

/** Undefined when there is no such process, or nothing is known of it. */
export const look = (pid: number | string): Facts | undefined => {
  const found = find(pid)
  return typeof found === "string" ? undefined : found
}

/** The numbers of all processes: none where there is no table, undefined when it cannot be read now. */
export const pids = (): ReadonlyArray<string> | undefined => {
  if (!isKnown()) return []
  try {
    return Fs.readdirSync("/proc").filter((entry) => /^[1-9]\d*$/.test(entry))
  } catch {
    return undefined
  }
}

/** True only when every process of the group, if any is left, is a zombie. */
export const isGroupDead = (group: number): boolean => {
  const all = pids() ?? []
  return all.length > 0 && all.every((pid) => isOutside(find(pid), group))
}

const isOutside = (found: Facts | Unseen, group: number): boolean =>
  typeof found === "string" ? found === "gone" : found.group !== group || found.isDead

/** One of the files that tell of a process. */
export const read = (pid: number | string, file: "stat" | "environ" | "cmdline"): Buffer | Unseen => {
  if (!isKnown()) return "failed"
  try {
    return Fs.readFileSync(`/proc/${pid}/${file}`)
  } catch (error) {
    return unseen.get(NodeError.code(error)) ?? "failed"
  }
}

const unseen: ReadonlyMap<string, Unseen> = new Map([
  ["ENOENT", "gone"],
  ["ESRCH", "gone"],
  ["EACCES", "closed"],
  ["EPERM", "closed"]
])

let known: boolean | undefined

/** Whether there is a table, and its numbers are those that we signal by: it may be of another space of numbers. */
export const isKnown = (): boolean => {
  known ??= ownNumber() === String(process.pid)
  return known
}

const ownNumber = (): string => {
  try {
    return Fs.readlinkSync("/proc/self")
  } catch {
    return ""
  }
}
