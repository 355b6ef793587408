/**
 * Who runs tasks and presses: an opening of a folder by a process, under a name that no other opening ever has. The
 * name says where the process is, for only there its number means anything.
 */
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Os from "node:os"
import * as NodeError from "./nodeError.js"
import * as ProcessTable from "./processTable.js"

const entered = new Set<string>()

export const enter = async (): Promise<string> => {
  const runner = `${process.pid} ${startOf(process.pid)} ${randomUUID()} ${await here()}`
  entered.add(runner)
  return runner
}

export const leave = (runner: string): void => void entered.delete(runner)

/**
 * Of this process what is open, of another everything until it ends. Of a process in another container or on another
 * host nothing can be found out: it counts as alive.
 */
export const isAlive = async (runner: string): Promise<boolean> => {
  const [pid = "", start = ""] = runner.split(" ")
  if (!(await isHere(runner))) return true
  if (!/^[1-9]\d{0,15}$/.test(pid)) return false
  if (Number(pid) === process.pid) return entered.has(runner)
  return isProcess(Number(pid)) && isSame(Number(pid), start)
}

/** Whether the process is, or was, where its number means what it means here: on this host since its start. */
export const isHere = async (runner: string): Promise<boolean> => runner.split(" ")[3] === (await here())

/** Whether it is certain that the process has ended: unlike `isAlive` it takes a host that was started anew for the same. */
export const isOver = async (runner: string): Promise<boolean> => {
  if (!(await isAlive(runner))) return true
  const [host, boot = "-"] = (runner.split(" ")[3] ?? "").split("/")
  const [ourHost, ourBoot = "-"] = (await here()).split("/")
  return host === ourHost && boot !== ourBoot && boot !== "-" && ourBoot !== "-"
}

let found: Promise<string> | undefined

/** The host since it was started, and the space of process numbers in it: the same as long as the process lives. */
const here = (): Promise<string> => {
  found ??= find()
  return found
}

const find = async (): Promise<string> => {
  const [boot, space] = await Promise.all([
    Fs.readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "-"),
    Fs.readlink("/proc/self/ns/pid").catch(() => "-")
  ])
  return [Os.hostname(), boot.trim(), space].map(encodeURIComponent).join("/")
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
