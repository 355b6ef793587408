/**
 * Reads the fields of one JSON object and reports every field of the wrong type.
 * As in the format's own reader, `null` means absent, and a key that differs only in case still names the field.
 */
import { isObject, type JsonObject, type JsonValue } from "@pushbutton/protocol/Json"
import type { Severity } from "../ButtonProblem.js"
import { memberPath } from "./jsonLines.js"

export type Report = (severity: Severity, field: string, message: string) => void

export interface Fields {
  readonly any: (key: string) => JsonValue | undefined
  readonly string: (key: string) => string | undefined
  readonly boolean: (key: string) => boolean | undefined
  readonly integer: (key: string) => number | undefined
  readonly array: (key: string) => ReadonlyArray<JsonValue> | undefined
  readonly strings: (key: string) => ReadonlyArray<string> | undefined
  readonly stringMap: (key: string) => Readonly<Record<string, string>> | undefined
  readonly object: (key: string) => JsonObject | undefined
}

/** `severity` is that of a field of the wrong type. */
export const make = (object: JsonObject, path: string, report: Report, severity: Severity): Fields => {
  const find = (key: string): JsonValue | undefined => {
    const name = Object.hasOwn(object, key) ? key : differentlySpelled(object, key)
    if (name === undefined) return undefined
    if (name !== key) {
      report("warning", memberPath(path, name), `is read as ${JSON.stringify(key)}; write it that way`)
    }
    return object[name] ?? undefined
  }
  const read =
    <A>(expected: string, decode: (value: JsonValue, at: string) => A | undefined) =>
    (key: string): A | undefined => {
      const value = find(key)
      if (value === undefined) return undefined
      const at = memberPath(path, key)
      const decoded = decode(value, at)
      if (decoded === undefined) report(severity, at, `must be ${expected}`)
      return decoded
    }
  return {
    any: find,
    string: read("a string", (value) => (typeof value === "string" ? value : undefined)),
    boolean: read("true or false", (value) => (typeof value === "boolean" ? value : undefined)),
    integer: read("a whole number", (value) => (isInteger(value) ? value : undefined)),
    array: read("an array", (value) => (isArray(value) ? value : undefined)),
    object: read("an object", (value) => (isObject(value) ? value : undefined)),
    strings: read("an array of strings", (value, at) =>
      isArray(value)
        ? value.flatMap((item, index) => {
            if (typeof item === "string") return [item]
            report(severity, `${at}[${index}]`, "must be a string")
            return []
          })
        : undefined
    ),
    stringMap: read("an object of strings", (value, at) =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(value).flatMap(([key, item]): Array<readonly [string, string]> => {
              if (typeof item === "string") return [[key, item]]
              report(severity, memberPath(at, key), "must be a string")
              return []
            })
          )
        : undefined
    )
  }
}

const differentlySpelled = (object: JsonObject, key: string): string | undefined =>
  Object.keys(object)
    .filter((name) => name.toLowerCase() === key)
    .at(-1)

const isArray = (value: JsonValue): value is ReadonlyArray<JsonValue> => Array.isArray(value)

const isInteger = (value: JsonValue): value is number => Number.isSafeInteger(value)
