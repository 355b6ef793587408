/** A list of choices where a revision has none: a yes or no for each choice, and a list again when they come back. */
import type { JsonObject } from "../../Json.js"
import * as Json from "../../Json.js"
import { choicesOf } from "../formChoice.js"

/** Undefined for a list of something else. */
export const folded = (name: string, schema: JsonObject) => {
  const items = Json.own(schema, "items")
  const choices = Json.isObject(items) ? choicesOf(items) : undefined
  if (choices === undefined) return undefined
  const title = Json.own(schema, "title")
  const description = descriptionOf(schema)
  const preset = Json.own(schema, "default")
  const chosen = Array.isArray(preset) ? preset : []
  const parts = choices.map(({ title, value }) => ({
    key: `${name}: ${value}`,
    label: title ?? value,
    value
  }))
  return {
    name,
    properties: Object.fromEntries(
      parts.map(({ key, label, value }) => [
        key,
        {
          type: "boolean",
          title: `${typeof title === "string" ? title : name}: ${label}`,
          ...(description === "" ? {} : { description }),
          ...(chosen.includes(value) ? { default: true } : {})
        }
      ])
    ),
    fold: (content: JsonObject): ReadonlyArray<string> =>
      parts.flatMap(({ key, value }) => (Json.own(content, key) === true ? [value] : []))
  }
}

/** With how many may be chosen, which no keyword tells. */
const descriptionOf = (schema: JsonObject): string => {
  const description = Json.own(schema, "description")
  const least = Json.own(schema, "minItems")
  const most = Json.own(schema, "maxItems")
  return [
    typeof description === "string" ? description : "",
    typeof least === "number" && least > 0 ? `Choose at least ${least}.` : "",
    typeof most === "number" ? `Choose at most ${most}.` : ""
  ]
    .filter((part) => part !== "")
    .join(" ")
}
