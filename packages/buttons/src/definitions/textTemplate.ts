/**
 * Texts with `{{argument}}` in them. They are filled in once: what a value brings is never looked at again. A `{{`
 * that is none is written `\{{`.
 */
import * as Either from "effect/Either"
import { quote } from "../internal/text.js"

export type TextTemplate = ReadonlyArray<string | { readonly name: string }>

const pattern = /\\\{\{|\{\{([^{}]*)\}\}|\{\{/g

/** Left: what is wrong with the text. */
export const parse = (text: string, names: ReadonlySet<string>): Either.Either<TextTemplate, string> => {
  const parts: Array<string | { readonly name: string }> = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(at, match.index))
    at = match.index + match[0].length
    if (match[0].startsWith("\\")) {
      parts.push("{{")
      continue
    }
    const name = match[1]?.trim()
    if (name === undefined) return Either.left("has {{ without }}; write \\{{ where it stands for itself")
    if (!names.has(name)) return Either.left(unknown(name, names))
    parts.push({ name })
  }
  parts.push(text.slice(at))
  return Either.right(parts)
}

/** A name without a value is filled in with nothing. */
export const fill = (template: TextTemplate, values: Readonly<Record<string, string | undefined>>): string =>
  template
    .map((part) =>
      typeof part === "string" ? part : Object.hasOwn(values, part.name) ? (values[part.name] ?? "") : ""
    )
    .join("")

const unknown = (name: string, names: ReadonlySet<string>): string => {
  const known = names.size === 0 ? "there are none" : `there are ${[...names].map(quote).join(", ")}`
  return `fills in ${quote(name)}, which is not among the names: ${known}`
}
