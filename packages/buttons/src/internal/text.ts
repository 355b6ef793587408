/** Texts measured, cut and quoted for messages. No cut goes through a code point. */
import { Buffer } from "node:buffer"
import { excerpt } from "@pushbutton/protocol/Excerpt"
import * as Printable from "../Printable.js"

export { excerpt }

/** As UTF-8; a lone surrogate counts as U+FFFD, which is what it is written as. */
export const byteLength = (text: string): number => Buffer.byteLength(text, "utf8")

/** The longest prefix of whole code points that fits; the text itself when all of it does. */
export const head = (text: string, limitBytes: number): string => {
  if (byteLength(text) <= limitBytes) return text
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(limitBytes)).read)
}

const quotedLength = 64

/** A text shortened for a message, in quotes as JSON writes them. */
export const quote = (text: string): string => Printable.line(JSON.stringify(excerpt(text, quotedLength)))

/** The first of many, and how many there are besides. */
export const firstOf = (
  texts: ReadonlyArray<string>,
  limit: number,
  rest: (count: number) => string
): ReadonlyArray<string> =>
  texts.length <= limit ? texts : [...texts.slice(0, limit), rest(texts.length - limit)]
