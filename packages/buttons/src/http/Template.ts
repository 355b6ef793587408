/** Texts of requests, with `{{argument}}` in them. */
import type { ArgDef } from "../Button.js"
import * as Placeholders from "../internal/placeholders.js"

export type Part = string | ArgDef
export type Template = Placeholders.Template<ArgDef>

const placeholder = /\{\{([^{}]+)\}\}/g

/** What is in braces and is not an argument stays as it is. */
export const parse = (text: string, args: ReadonlyArray<ArgDef>): Template =>
  Placeholders.parse(
    text,
    placeholder,
    ([whole, inside]) => args.find(({ name }) => name === inside) ?? whole
  )

/** Names in braces that are no arguments. */
export const unknown = (text: string, args: ReadonlyArray<ArgDef>): ReadonlyArray<string> => {
  const names = new Set(Array.from(text.matchAll(placeholder), (match) => match[1] ?? ""))
  return [...names].filter((name) => !args.some((arg) => arg.name === name))
}

/** Texts by argument name; what was left out is not there. */
export type Values = Readonly<Record<string, string>>

export const textOf = (values: Values, { name }: ArgDef): string | undefined =>
  Placeholders.textOf(values, name)

/** An argument that was left out gives nothing. */
export const render = (template: Template, values: Values, encode: (value: string) => string): string =>
  Placeholders.fill(template, (arg) => encode(textOf(values, arg) ?? ""))

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
