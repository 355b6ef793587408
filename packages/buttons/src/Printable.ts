/** Texts from a disk or a command line on their way to a terminal, which must not take any of it for an order. */

/** What moves a cursor, ends a line, or turns the order of letters around. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** The same without what JSON text has escaped already, its own line breaks among it. */
const unprintableInJson = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

const short: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"]
])

const escaped = (character: string): string =>
  short.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** One line, with escapes as in JSON. */
export const line = (text: string): string => text.replace(unprintable, escaped)

/** A value as indented JSON that reads back as that value. */
export const json = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(unprintableInJson, escaped)
