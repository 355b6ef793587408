/**
 * JSON Schema 2020-12 from an Effect Schema, in the form that clients take best: one self-contained object without
 * `$schema` and `$id`. Shared parts stand inline; only a recursive schema has `$defs`.
 */
import { isObject, type JsonObject, type JsonValue } from "@pushbutton/protocol/Json"
import * as JSONSchema from "effect/JSONSchema"
import type * as Schema from "effect/Schema"
import { takesNothing } from "./arguments.js"
import { restore } from "./schemaAnnotations.js"

/** Throws when the schema has no JSON Schema (a function, a symbol, …): a mistake in the program. */
export const fromSchema = <A, I, R>(schema: Schema.Schema<A, I, R>): JsonObject => {
  if (takesNothing(schema.ast)) return { type: "object", additionalProperties: false }
  const definitions: Record<string, JSONSchema.JsonSchema7> = {}
  const root = JSONSchema.fromAST(schema.ast, {
    definitions,
    target: "jsonSchema2020-12",
    topLevelReferenceStrategy: "skip"
  })
  const object = restore(schema.ast, tidyObject(toJson(root)))
  const $defs = tidyEach(toJson(definitions))
  return Object.keys($defs).length === 0 ? object : { ...object, $defs }
}

const toJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value))

const single = new Set([
  "items",
  "additionalProperties",
  "not",
  "contains",
  "propertyNames",
  "if",
  "then",
  "else"
])
const lists = new Set(["anyOf", "allOf", "oneOf", "prefixItems"])
const maps = new Set(["properties", "patternProperties"])

const tidy = (schema: JsonValue): JsonValue => (isObject(schema) ? tidyObject(schema) : schema)

/** Drops what Effect adds for its own use: the `$id` and title of `unknown` and the like, and empty `required`. */
const tidyObject = (schema: JsonValue): JsonObject => {
  if (!isObject(schema)) return {}
  const marker = schema["$id"]
  const isMarker = typeof marker === "string" && marker.startsWith("/schemas/")
  const out: Record<string, JsonValue> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (isMarker && (keyword === "$id" || keyword === "title")) continue
    if (keyword === "required" && Array.isArray(value) && value.length === 0) continue
    out[keyword] = tidyKeyword(keyword, value)
  }
  return out
}

const tidyKeyword = (keyword: string, value: JsonValue): JsonValue => {
  if (single.has(keyword)) return tidy(value)
  if (lists.has(keyword) && Array.isArray(value)) return value.map(tidy)
  return maps.has(keyword) ? tidyEach(value) : value
}

const tidyEach = (map: JsonValue): JsonObject =>
  isObject(map) ? Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, tidy(schema)])) : {}
