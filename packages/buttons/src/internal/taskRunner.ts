/** Who runs tasks: an opening of a folder by a process, under a name that no other opening ever has. */
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as NodeError from "./nodeError.js"

const entered = new Set<string>()

export const enter = async (): Promise<string> => {
  const runner = `${process.pid} ${await startOf(process.pid)} ${randomUUID()}`
  entered.add(runner)
  return runner
}

export const leave = (runner: string): void => void entered.delete(runner)

/** Of this process what is open, of another everything until it ends. */
export const isAlive = async (runner: string): Promise<boolean> => {
  const [pid = "", start = ""] = runner.split(" ")
  if (!/^[1-9]\d{0,15}$/.test(pid)) return false
  if (Number(pid) === process.pid) return entered.has(runner)
  return isProcess(Number(pid)) && (await startOf(Number(pid))) === start
}

const isProcess = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return NodeError.code(error) === "EPERM"
  }
}

/** When a process started, so that another of the same number is told apart; `-` where the system does not say. */
const startOf = async (pid: number): Promise<string> => {
  try {
    const stat = await Fs.readFile(`/proc/${pid}/stat`, "utf8")
    // The name in parentheses may itself hold blanks and parentheses; the start is the 22nd field.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "-"
  } catch {
    return "-"
  }
}
