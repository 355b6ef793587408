/**
 * A request body with `{{argument}}` in it, each value written so that it stays one value. Where nothing is known of how
 * that is done, no argument may stand.
 */
import { isObject } from "@pushbutton/protocol/Json"
import type { ArgDef } from "../Button.js"
import * as Encoding from "./encoding.js"
import * as Template from "./Template.js"

/** A placeholder of a JSON text: inside of a string, or where a whole value stands. */
interface Slot {
  readonly arg: ArgDef
  readonly isQuoted: boolean
}

export type BodyTemplate =
  /** Of one value, or of one on each line. */
  | { readonly _tag: "Json"; readonly parts: ReadonlyArray<string | Slot> }
  | { readonly _tag: "Form"; readonly pairs: ReadonlyArray<Template.Template> }
  | { readonly _tag: "Xml"; readonly template: Template.Template }
  | { readonly _tag: "Text"; readonly template: Template.Template }
  /** Of another type. */
  | { readonly _tag: "Raw"; readonly template: Template.Template }

/** `contentType` is that of the button's own headers; a body without one is taken for JSON. */
export const parse = (
  text: string,
  contentType: string | undefined,
  args: ReadonlyArray<ArgDef>
): BodyTemplate => {
  const template = Template.parse(text, args)
  const type = (contentType ?? "application/json").split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (type === "application/x-www-form-urlencoded") {
    return { _tag: "Form", pairs: Template.split(template, "&") }
  }
  const parts = slots(template)
  if (/^(?:application|text)\/(?:[^/]*\+)?json$/.test(type)) {
    // A text that is no JSON has no places for values: everything is written as inside of a string.
    return { _tag: "Json", parts: jsonValues(parts) === undefined ? parts.map(quoted) : parts }
  }
  if (jsonValues(parts)?.every((value) => isObject(value) || Array.isArray(value)) === true) {
    return { _tag: "Json", parts }
  }
  if (/^(?:application|text|image)\/(?:[^/]*\+)?xml$/.test(type)) return { _tag: "Xml", template }
  return { _tag: type === "text/plain" ? "Text" : "Raw", template }
}

/** Why values cannot be put into the body; undefined when they can. */
export const obstacle = (body: BodyTemplate): string | undefined => {
  if (body._tag === "Xml" && hasArgumentInTag(body.template)) {
    return "an argument may stand in a text or in a quoted attribute only"
  }
  return body._tag === "Raw" && body.template.some((part) => typeof part !== "string")
    ? "takes no arguments: how values are written in this Content-Type is not known"
    : undefined
}

/** The values of a JSON body once its arguments are in place; undefined when it is none. */
export const values = (body: BodyTemplate): ReadonlyArray<unknown> | undefined =>
  body._tag === "Json" ? jsonValues(body.parts) : undefined

/** What stands for an argument inside of the strings of `values`. */
export const hole = "\0"

const jsonValues = (parts: ReadonlyArray<string | Slot>): ReadonlyArray<unknown> | undefined => {
  const text = parts
    .map((part) => (typeof part === "string" ? part : part.isQuoted ? "\\u0000" : "0"))
    .join("")
  return parseEach([text]) ?? parseEach(text.split("\n").filter((line) => line.trim() !== ""))
}

const parseEach = (texts: ReadonlyArray<string>): ReadonlyArray<unknown> | undefined => {
  try {
    return texts.map((text): unknown => JSON.parse(text))
  } catch {
    return undefined
  }
}

const slots = (template: Template.Template): ReadonlyArray<string | Slot> => {
  let isQuoted = false
  let isEscaped = false
  return template.map((part): string | Slot => {
    if (typeof part !== "string") return { arg: part, isQuoted }
    for (const unit of part) {
      if (isEscaped) isEscaped = false
      else if (unit === "\\") isEscaped = isQuoted
      else if (unit === '"') isQuoted = !isQuoted
    }
    return part
  })
}

const quoted = (part: string | Slot): string | Slot =>
  typeof part === "string" ? part : { ...part, isQuoted: true }

/** What is between `<` and `>` counts as a tag, quoted attributes aside. */
const hasArgumentInTag = (template: Template.Template): boolean => {
  let inTag = false
  let quote = ""
  return template.some((part) => {
    if (typeof part !== "string") return inTag && quote === ""
    for (const unit of part) {
      if (!inTag) inTag = unit === "<"
      else if (quote !== "") quote = unit === quote ? "" : quote
      else if (unit === '"' || unit === "'") quote = unit
      else inTag = unit !== ">"
    }
    return false
  })
}

/**
 * An argument that was left out is nothing in a text, `null` where a JSON value stands, and takes its pair out of a
 * form.
 */
export const render = (body: BodyTemplate, values: Template.Values): string => {
  switch (body._tag) {
    case "Json":
      return body.parts.map((part) => (typeof part === "string" ? part : json(part, values))).join("")
    case "Form":
      return body.pairs
        .filter((pair) => Template.isFilled(pair, values))
        .map((pair) => Template.render(pair, values, Encoding.query))
        .join("&")
    case "Xml":
      return Template.render(body.template, values, Encoding.xmlText)
    case "Text":
    case "Raw":
      return Template.render(body.template, values, (value) => value)
  }
}

const json = ({ arg, isQuoted }: Slot, values: Template.Values): string => {
  const value = Template.textOf(values, arg)
  if (isQuoted) return Encoding.jsonText(value ?? "")
  if (value === undefined) return "null"
  switch (arg.type) {
    case "int":
      return BigInt(value.replace("+", "")).toString()
    case "bool":
      return String(/^(?:true|1)$/i.test(value))
    case "string":
    case "enum":
      return `"${Encoding.jsonText(value)}"`
  }
}
