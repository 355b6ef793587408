/** Schemas as authors and strangers write them: mostly right, at times of any JSON. */
import { isObject, type JsonObject, type JsonValue } from "@pushbutton/protocol/Json"
import * as fc from "effect/FastCheck"
import { jsonObject, jsonValue, objectWith } from "./json.js"

const name = fc.constantFrom("a", "b", "a/b", "__proto__", "properties", "x-mcp-header", "")
const reference = fc.constantFrom(
  "#",
  "#/$defs/a",
  "#/$defs/b",
  "#/properties/a",
  "#a",
  "other#",
  "https://x.example/s"
)
const type = fc.constantFrom("string", "number", "integer", "boolean", "object", "array", "null")

const { schema } = fc.letrec<{ schema: JsonValue; map: JsonValue; list: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthIdentifier: "schema" },
    fc.boolean(),
    objectWith({ type, minLength: fc.nat(5), enum: fc.array(jsonValue, { minLength: 1, maxLength: 3 }) }),
    objectWith({
      $ref: reference,
      $anchor: fc.constantFrom("a", "b"),
      "x-mcp-header": fc.constantFrom("A", "a", "")
    }),
    objectWith({
      type,
      properties: tie("map"),
      items: tie("schema"),
      anyOf: tie("list"),
      not: tie("schema"),
      $defs: tie("map"),
      required: fc.uniqueArray(name),
      default: jsonValue
    })
  ),
  map: fc
    .array(fc.tuple(name, tie("schema")), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries)),
  list: fc.array(tie("schema"), { minLength: 1, maxLength: 3 })
}))

const object: fc.Arbitrary<JsonObject> = schema.map((value) => (isObject(value) ? { ...value } : {}))

/** Definitions that the references of `schema` find. */
const $defs: JsonObject = {
  a: { type: "string" },
  b: { type: "object", properties: { next: { $ref: "#/$defs/b" }, a: { $ref: "#/$defs/a" } } }
}

/** With an object at the top as often as not. */
export const jsonSchema: fc.Arbitrary<JsonObject> = fc.oneof(
  object.map((value): JsonObject => ({ ...value, type: "object" })),
  object.map((value): JsonObject => ({ ...value, $defs, type: "object" })),
  object,
  jsonObject
)
