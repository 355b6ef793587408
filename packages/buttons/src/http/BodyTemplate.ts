/** A request body with `{{argument}}` in it, each value written so that it stays one value. */
import type { ArgDef } from "../Button.js"
import * as Encoding from "./encoding.js"
import * as Template from "./Template.js"

/** A placeholder of a JSON text: inside of a string, or where a whole value stands. */
interface Slot {
  readonly arg: ArgDef
  readonly isQuoted: boolean
}

export type BodyTemplate =
  | { readonly _tag: "Json"; readonly parts: ReadonlyArray<string | Slot> }
  | { readonly _tag: "Form"; readonly pairs: ReadonlyArray<Template.Template> }
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
  return /^(?:application|text)\/(?:[^/]*\+)?json$/.test(type)
    ? { _tag: "Json", parts: slots(template) }
    : { _tag: "Raw", template }
}

/** Whether the body is JSON once its arguments are in place. */
export const isJson = (body: BodyTemplate): boolean => {
  if (body._tag !== "Json") return false
  try {
    JSON.parse(body.parts.map(sample).join(""))
    return true
  } catch {
    return false
  }
}

const sample = (part: string | Slot): string => (typeof part === "string" ? part : part.isQuoted ? "x" : "0")

const slots = (template: Template.Template): ReadonlyArray<string | Slot> => {
  let isQuoted = false
  let isEscaped = false
  const parts = template.map((part): string | Slot => {
    if (typeof part !== "string") return { arg: part, isQuoted }
    for (const unit of part) {
      if (isEscaped) isEscaped = false
      else if (unit === "\\") isEscaped = isQuoted
      else if (unit === '"') isQuoted = !isQuoted
    }
    return part
  })
  if (isJson({ _tag: "Json", parts })) return parts
  // A text that is no JSON has no places for values: everything is written as inside of a string.
  return template.map((part) => (typeof part === "string" ? part : { arg: part, isQuoted: true }))
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
