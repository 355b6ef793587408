/** The bytes of a definitions file as text. Bytes that are no UTF-8 are a mistake: read as U+FFFD they would be run. */
import * as Either from "effect/Either"
import type { Mistake, Place } from "./sourceText.js"

/** Without a byte order mark. */
export const toText = (bytes: Uint8Array): Either.Either<string, Mistake> => {
  const text = decoded(bytes, false)
  return text === undefined
    ? Either.left({ place: placeAfter(soundStart(bytes)), message: "is not UTF-8" })
    : Either.right(text)
}

const decoded = (bytes: Uint8Array, mayGoOn: boolean): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: mayGoOn })
  } catch {
    return undefined
  }
}

/** The longest beginning that UTF-8 may have. */
const soundStart = (bytes: Uint8Array): string => {
  let text = ""
  let length = 0
  for (let beyond = bytes.length + 1; beyond - length > 1; ) {
    const middle = (length + beyond) >> 1
    const start = decoded(bytes.subarray(0, middle), true)
    if (start === undefined) beyond = middle
    else {
      length = middle
      text = start
    }
  }
  return text
}

const placeAfter = (text: string): Place => {
  const lines = text.split("\n")
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 }
}
