/** The `env` map of a button definition: variables that the operating system can carry. */
import type * as Fields from "./jsonFields.js"
import { memberPath } from "./jsonLines.js"
import { byteLength, quote } from "./text.js"

/** Linux refuses to start a program with a longer `NAME=value`. */
export const maxEntryBytes = 131_071

export const entryBytes = (name: string, value: string): number => byteLength(name) + 1 + byteLength(value)

export const check = (
  env: Readonly<Record<string, string>>,
  report: Fields.Report
): Readonly<Record<string, string>> => {
  for (const [name, value] of Object.entries(env)) {
    const at = memberPath("env", name)
    if (name === "" || /[=\0]/.test(name)) report("error", at, `${quote(name)} cannot be a variable's name`)
    if (value.includes("\0")) report("error", at, "contains a NUL character")
    if (entryBytes(name, value) > maxEntryBytes) report("error", at, `is longer than ${maxEntryBytes} bytes`)
  }
  return env
}
