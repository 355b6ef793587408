/**
 * The environment that a process was started with, which only its memory holds: while one program takes the place of
 * another there is none to be seen for a moment, and none at all in a first thread that has ended before the others.
 */
import { Buffer } from "node:buffer"
import * as ProcessTable from "./processTable.js"

/** "changing": it is becoming another program, and has an environment that cannot be read yet. */
export type Unread = ProcessTable.Unseen | "changing"

/** Empty for a thread of the kernel, and for a program that was given none. "gone" for a zombie too. */
export const read = (pid: number | string): Buffer | Unread => {
  const environment = ProcessTable.read(pid, "environ")
  return environment === "gone" || environment.length === 0 ? readAgain(pid) : environment
}

const none = Buffer.alloc(0)

/** What is no sign of an environment by itself is one only with what the process says of its program. */
const readAgain = (pid: number | string): Buffer | Unread => {
  const facts = ProcessTable.find(pid)
  if (typeof facts === "string") return facts
  if (facts.isDead) return "gone"
  if (facts.isKernel || facts.environment === "none") return none
  if (facts.environment === "closed") return "closed"
  if (facts.isEnding) return readFromThreads(pid)
  return facts.environment === "some" || isTold() ? "changing" : none
}

const readFromThreads = (pid: number | string): Buffer | Unread => {
  const threads = ProcessTable.threads(pid)
  if (typeof threads === "string") return threads
  for (const thread of threads) {
    const environment = ProcessTable.read(pid, "environ", thread)
    if (typeof environment !== "string" && environment.length > 0) return environment
  }
  return "gone"
}

let told: boolean | undefined

/** Some systems that look like Linux never tell of a program; they show one environment or the next, and no moment between. */
const isTold = (): boolean => {
  if (told !== undefined) return told
  const own = ProcessTable.find(process.pid)
  if (typeof own === "string") return true
  told = own.environment !== "unset"
  return told
}
