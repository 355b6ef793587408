/**
 * Who runs tasks and presses: an opening of a folder by a process, under a name that no other opening ever has. The
 * name says where the process is, for only there its number means anything.
 */
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as NodeError from "./nodeError.js"
import * as ProcessTable from "./processTable.js"

const entered = new Set<string>()

export const enter = (): string => {
  const runner = `${process.pid} ${startOf(process.pid)} ${unique()} ${here()}`
  entered.add(runner)
  return runner
}

export const leave = (runner: string): void => void entered.delete(runner)

/**
 * Of this process what is open, of another everything until it ends. Of a process in another container or on another
 * host nothing can be found out: it counts as alive.
 */
export const isAlive = (runner: string): boolean => {
  const [pid = "", start = ""] = runner.split(" ")
  if (!isHere(runner)) return true
  if (!/^[1-9]\d{0,15}$/.test(pid)) return false
  if (Number(pid) === process.pid) return entered.has(runner)
  return isProcess(Number(pid)) && isSame(Number(pid), start)
}

/** Whether the process is, or was, where its number means what it means here: on this host since its start. */
export const isHere = (runner: string): boolean => runner.split(" ")[3] === here()

/** Whether it is certain that the process has ended: unlike `isAlive` it takes a host that was started anew for the same. */
export const isOver = (runner: string): boolean => {
  if (!isAlive(runner)) return true
  const [host, boot = "-"] = (runner.split(" ")[3] ?? "").split("/")
  const [ourHost, ourBoot = "-"] = here().split("/")
  return host === ourHost && boot !== ourBoot && boot !== "-" && ourBoot !== "-"
}

let found: string | undefined

/** The host since it was started, and the space of process numbers in it: the same as long as the process lives. */
const here = (): string => {
  found ??= find()
  return found
}

const find = (): string => {
  const boot = ifThere(() => Fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8")) ?? "-"
  const space = ifThere(() => Fs.readlinkSync("/proc/self/ns/pid")) ?? "-"
  return [Os.hostname(), boot.trim(), space].map(encodeURIComponent).join("/")
}

/** The kernel's, where it has one to give: a start does not wait until Node has loaded its own. */
const unique = (): string =>
  ifThere(() => Fs.readFileSync("/proc/sys/kernel/random/uuid", "utf8").trim()) ?? randomUUID()

const ifThere = (read: () => string): string | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const isProcess = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return NodeError.code(error) === "EPERM"
  }
}

/** When a process started, so that another of the same number is told apart; `-` where nobody says. */
const startOf = (pid: number): string => ProcessTable.look(pid)?.start ?? unknownStart

const unknownStart = "-"

/** What cannot be looked at is taken to be the same. */
const isSame = (pid: number, start: string): boolean => {
  const found = ProcessTable.find(pid)
  if (typeof found === "string") return found !== "gone"
  return start === unknownStart || found.start === start
}
