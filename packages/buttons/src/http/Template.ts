/** Texts with `{{argument}}` in them. They are taken apart once, so that no value is ever read as a placeholder. */
import type { ArgDef } from "../Button.js"

export type Part = string | ArgDef
export type Template = ReadonlyArray<Part>

const placeholder = /\{\{([^{}]+)\}\}/g

/** What is in braces and is not an argument stays as it is. */
export const parse = (text: string, args: ReadonlyArray<ArgDef>): Template => {
  const parts: Array<Part> = []
  let from = 0
  for (const match of text.matchAll(placeholder)) {
    const arg = args.find(({ name }) => name === match[1])
    if (arg === undefined) continue
    if (match.index > from) parts.push(text.slice(from, match.index))
    parts.push(arg)
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

/** Names in braces that are no arguments. */
export const unknown = (text: string, args: ReadonlyArray<ArgDef>): ReadonlyArray<string> => {
  const names = new Set(Array.from(text.matchAll(placeholder), (match) => match[1] ?? ""))
  return [...names].filter((name) => !args.some((arg) => arg.name === name))
}

/** Texts by argument name; what was left out is not there. */
export type Values = Readonly<Record<string, string>>

export const textOf = (values: Values, { name }: ArgDef): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** An argument that was left out gives nothing. */
export const render = (template: Template, values: Values, encode: (value: string) => string): string =>
  template.map((part) => (typeof part === "string" ? part : encode(textOf(values, part) ?? ""))).join("")

/** Whether every argument of the template was given. */
export const isFilled = (template: Template, values: Values): boolean =>
  template.every((part) => typeof part === "string" || textOf(values, part) !== undefined)

/** Cut at a character of the template's own text. */
export const split = (template: Template, separator: string): ReadonlyArray<Template> => {
  const pieces: Array<Array<Part>> = [[]]
  for (const part of template) {
    if (typeof part !== "string") {
      pieces.at(-1)?.push(part)
      continue
    }
    for (const [index, text] of part.split(separator).entries()) {
      if (index > 0) pieces.push([])
      if (text !== "") pieces.at(-1)?.push(text)
    }
  }
  return pieces
}
