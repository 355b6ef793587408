/** Positions, line breaks and sameness, for the editors of configuration files. */
import { isObject } from "@pushbutton/protocol/Json"

/** Line and column of an offset, from 1. */
export const position = (
  text: string,
  offset: number
): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf("\n") + 1
  return { line: before.split("\n").length, column: offset - lineStart + 1 }
}

/** The line break that the text uses; `\n` when it has none. */
export const lineBreak = (text: string): string => (/\r?\n/.exec(text) ?? ["\n"])[0]

/** Splits off a byte order mark, which is kept but is no part of the document. */
export const splitMark = (text: string): readonly [mark: string, document: string] =>
  text.startsWith("\uFEFF") ? ["\uFEFF", text.slice(1)] : ["", text]

/** The same text for the same data, whatever the order of keys. */
export const canonical = (data: unknown): string => {
  if (Array.isArray(data)) return `[${data.map(canonical).join(",")}]`
  if (data instanceof Date) return `date ${data.toISOString()}`
  if (!isObject(data))
    return typeof data === "string" ? JSON.stringify(data) : `${typeof data} ${String(data)}`
  const members = Object.keys(data)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(data[key])}`)
  return `{${members.join(",")}}`
}

/** Whether two entries launch or reach the same server: what a client takes as the default may be left out. */
export const sameEntry = (one: unknown, other: unknown): boolean =>
  canonical(withoutDefaults(one)) === canonical(withoutDefaults(other))

const withoutDefaults = (entry: unknown): unknown => {
  if (!isObject(entry) || !Object.hasOwn(entry, "command")) return entry
  return Object.fromEntries(
    Object.entries(entry).filter(([key, member]) => {
      if (key === "type") return member !== "stdio"
      if (key === "args") return !Array.isArray(member) || member.length > 0
      if (key === "env") return !isObject(member) || Object.keys(member).length > 0
      return true
    })
  )
}
