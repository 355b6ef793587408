/** The ways in which a text may be written on its way out: as JSON, in a URL, as base64. */
import { Buffer } from "node:buffer"
import * as Encoding from "../http/encoding.js"

/** Shorter ones would be found in texts that have nothing to do with them. */
const minEncodedLength = 8

export const of = (text: string): ReadonlyArray<string> => {
  const json = JSON.stringify(text).slice(1, -1)
  const url = percent(text)
  return [
    text,
    Buffer.from(text, "utf8").toString("utf8"),
    json,
    json.replaceAll("/", "\\/"),
    json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    Encoding.jsonText(text),
    url,
    lowerCaseEscapes(url),
    Encoding.query(text),
    lowerCaseEscapes(Encoding.query(text)),
    Encoding.pathSegment(text),
    ...[0, 1, 2].flatMap((shift) => base64(text, shift))
  ]
}

/** As `encodeURIComponent` has it, which does not know half a pair. */
const percent = (text: string): string => encodeURIComponent(Buffer.from(text, "utf8").toString("utf8"))

const lowerCaseEscapes = (text: string): string =>
  text.replace(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase())

/**
 * What base64 makes of the text when it begins at that byte of three: what does not depend on what stands around it, and
 * the same up to the end when nothing follows.
 */
const base64 = (text: string, shift: number): ReadonlyArray<string> => {
  const whole = Buffer.concat([Buffer.alloc(shift), Buffer.from(text, "utf8")])
    .toString("base64")
    .slice(shift === 0 ? 0 : shift + 1)
  const unpadded = whole.replace(/=+$/, "")
  const inner = unpadded.length === whole.length ? unpadded : unpadded.slice(0, -1)
  if (inner.length < minEncodedLength) return []
  return [inner, unpadded, whole].flatMap((code) => [code, code.replaceAll("+", "-").replaceAll("/", "_")])
}

/** The password of basic credentials. */
export const basic = (credentials: string): ReadonlyArray<string> => {
  const text = Buffer.from(credentials, "base64").toString("utf8")
  const colon = text.indexOf(":")
  return colon === -1 ? [] : [text.slice(colon + 1)]
}
