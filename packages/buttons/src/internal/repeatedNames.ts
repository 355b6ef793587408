/** Names that an object of a JSON text has more than once: the last one counts, and readers may have seen another. */
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as JsonLines from "./jsonLines.js"

/** Paths, such as `args[0].type`, in a text that `JSON.parse` has made the value of. */
export const find = (text: string, value: JsonValue): ReadonlyArray<string> =>
  namesIn(text) === namesOf(value) ? [] : [...JsonLines.locate(text).repeated]

/** A string, and the colon of one that is a name. */
const string = /"(?:[^"\\]|\\.)*"(\s*:)?/g

const namesIn = (text: string): number => {
  let count = 0
  for (const [, colon] of text.matchAll(string)) if (colon !== undefined) count++
  return count
}

const namesOf = (value: JsonValue): number => {
  if (typeof value !== "object" || value === null) return 0
  const children: ReadonlyArray<JsonValue> = Object.values(value)
  const own = Array.isArray(value) ? 0 : children.length
  return children.reduce<number>((sum, child) => sum + namesOf(child), own)
}
