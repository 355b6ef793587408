/**
 * Descriptors that whoever started this process has left open for it. Node keeps the lowest of them from programs that
 * it starts and passes the others on, so that a press could read and write what nobody meant it to.
 */
import type { StdioOptions } from "node:child_process"
import * as Fs from "node:fs"
import * as NodeError from "./nodeError.js"

const closedOnExec = 0o2_000_000

let known: ReadonlyArray<number> | undefined

/** None where there is no `/proc` to find them in. */
const inherited = (): ReadonlyArray<number> => {
  try {
    known ??= Fs.readdirSync("/proc/self/fdinfo").map(Number).filter(isPassedOn)
    return known
  } catch {
    return []
  }
}

/** What is gone by now was opened for looking. */
const isPassedOn = (descriptor: number): boolean => {
  if (descriptor <= 2) return false
  try {
    const [, flags = ""] =
      /^flags:\s*([0-7]+)$/m.exec(Fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? []
    return (Number.parseInt(flags, 8) & closedOnExec) === 0
  } catch (error) {
    if (NodeError.code(error) === "ENOENT") return false
    throw error
  }
}

/** Starts a program without input whose two outputs are pipes, and with nothing behind what it would inherit. */
export const without = <A>(spawn: (stdio: StdioOptions) => A): A => {
  const descriptors = inherited()
  if (descriptors.length === 0) return spawn(["ignore", "pipe", "pipe"])
  const nothing = Fs.openSync("/dev/null", "r+")
  try {
    const places = new Set(descriptors)
    const others = Array.from({ length: Math.max(...descriptors) - 2 }, (_, index) =>
      places.has(index + 3) ? nothing : ("ignore" as const)
    )
    return spawn(["ignore", "pipe", "pipe", ...others])
  } finally {
    Fs.closeSync(nothing)
  }
}
