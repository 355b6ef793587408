/** One field of a form as a revision has it: the keywords it knows, or several fields that stand for it. */
import * as Either from "effect/Either"
import type { JsonObject, JsonValue } from "../../Json.js"
import * as Json from "../../Json.js"
import { project, shape } from "../dialect/shape.js"
import { choicesOf, hasTitles, isStrings, titled } from "../formChoice.js"
import { check, formats } from "../formField.js"
import { folded } from "./foldedField.js"

/** The revisions of the handshake that have forms. */
export type FormVersion = "2025-06-18" | "2025-11-25"

export interface Field {
  /** What the handler calls it. */
  readonly name: string
  /** What the client is asked for. */
  readonly properties: JsonObject
  /** Its value where it is a list that is asked for as several; else undefined. */
  readonly fold: ((content: JsonObject) => ReadonlyArray<string>) | undefined
}

/** Undefined for what is no field of a form. */
export const fieldOf = (version: FormVersion, name: string, schema: JsonValue): Field | undefined => {
  if (!Json.isObject(schema)) return undefined
  if (version === "2025-06-18" && Json.own(schema, "type") === "array") return folded(name, schema)
  const keywords = version === "2025-06-18" ? before(schema) : since(schema)
  return keywords === undefined
    ? undefined
    : { name, properties: { [name]: { ...project(labels, schema), ...keywords } }, fold: undefined }
}

const labels = shape({ type: true, title: true, description: true })
const lengths = shape({ minLength: true, maxLength: true, format: true })
const range = shape({ minimum: true, maximum: true })
const count = shape({ minItems: true, maxItems: true })

/** A default that is no value of the field would cost the client the whole form. */
const preset = (schema: JsonObject): JsonObject => {
  const value = Json.own(schema, "default")
  return value !== undefined && Either.isRight(check(schema, value)) ? { default: value } : {}
}

/** 2025-06-18: only a boolean has a default, and the titles of choices stand beside them. */
const before = (schema: JsonObject): JsonObject | undefined => {
  const choices = choicesOf(schema)
  if (choices === undefined) {
    return Json.own(schema, "type") === "boolean" ? preset(schema) : primitive(schema)
  }
  const titles = hasTitles(choices) ? { enumNames: titled(choices).map(({ title }) => title) } : {}
  return { type: "string", enum: choices.map(({ value }) => value), ...titles, ...names(schema) }
}

/** 2025-11-25. */
const since = (schema: JsonObject): JsonObject | undefined => {
  const keywords = Json.own(schema, "type") === "array" ? list(schema) : (choice(schema) ?? primitive(schema))
  return keywords === undefined ? undefined : { ...keywords, ...preset(schema) }
}

const primitive = (schema: JsonObject): JsonObject | undefined => {
  switch (Json.own(schema, "type")) {
    case "string": {
      const { format, ...rest } = project(lengths, schema)
      return format !== undefined && formats.has(format) ? { ...rest, format } : rest
    }
    case "number":
    case "integer":
      return project(range, schema)
    case "boolean":
      return {}
    default:
      return undefined
  }
}

const choice = (schema: JsonObject): JsonObject | undefined => {
  const choices = choicesOf(schema)
  if (choices === undefined) return undefined
  return hasTitles(choices)
    ? { type: "string", oneOf: titled(choices) }
    : { type: "string", enum: choices.map(({ value }) => value), ...names(schema) }
}

const names = (schema: JsonObject): JsonObject => {
  const enumNames = Json.own(schema, "enumNames")
  return isStrings(enumNames) ? { enumNames } : {}
}

const list = (schema: JsonObject): JsonObject | undefined => {
  const items = Json.own(schema, "items")
  const choices = Json.isObject(items) ? choicesOf(items) : undefined
  if (choices === undefined) return undefined
  return {
    ...project(count, schema),
    items: hasTitles(choices)
      ? { anyOf: titled(choices) }
      : { type: "string", enum: choices.map(({ value }) => value) }
  }
}
