/** Every schema inside a schema, by JSON pointer. Only schema positions are visited, never data such as `default`. */
import * as Either from "effect/Either"
import type { JsonObject, JsonValue } from "../../Json.js"
import * as Json from "../../Json.js"
import { type Dialect, type Holds, vocabulary } from "./keywords.js"

export type Schema = JsonObject | boolean

/** Why a schema cannot be served, and the JSON pointer of the part that is at fault. */
export interface Problem {
  readonly pointer: string
  readonly detail: string
}

export interface Subschema {
  readonly pointer: string
  readonly schema: Schema
  /** The pointer of the schema around it that has an `$id`, itself included; else the root. */
  readonly resource: string
  /** Those that apply to the same value. */
  readonly inPlace: ReadonlyArray<string>
}

/** In document order. */
export type Outline = ReadonlyMap<string, Subschema>

export const isSchema = (value: JsonValue): value is Schema =>
  typeof value === "boolean" || Json.isObject(value)

export const step = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** The schemas that a keyword holds, and their places below it. */
export const held = (
  holds: Holds,
  value: JsonValue
): ReadonlyArray<readonly [ReadonlyArray<string>, Schema]> => {
  if ((holds === "schema" || holds === "schemaOrList") && isSchema(value)) return [[[], value]]
  const members = typeof value === "object" && value !== null ? Object.entries(value) : []
  return members.flatMap(([name, schema]) => (isSchema(schema) ? [[[name], schema] as const] : []))
}

export const hasIdentity = (schema: Schema, dialect: Dialect): boolean => {
  const id = typeof schema === "boolean" ? undefined : Json.own(schema, "$id")
  return typeof id === "string" && !(dialect === "draft-07" && id.startsWith("#"))
}

/** Checks each keyword on the way. */
export const outline = (
  root: JsonObject,
  dialect: Dialect,
  limit: number
): Either.Either<Outline, Problem> => {
  const found = new Map<string, Subschema>()
  const open: Array<Pick<Subschema, "pointer" | "schema" | "resource">> = [
    { pointer: "", schema: root, resource: "" }
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { pointer, schema } = next
    const resource = hasIdentity(schema, dialect) ? pointer : next.resource
    const inside = typeof schema === "boolean" ? Either.right([]) : children(schema, pointer, dialect)
    if (Either.isLeft(inside)) return Either.left(inside.left)
    const inPlace = inside.right.filter((child) => child.inPlace).map((child) => child.pointer)
    found.set(pointer, { pointer, schema, resource, inPlace })
    for (const child of [...inside.right].reverse()) open.push({ ...child, resource })
    if (found.size + open.length > limit) {
      return Either.left({ pointer: "", detail: `has more than ${limit} schemas inside` })
    }
  }
  return Either.right(found)
}

interface Child {
  readonly pointer: string
  readonly schema: Schema
  readonly inPlace: boolean
}

const children = (
  schema: JsonObject,
  pointer: string,
  dialect: Dialect
): Either.Either<ReadonlyArray<Child>, Problem> => {
  const all: Array<Child> = []
  const keywords = vocabulary(dialect)
  for (const [name, value] of Object.entries(schema)) {
    const keyword = keywords.get(name)
    if (keyword === undefined) continue
    const at = step(pointer, name)
    const detail = keyword.check(value)
    if (detail !== undefined) return Either.left({ pointer: at, detail })
    if (keyword._tag !== "Applicator" && keyword._tag !== "Definitions") continue
    const inPlace = keyword._tag === "Applicator" && keyword.inPlace
    for (const [path, child] of held(keyword._tag === "Applicator" ? keyword.holds : "map", value)) {
      all.push({ pointer: path.reduce(step, at), schema: child, inPlace })
    }
  }
  return Either.right(all)
}
