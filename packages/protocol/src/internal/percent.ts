/** Percent-encoding (RFC 3986): of single characters, and strictly back to text. */
import * as Utf8 from "./utf8.js"

const unreserved = /^[A-Za-z0-9._~-]$/

export const isUnreserved = (character: string): boolean => unreserved.test(character)

const triplet = /%[0-9A-Fa-f]{2}/y

/** Whether `%` and two hexadecimal digits stand at this place. */
export const isTriplet = (text: string, at: number): boolean => {
  triplet.lastIndex = at
  return triplet.test(text)
}

/** The character as UTF-8 bytes, each written as a triplet. */
export const encode = (character: string): string =>
  Utf8.encode(character)
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("")

/** Decodes once: `%2525` is `%25`. Undefined when a triplet is broken or the bytes are not UTF-8. Takes ASCII. */
export const decode = (text: string): string | undefined => {
  if (!text.includes("%")) return text
  const bytes: Array<number> = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "%") bytes.push(text.charCodeAt(at))
    else if (isTriplet(text, at)) {
      bytes.push(Number.parseInt(text.slice(at + 1, at + 3), 16))
      at += 2
    } else return undefined
  }
  return Utf8.decode(bytes)
}
