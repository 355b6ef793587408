/**
 * The environment that a process was started with, which only its memory holds: while one program takes the place of
 * another there is none to be seen for a moment, and none at all in a first thread that has ended before the others.
 */
import { Buffer } from "node:buffer"
import * as ProcessTable from "./processTable.js"

/** Why there is none. */
export interface Unread {
  /** "gone": it has ended, or is about to. "changing": it becomes another program, or its threads are about to end. */
  readonly why: ProcessTable.Unseen | "changing"
  /** When it started, as far as that was seen. */
  readonly start: string | undefined
}

/** Empty for a thread of the kernel, and for a program that was given none. */
export const read = (pid: number | string): Buffer | Unread => {
  const environment = ProcessTable.read(pid, "environ")
  if (environment === "gone" || environment.length === 0) return readAgain(pid)
  return typeof environment === "string" ? { why: environment, start: undefined } : environment
}

export const isUnread = (environment: Buffer | Unread): environment is Unread => "why" in environment

const none = Buffer.alloc(0)

/** That nothing was read is no sign by itself, only with what the process says of its program. */
const readAgain = (pid: number | string): Buffer | Unread => {
  const facts = ProcessTable.find(pid)
  if (typeof facts === "string") return { why: facts, start: undefined }
  const { environment, isAlone, isDead, isEnding, isKernel, start } = facts
  if (isDead) return { why: "gone", start }
  if (isKernel || environment === "none") return none
  if (environment === "closed") return { why: "closed", start }
  if (isEnding) return isAlone ? { why: "gone", start } : readFromThreads(pid, start)
  return environment === "some" || tellsOfPrograms() ? { why: "changing", start } : none
}

/** Of a thread that becomes another program the process takes over all, its first thread included. */
const readFromThreads = (pid: number | string, start: string): Buffer | Unread => {
  const threads = ProcessTable.threads(pid)
  if (typeof threads === "string") return { why: threads, start }
  for (const thread of threads) {
    const environment = ProcessTable.read(pid, "environ", thread)
    if (environment === "gone" || environment.length === 0) continue
    return typeof environment === "string" ? { why: environment, start } : environment
  }
  return { why: "changing", start }
}

let known: boolean | undefined

/** Some systems that look like Linux never do; they show one environment or the next, and no moment between. */
const tellsOfPrograms = (): boolean => {
  if (known !== undefined) return known
  const own = ProcessTable.find(process.pid)
  if (typeof own === "string") return true
  known = own.environment !== "unset"
  return known
}
