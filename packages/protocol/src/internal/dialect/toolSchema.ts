/**
 * Tool schemas for clients of legacy revisions. One schema with a root or a property form their revision lacks
 * makes such a client refuse the whole list.
 */
import type { JsonObject, JsonValue } from "../../Json.js"
import * as Json from "../../Json.js"

/** Boolean property schemas become objects, header annotations go, and `$schema` where the revision has none. */
export const forLegacy = (schema: JsonObject, schemaDialect: boolean): JsonObject => {
  const { $schema, ...rest } = schema
  const projected = mapProperties(rest, (property) =>
    typeof property === "boolean" ? (property ? {} : { not: {} }) : withoutHeaders(property)
  )
  return schemaDialect && $schema !== undefined ? { $schema, ...projected } : projected
}

/** Only chains of `properties` can hold a valid `x-mcp-header`. A property of that name is not an annotation. */
const withoutHeaders = (schema: JsonValue): JsonValue => {
  if (!Json.isObject(schema)) return schema
  const { "x-mcp-header": _, ...rest } = schema
  return mapProperties(rest, withoutHeaders)
}

const mapProperties = (schema: JsonObject, change: (property: JsonValue) => JsonValue): JsonObject => {
  const properties = Json.own(schema, "properties")
  return Json.isObject(properties) ? { ...schema, properties: mapValues(properties, change) } : schema
}

export const hasObjectRoot = (schema: JsonObject): boolean => Json.own(schema, "type") === "object"

/** An object schema with the given one under `result`; references inside the document follow it there. */
export const wrapped = (schema: JsonObject): JsonObject => {
  const { $schema, ...inner } = schema
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: "object",
    properties: { result: relocated(inner) },
    required: ["result"]
  }
}

/** Keywords whose members are names of schemas. */
const schemaMaps = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies"
])

/** Keywords whose values are data, not schemas. */
const dataKeywords = new Set(["const", "enum", "default", "examples"])

const relocated = (schema: JsonValue): JsonValue => {
  if (Array.isArray(schema)) return schema.map(relocated)
  if (!Json.isObject(schema) || isResource(schema)) return schema
  return mapValues(schema, (value, keyword) => {
    if (dataKeywords.has(keyword)) return value
    if (schemaMaps.has(keyword) && Json.isObject(value)) return mapValues(value, relocated)
    if ((keyword === "$ref" || keyword === "$dynamicRef") && typeof value === "string") return moved(value)
    return relocated(value)
  })
}

/** A schema with an identifier of its own: references within it start from there and stay as they are. */
const isResource = (schema: JsonObject): boolean => {
  const id = Json.own(schema, "$id")
  return typeof id === "string" && !id.startsWith("#")
}

/** A JSON pointer starts from the new place; anchors and other documents do not move. */
const moved = (reference: string): string =>
  reference === "#" || reference.startsWith("#/") ? `#/properties/result${reference.slice(1)}` : reference

/** Built from entries, so that a member named `__proto__` stays a member. */
const mapValues = (object: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
