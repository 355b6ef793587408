/**
 * What /proc tells of processes and groups. Elsewhere than on Linux nothing is known, and a group counts as alive. A look
 * that fails, as each does without a free descriptor, is never taken for a process that is not there.
 */
import { Buffer } from "node:buffer"
import * as Fs from "node:fs"
import * as NodeError from "./nodeError.js"

export interface Facts {
  readonly group: number
  /** When it started, which tells it from another of the same number. */
  readonly start: string
  /** A zombie: it runs no more and waits to be collected. One whose other threads run is none. */
  readonly isDead: boolean
  /** Whether its first thread has ended or is about to, and whether that is the only one. */
  readonly isEnding: boolean
  readonly isAlone: boolean
  /** A thread of the kernel, which has no program. */
  readonly isKernel: boolean
  readonly environment: Environment
}

/** Whether the program was given one. "unset" while it takes the place of another; "closed": it is not for us to see. */
export type Environment = "some" | "none" | "unset" | "closed"

/** There is no such process; it is not for us to see; the look itself failed. */
export type Unseen = "gone" | "closed" | "failed"

const kernelThread = 0x00200000
const exiting = 0x00000004

export const find = (pid: number | string): Facts | Unseen => {
  const stat = read(pid, "stat")
  if (typeof stat === "string") return stat
  const text = stat.toString("latin1")
  // The name in parentheses may itself hold blanks and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const [state = "", , group = "", , , , flags = ""] = fields
  const hasEnded = state === "Z" || state === "X"
  const isAlone = Number(fields[17]) <= 1
  return {
    group: Number(group),
    start: fields[19] ?? "",
    isAlone,
    isDead: hasEnded && isAlone,
    isEnding: hasEnded || (Number(flags) & exiting) !== 0,
    isKernel: (Number(flags) & kernelThread) !== 0,
    environment: environmentIn(fields)
  }
}

/** The kernel tells where the code begins once it has set the environment, and 1 to those who may not know. */
const environmentIn = (fields: ReadonlyArray<string>): Environment => {
  const [code = "0", from = "0", to = "0"] = [fields[23], fields[47], fields[48]]
  if (code === "1") return "closed"
  if (code === "0") return "unset"
  return from === to ? "none" : "some"
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

/** One of the files that tell of a process, or of one of its threads. */
export const read = (
  pid: number | string,
  file: "stat" | "status" | "environ",
  thread?: string
): Buffer | Unseen =>
  attempt(() => readInOne(`/proc/${pid}/${thread === undefined ? file : `task/${thread}/${file}`}`))

/** The process that a number belongs to, which may be that of any of its threads. */
export const processOf = (number: number | string): { readonly pid: string } | Unseen => {
  const status = read(number, "status")
  if (typeof status === "string") return status
  const [, pid] = /^Tgid:\s*(\d+)$/m.exec(status.toString("latin1")) ?? []
  return pid === undefined ? "failed" : { pid }
}

export const threads = (pid: number | string): ReadonlyArray<string> | Unseen =>
  attempt(() => Fs.readdirSync(`/proc/${pid}/task`))

const attempt = <A>(take: () => A): A | Unseen => {
  if (!isKnown()) return "failed"
  try {
    return take()
  } catch (error) {
    return unseen.get(NodeError.code(error)) ?? "failed"
  }
}

const buffer = Buffer.allocUnsafeSlow(16_384)
/** More than the kernel takes for a program; only a process that changes the bounds itself can claim more. */
const mostBytes = 8_388_608

/** The kernel gives in one piece what it is asked for in one: between two, the process may have become another program. */
const readInOne = (path: string): Buffer => {
  const descriptor = Fs.openSync(path, "r")
  try {
    for (let into = buffer; ; into = Buffer.allocUnsafeSlow(into.length * 8)) {
      const length = Fs.readSync(descriptor, into, 0, into.length, 0)
      if (length < into.length || length >= mostBytes) return Buffer.from(into.subarray(0, length))
    }
  } finally {
    Fs.closeSync(descriptor)
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
