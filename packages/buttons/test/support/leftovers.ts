/** Fails the run when a press outlives it: every press of these tests bears the mark of the run. */
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs"
import { bearing } from "./bearing.js"

const variable = "BUTTONS_PRESS_ID"

export const setup = (): void => {
  process.env[variable] = randomUUID()
}

export const teardown = (): void => {
  // Elsewhere nobody can tell.
  if (process.platform !== "linux") return
  const left = bearing(`${variable}=${process.env[variable]}:`)
  if (left.length === 0) return
  const shown = left.map((pid) => `${pid} ${commandOf(pid)}`).join("\n  ")
  throw new Error(`These processes outlive the presses that started them:\n  ${shown}`)
}

const commandOf = (pid: number): string => {
  try {
    return Fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
  } catch {
    return "(has ended by now)"
  }
}
