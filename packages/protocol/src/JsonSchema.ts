/**
 * The JSON Schemas of tools, as data: whether one may be published, and what it asserts. Pure and total; nothing is
 * ever fetched.
 */
import * as Either from "effect/Either"
import { excerpt } from "./internal/excerpt.js"
import { assertions } from "./internal/jsonSchema/assertions.js"
import type { Dialect } from "./internal/jsonSchema/keywords.js"
import { outline, type Problem, type Schema, step } from "./internal/jsonSchema/outline.js"
import { resolve } from "./internal/jsonSchema/references.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"

export type { Dialect, Problem }

export interface Document {
  readonly dialect: Dialect
  /** Every schema inside by its JSON pointer, the root under `""`, in document order. */
  readonly subschemas: ReadonlyMap<string, Schema>
  /** What the schema asserts, in the same dialect, with every reference resolved to a member of its own `$defs`. */
  readonly assertions: JsonObject
}

/** Nesting of arrays and objects, schemas inside, and UTF-16 units of the whole as JSON text. */
export const limits = { depth: Json.maxDepth, subschemas: 10_000, length: 1_048_576 } as const

/**
 * Reads a schema: 2020-12 unless `$schema` names draft-07. `root` is what the protocol asks of the top: an input is
 * an object, an output may be anything.
 */
export const read = (schema: JsonObject, root: "object" | "any"): Either.Either<Document, Problem> => {
  const outer = sizeProblem(schema) ?? rootProblem(schema, root)
  if (outer !== undefined) return Either.left(outer)
  const dialect = dialectOf(schema)
  if (Either.isLeft(dialect)) return Either.left(dialect.left)
  const inside = outline(schema, dialect.right, limits.subschemas)
  if (Either.isLeft(inside)) return Either.left(inside.left)
  const subschemas = new Map([...inside.right].map(([pointer, { schema }]) => [pointer, schema]))
  const inner = dialectProblem(subschemas, dialect.right) ?? patternProblem(subschemas)
  if (inner !== undefined) return Either.left(inner)
  return Either.map(resolve(inside.right, dialect.right), (references) => ({
    dialect: dialect.right,
    subschemas,
    assertions: assertions(inside.right, references, dialect.right)
  }))
}

/** Every regular expression, with its pointer; `patternProperties` has one in each name. */
export const patterns = (
  subschemas: Document["subschemas"]
): ReadonlyArray<readonly [pointer: string, source: string]> =>
  [...subschemas].flatMap(([pointer, schema]) => {
    if (typeof schema === "boolean") return []
    const pattern = Json.own(schema, "pattern")
    const named = Json.own(schema, "patternProperties")
    const at = step(pointer, "patternProperties")
    return [
      ...(typeof pattern === "string" ? [[step(pointer, "pattern"), pattern] as const] : []),
      ...(Json.isObject(named) ? Object.keys(named).map((name) => [step(at, name), name] as const) : [])
    ]
  })

const sizeProblem = (schema: JsonObject): Problem | undefined => {
  if (Json.exceedsDepth(schema, limits.depth)) {
    return { pointer: "", detail: `nests more than ${limits.depth} levels deep` }
  }
  return JSON.stringify(schema).length > limits.length
    ? { pointer: "", detail: `is longer than ${limits.length} characters` }
    : undefined
}

const rootProblem = (schema: JsonObject, root: "object" | "any"): Problem | undefined =>
  root === "object" && Json.own(schema, "type") !== "object"
    ? { pointer: "/type", detail: 'has to be "object" at the top' }
    : undefined

const dialects: ReadonlyMap<unknown, Dialect> = new Map([
  [undefined, "2020-12"],
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["https://json-schema.org/draft/2020-12/schema#", "2020-12"],
  ["http://json-schema.org/draft-07/schema", "draft-07"],
  ["http://json-schema.org/draft-07/schema#", "draft-07"]
])

const dialectOf = (schema: JsonObject): Either.Either<Dialect, Problem> => {
  const declared = Json.own(schema, "$schema")
  const dialect = dialects.get(declared)
  if (dialect !== undefined) return Either.right(dialect)
  const named = excerpt(JSON.stringify(declared))
  return Either.left({
    pointer: "/$schema",
    detail: `names an unsupported dialect, ${named}: use JSON Schema 2020-12 or draft-07`
  })
}

/** A part that switches to another dialect would need another reader. */
const dialectProblem = (subschemas: Document["subschemas"], dialect: Dialect): Problem | undefined => {
  for (const [pointer, schema] of subschemas) {
    if (typeof schema === "boolean" || !Object.hasOwn(schema, "$schema")) continue
    const declared = dialectOf(schema)
    if (Either.isLeft(declared) || declared.right !== dialect) {
      return {
        pointer: step(pointer, "$schema"),
        detail: `differs from the dialect of the whole, ${dialect}`
      }
    }
  }
  return undefined
}

const patternProblem = (subschemas: Document["subschemas"]): Problem | undefined => {
  const wrong = patterns(subschemas).find(([, source]) => !isRegExp(source, "u") && !isRegExp(source, ""))
  return wrong === undefined ? undefined : { pointer: wrong[0], detail: "is not a regular expression" }
}

const isRegExp = (source: string, flags: string): boolean => {
  try {
    return new RegExp(source, flags) instanceof RegExp
  } catch {
    return false
  }
}
