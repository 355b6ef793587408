/** The options of `pushbutton stdio`, read without a library: it is started by every client at every launch. */
import { type Offering, parseCount, parseSeconds } from "./Offering.js"

export interface StdioArguments extends Offering {
  readonly dir: string | undefined
  readonly definitions: string | undefined
  readonly graceSeconds: number | undefined
  /** Whether clients that begin with `initialize` are refused. */
  readonly modernOnly: boolean
}

const flags: ReadonlySet<string> = new Set(["--modern-only", "--allow-create", "--enable-created"])
const texts: ReadonlySet<string> = new Set(["--dir", "--definitions", "--mode"])
const counts: ReadonlySet<string> = new Set(["--rate", "--max-presses"])
const seconds: ReadonlySet<string> = new Set(["--grace", "--task-after"])

/** Undefined for anything but well-formed options, each as `--dir X` or `--dir=X`: the command line explains. */
export const parse = (argv: ReadonlyArray<string>): StdioArguments | undefined => {
  const given = new Map<string, string>()
  const numbers = new Map<string, number>()
  const left = argv.flatMap((word) => {
    const equals = word.startsWith("--") ? word.indexOf("=") : -1
    return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)]
  })
  for (let at = 0; at < left.length; at++) {
    const name = left[at] ?? ""
    if (flags.has(name)) {
      given.set(name, "")
      continue
    }
    const value = left[++at]
    if (value === undefined || value === "" || value.startsWith("--")) return undefined
    if (texts.has(name)) {
      given.set(name, value)
      continue
    }
    const number = counts.has(name) ? parseCount(value) : seconds.has(name) ? parseSeconds(value) : undefined
    if (number === undefined) return undefined
    numbers.set(name, number)
  }
  const mode = given.get("--mode") ?? "meta"
  const allowCreate = given.has("--allow-create")
  const enableCreated = given.has("--enable-created")
  if ((mode !== "meta" && mode !== "tools") || (enableCreated && !allowCreate)) return undefined
  return {
    dir: given.get("--dir"),
    definitions: given.get("--definitions"),
    graceSeconds: numbers.get("--grace"),
    modernOnly: given.has("--modern-only"),
    mode,
    allowCreate,
    enableCreated,
    rate: numbers.get("--rate"),
    maxPresses: numbers.get("--max-presses"),
    taskAfterSeconds: numbers.get("--task-after")
  }
}
