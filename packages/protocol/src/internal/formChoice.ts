/** The choices of an enum, in any of the ways to spell one. */
import type { JsonObject, JsonValue } from "../Json.js"
import * as Json from "../Json.js"

export interface Choice {
  readonly value: string
  readonly title: string | undefined
}

/** The values of an enum in any of its spellings; undefined for what is none. */
export const choicesOf = (schema: JsonObject): ReadonlyArray<Choice> | undefined => {
  const values = Json.own(schema, "enum")
  if (isStrings(values)) return values.map((value) => ({ value, title: undefined }))
  const branches = Json.own(schema, "oneOf") ?? Json.own(schema, "anyOf")
  if (!Array.isArray(branches) || branches.length === 0) return undefined
  const choices = branches.flatMap((branch: JsonValue) => choiceOf(branch) ?? [])
  return choices.length === branches.length ? choices : undefined
}

const choiceOf = (branch: JsonValue): Choice | undefined => {
  if (!Json.isObject(branch)) return undefined
  const values = Json.own(branch, "enum")
  const value =
    Json.own(branch, "const") ?? (isStrings(values) && values.length === 1 ? values[0] : undefined)
  const title = Json.own(branch, "title")
  return typeof value === "string"
    ? { value, title: typeof title === "string" ? title : undefined }
    : undefined
}

export const isStrings = (value: JsonValue | undefined): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

export const titled = (choices: ReadonlyArray<Choice>) =>
  choices.map(({ title, value }) => ({ const: value, title: title ?? value }))

export const hasTitles = (choices: ReadonlyArray<Choice>) => choices.some(({ title }) => title !== undefined)
