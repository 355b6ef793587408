/** The vocabularies of the dialects as data: which keyword holds schemas, which asserts, and what its value may be. */
import type { JsonValue } from "../../Json.js"
import * as Json from "../../Json.js"

export type Dialect = "2020-12" | "draft-07"

/** Why a value is not legal for its keyword; undefined when it is. */
type Check = (value: JsonValue) => string | undefined

/** Where the schemas of an applicator stand. */
export type Holds = "schema" | "schemaOrList" | "list" | "map" | "dependencies"

export type Keyword =
  /** Holds schemas. In place: they apply to the same value, not to a part of it. */
  | { readonly _tag: "Applicator"; readonly holds: Holds; readonly inPlace: boolean; readonly check: Check }
  /** Schemas that apply only where a reference names them. */
  | { readonly _tag: "Definitions"; readonly check: Check }
  | { readonly _tag: "Assertion"; readonly check: Check }
  | { readonly _tag: "Annotation"; readonly check: Check }

const isSchema = (value: JsonValue): boolean => typeof value === "boolean" || Json.isObject(value)

const says =
  (holds: (value: JsonValue) => boolean, detail: string): Check =>
  (value) =>
    holds(value) ? undefined : detail

const isList = (value: JsonValue): value is ReadonlyArray<JsonValue> => Array.isArray(value)

const isSchemas = (value: JsonValue): boolean => isList(value) && value.length > 0 && value.every(isSchema)

const isNames = (value: JsonValue): boolean =>
  isList(value) && value.every((item) => typeof item === "string") && new Set(value).size === value.length

const isMapOf = (holds: (value: JsonValue) => boolean) => (value: JsonValue) =>
  Json.isObject(value) && Object.values(value).every(holds)

const types = new Set<JsonValue>(["string", "number", "integer", "boolean", "object", "array", "null"])

const isType = (value: JsonValue): boolean =>
  isList(value)
    ? value.length > 0 && value.every((item) => types.has(item)) && new Set(value).size === value.length
    : types.has(value)

const isIdentifier = (value: JsonValue): boolean => typeof value === "string" && /^[^#]*#?$/.test(value)

const isAnchor = (value: JsonValue): boolean =>
  typeof value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value)

const checks = {
  any: () => undefined,
  string: says((value) => typeof value === "string", "has to be a string"),
  boolean: says((value) => typeof value === "boolean", "has to be true or false"),
  number: says((value) => typeof value === "number", "has to be a number"),
  positive: says((value) => typeof value === "number" && value > 0, "has to be a number above 0"),
  count: says(
    (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
    "has to be a whole number of 0 or more"
  ),
  identifier: says(isIdentifier, "has to be a string without a fragment"),
  anchor: says(isAnchor, "has to be a name: letters, digits, -, . and _, a letter or _ first"),
  list: says(isList, "has to be an array"),
  values: says((value) => isList(value) && value.length > 0, "has to be an array with at least one value"),
  object: says(Json.isObject, "has to be an object"),
  names: says(isNames, "has to be an array of different strings"),
  nameLists: says(isMapOf(isNames), "has to be an object of arrays of different strings"),
  type: says(isType, `has to be one of ${[...types].join(", ")}, or an array of different ones`),
  schema: says(isSchema, "has to be a schema: an object, true or false"),
  schemas: says(isSchemas, "has to be an array with at least one schema"),
  schemaMap: says(isMapOf(isSchema), "has to be an object of schemas")
} as const satisfies Record<string, Check>

const annotation = (check: Check): Keyword => ({ _tag: "Annotation", check })
const assertion = (check: Check): Keyword => ({ _tag: "Assertion", check })
const applicator = (holds: Holds, check: Check, inPlace = false): Keyword => ({
  _tag: "Applicator",
  holds,
  check,
  inPlace
})

const definitions: Keyword = { _tag: "Definitions", check: checks.schemaMap }
const schema = applicator("schema", checks.schema)
const condition = applicator("schema", checks.schema, true)
const choice = applicator("list", checks.schemas, true)

const common: Readonly<Record<string, Keyword>> = {
  $schema: annotation(checks.string),
  $id: annotation(checks.string),
  $ref: annotation(checks.string),
  $comment: annotation(checks.string),
  // Both dialects read both names, since schemas of either carry both.
  $defs: definitions,
  definitions,
  title: annotation(checks.string),
  description: annotation(checks.string),
  default: annotation(checks.any),
  examples: annotation(checks.list),
  readOnly: annotation(checks.boolean),
  writeOnly: annotation(checks.boolean),
  format: annotation(checks.string),
  contentEncoding: annotation(checks.string),
  contentMediaType: annotation(checks.string),
  type: assertion(checks.type),
  enum: assertion(checks.values),
  const: assertion(checks.any),
  multipleOf: assertion(checks.positive),
  maximum: assertion(checks.number),
  minimum: assertion(checks.number),
  exclusiveMaximum: assertion(checks.number),
  exclusiveMinimum: assertion(checks.number),
  maxLength: assertion(checks.count),
  minLength: assertion(checks.count),
  pattern: assertion(checks.string),
  maxItems: assertion(checks.count),
  minItems: assertion(checks.count),
  uniqueItems: assertion(checks.boolean),
  maxProperties: assertion(checks.count),
  minProperties: assertion(checks.count),
  required: assertion(checks.names),
  contains: schema,
  properties: applicator("map", checks.schemaMap),
  patternProperties: applicator("map", checks.schemaMap),
  additionalProperties: schema,
  propertyNames: schema,
  dependencies: applicator(
    "dependencies",
    says(
      isMapOf((value) => isSchema(value) || isNames(value)),
      "has to be an object of schemas or arrays of different strings"
    ),
    true
  ),
  if: condition,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema in a table that is never awaited.
  then: condition,
  else: condition,
  not: condition,
  allOf: choice,
  anyOf: choice,
  oneOf: choice
}

const vocabularies: Readonly<Record<Dialect, ReadonlyMap<string, Keyword>>> = {
  "draft-07": new Map(
    Object.entries({
      ...common,
      items: applicator(
        "schemaOrList",
        says((value) => isSchema(value) || isSchemas(value), "has to be a schema or an array of schemas")
      ),
      additionalItems: schema
    })
  ),
  "2020-12": new Map(
    Object.entries({
      ...common,
      $id: annotation(checks.identifier),
      $anchor: annotation(checks.anchor),
      $dynamicRef: annotation(checks.string),
      $dynamicAnchor: annotation(checks.anchor),
      $vocabulary: annotation(checks.object),
      deprecated: annotation(checks.boolean),
      contentSchema: annotation(checks.schema),
      maxContains: assertion(checks.count),
      minContains: assertion(checks.count),
      dependentRequired: assertion(checks.nameLists),
      items: schema,
      prefixItems: applicator("list", checks.schemas),
      unevaluatedItems: schema,
      unevaluatedProperties: schema,
      dependentSchemas: applicator("map", checks.schemaMap, true)
    })
  )
}

export const vocabulary = (dialect: Dialect): ReadonlyMap<string, Keyword> => vocabularies[dialect]
