/**
 * From the JSON arguments of a press to the environment that carries them. Nothing undeclared passes, everything that
 * is wrong is reported at once, and a text reaches the script exactly as it was sent.
 */
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import type { ArgDef } from "./Button.js"
import { type ArgumentIssue, PressArgumentInvalid } from "./ButtonError.js"
import { variableName } from "./internal/buttonArgs.js"
import { entryBytes, maxEntryBytes } from "./internal/buttonEnv.js"
import { quote } from "./internal/text.js"

export interface Encoded {
  /** Texts by argument name, as history keeps them. */
  readonly texts: Readonly<Record<string, string>>
  /** The same texts by variable name. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * A JSON `null` is an argument that was not given. `limitBytes` bounds each `NAME=value`; a button that starts no
 * process has no such limit.
 */
export const encode = (
  args: ReadonlyArray<ArgDef>,
  input: JsonObject,
  limitBytes: number = maxEntryBytes
): Either.Either<Encoded, PressArgumentInvalid> => {
  const issues: Array<ArgumentIssue> = []
  const texts: Array<readonly [string, string]> = []
  const declared = new Set(args.map((arg) => arg.name))
  for (const name of Object.keys(input)) {
    if (!declared.has(name)) issues.push(undeclared(name, args))
  }
  for (const arg of args) {
    const value = Object.hasOwn(input, arg.name) ? input[arg.name] : undefined
    if (value === undefined || value === null) {
      if (arg.required)
        issues.push({ argument: arg.name, reason: "missing", detail: `${quote(arg.name)} is required` })
      continue
    }
    const text = toText(arg, value)
    const problem = text === undefined ? expectation(arg) : unfit(arg, text, limitBytes)
    if (problem !== undefined) {
      issues.push({ argument: arg.name, reason: "invalid", detail: `${quote(arg.name)} ${problem}` })
    } else if (text !== undefined) texts.push([arg.name, text])
  }
  if (issues.length > 0) {
    const code = issues.every((issue) => issue.reason === "missing") ? "MISSING_ARG" : "VALIDATION_ERROR"
    return Either.left(new PressArgumentInvalid({ code, issues }))
  }
  return Either.right({
    texts: Object.fromEntries(texts),
    env: Object.fromEntries(texts.map(([name, text]) => [variableName(name), text]))
  })
}

const undeclared = (name: string, args: ReadonlyArray<ArgDef>): ArgumentIssue => ({
  argument: name,
  reason: "undeclared",
  detail:
    args.length === 0
      ? `${quote(name)} is not an argument: this button takes none`
      : `${quote(name)} is not an argument of this button; it takes ${args.map((arg) => quote(arg.name)).join(", ")}`
})

/** The argument as text, or undefined when it is not of its type. */
const toText = (arg: ArgDef, value: JsonValue): string | undefined => {
  switch (arg.type) {
    case "string":
      return typeof value === "string" ? value : undefined
    case "enum":
      return typeof value === "string" && arg.values.includes(value) ? value : undefined
    case "int":
      if (typeof value === "string") return isInteger(value) ? value : undefined
      return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : undefined
    case "bool":
      if (typeof value === "string") return /^(?:true|false|1|0)$/i.test(value) ? value : undefined
      return typeof value === "boolean" || value === 0 || value === 1 ? String(value) : undefined
  }
}

const expectation = (arg: ArgDef): string => {
  switch (arg.type) {
    case "string":
      return "must be a string"
    case "enum":
      return `must be one of ${arg.values.map(quote).join(", ")}`
    case "int":
      return "must be a whole number of at most 64 bits"
    case "bool":
      return "must be true or false"
  }
}

/** Decimal digits with an optional sign, within 64 bits; leading zeros are fine. */
const isInteger = (text: string): boolean => {
  const match = /^([+-]?)0*([0-9]*)$/.exec(text)
  if (match === null || !/[0-9]$/.test(text)) return false
  const [, sign = "", digits = ""] = match
  if (digits.length > 19) return false
  const magnitude = BigInt(digits === "" ? "0" : digits)
  return magnitude <= (sign === "-" ? 2n ** 63n : 2n ** 63n - 1n)
}

const unfit = (arg: ArgDef, text: string, limitBytes: number): string | undefined => {
  if (text.includes("\0")) return "contains a NUL character"
  return entryBytes(variableName(arg.name), text) > limitBytes ? "is too long: about 128 KiB fit" : undefined
}
