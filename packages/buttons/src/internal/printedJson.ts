/** What a button has printed, as a JSON value that a message can carry. */
import { exceedsDepth, type JsonValue, maxDepth } from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"

/** The message around the value nests too. */
const deepest = maxDepth - 8

/** Left: why it is no such value. */
export const read = (text: string): Either.Either<JsonValue, string> => {
  const value = parse(text)
  if (value === undefined) return Either.left("it is not JSON")
  if (exceedsDepth(value, deepest)) return Either.left(`it is nested deeper than ${deepest} levels`)
  return isWritable(value) ? Either.right(value) : Either.left("it holds a number that is too large")
}

const parse = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A number such as `1e400` is parsed as infinite, and would be written as `null`. */
const isWritable = (value: JsonValue): boolean => {
  if (typeof value === "number") return Number.isFinite(value)
  return typeof value !== "object" || value === null || Object.values(value).every(isWritable)
}
