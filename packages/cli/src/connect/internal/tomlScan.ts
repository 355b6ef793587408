/** Where the statements of a TOML document begin and end. The document must be known to be valid. */

import { isObject } from "@pushbutton/protocol/Json"
import * as toml from "smol-toml"

export interface Statement {
  /** `[a.b]`, `[[a.b]]`, or `key = value`. */
  readonly _tag: "Table" | "Element" | "Pair"
  /** From the root of the document; a pair's path goes on from the table it stands in. */
  readonly path: ReadonlyArray<string>
  /** The table that a pair stands in; its own path for the others. */
  readonly table: ReadonlyArray<string>
  /** From the start of its first line to after the line break of its last. */
  readonly start: number
  readonly end: number
}

export const statements = (source: string): ReadonlyArray<Statement> => {
  const found: Array<Statement> = []
  let table: ReadonlyArray<string> = []
  let start = 0
  while (start < source.length) {
    const at = start + (/^[ \t]*/.exec(source.slice(start, lineEnd(source, start)))?.[0].length ?? 0)
    const first = source[at]
    if (first === undefined || first === "\n" || first === "\r" || first === "#") {
      start = lineEnd(source, at)
      continue
    }
    if (first === "[") {
      const element = source[at + 1] === "["
      const keyStart = at + (element ? 2 : 1)
      const keyEnd = endOfKey(source, keyStart, "]")
      const end = lineEnd(source, keyEnd)
      table = path(source.slice(keyStart, keyEnd))
      found.push({ _tag: element ? "Element" : "Table", path: table, table, start, end })
      start = end
    } else {
      const keyEnd = endOfKey(source, at, "=")
      const end = lineEnd(source, endOfValue(source, keyEnd + 1))
      found.push({ _tag: "Pair", path: [...table, ...path(source.slice(at, keyEnd))], table, start, end })
      start = end
    }
  }
  return found
}

/** After the line break that ends the line of `from`, or the end of the text. */
const lineEnd = (source: string, from: number): number => {
  const newline = source.indexOf("\n", from)
  return newline === -1 ? source.length : newline + 1
}

/** The names in a dotted key, decoded by the parser itself. */
const path = (key: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  let level: unknown = toml.parse(`${key} = 0`)
  while (isObject(level)) {
    const [name] = Object.entries(level)
    if (name === undefined) break
    names.push(name[0])
    level = name[1]
  }
  return names
}

const endOfKey = (source: string, from: number, stop: string): number => {
  let at = from
  while (at < source.length && source[at] !== stop)
    at = isQuote(source[at]) ? endOfString(source, at) : at + 1
  return at
}

/** The line break, outside brackets and strings, that ends the value. */
const endOfValue = (source: string, from: number): number => {
  let depth = 0
  let at = from
  while (at < source.length) {
    const character = source[at]
    if (character === "\n" && depth === 0) return at
    if (isQuote(character)) {
      at = endOfString(source, at)
      continue
    }
    if (character === "#") {
      const newline = source.indexOf("\n", at)
      at = newline === -1 ? source.length : newline
      continue
    }
    if (character === "[" || character === "{") depth++
    if (character === "]" || character === "}") depth--
    at++
  }
  return at
}

const isQuote = (character: string | undefined): boolean => character === '"' || character === "'"

/** After the closing quote or quotes of the string that opens at `at`. */
const endOfString = (source: string, at: number): number => {
  const quote = source.charAt(at)
  const long = source.startsWith(quote.repeat(3), at)
  const close = long ? quote.repeat(3) : quote
  let end = at + close.length
  while (end < source.length && !source.startsWith(close, end))
    end += quote === '"' && source[end] === "\\" ? 2 : 1
  end += close.length
  // A long string may end in one or two quotes of its own, right before the three that close it.
  for (let extra = 0; long && extra < 2 && source[end] === quote; extra++) end++
  return end
}
