/**
 * Arguments that HTTP clients mirror in `Mcp-Param-*` headers: which ones a tool's input schema names with
 * `x-mcp-header`, and whether a request's headers say what its arguments say
 * (2026-07-28, streamable-http, Custom Headers from Tool Parameters). The body stays the source of truth.
 */
import * as Either from "effect/Either"
import type { JsonObject, JsonValue } from "./Json.js"
import * as Json from "./Json.js"
import type * as JsonSchema from "./JsonSchema.js"
import { HeaderMismatch } from "./ProtocolError.js"
import { decodeSentinel, type HeaderLookup } from "./RequestHeaders.js"

export const keyword = "x-mcp-header"

export interface ParamHeader {
  /** The header's name as a client writes it. */
  readonly header: string
  /** The names of properties that lead to the argument. */
  readonly path: ReadonlyArray<string>
  readonly type: "string" | "integer" | "boolean"
}

/** The annotated arguments of an input schema, or the first annotation that is not legal. */
export const declared = (
  document: JsonSchema.Document
): Either.Either<ReadonlyArray<ParamHeader>, JsonSchema.Problem> => {
  const found: Array<ParamHeader> = []
  const names = new Set<string>()
  for (const [pointer, schema] of document.subschemas) {
    if (typeof schema === "boolean" || !Object.hasOwn(schema, keyword)) continue
    const problem = (detail: string) => Either.left({ pointer: `${pointer}/${keyword}`, detail })
    const path = plainPath(pointer)
    if (path === undefined) return problem(unreachable)
    const type = Json.own(schema, "type")
    if (type !== "string" && type !== "integer" && type !== "boolean") return problem(notPrimitive)
    const name = Json.own(schema, keyword)
    if (typeof name !== "string" || !token.test(name)) return problem(notToken)
    const key = name.toLowerCase()
    if (names.has(key)) return problem(`is used twice: ${name} (header names ignore case)`)
    names.add(key)
    found.push({ header: `Mcp-Param-${name}`, path, type })
  }
  return Either.right(found)
}

const unreachable = "may only stand on a property that plain `properties` lead to from the top"
const notPrimitive = 'needs a property whose type is "string", "integer" or "boolean"'
const notToken = "has to be a header token: letters, digits and any of !#$%&'*+-.^_`|~, at least one"

/** RFC 9110, Tokens. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** The names along a pointer that goes through `properties` alone: keyword and name take turns. */
const plainPath = (pointer: string): ReadonlyArray<string> | undefined => {
  const steps = pointer.split("/").slice(1)
  const isPlain = steps.length > 0 && steps.every((step, index) => index % 2 === 1 || step === "properties")
  return isPlain
    ? steps
        .filter((_, index) => index % 2 === 1)
        .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    : undefined
}

/** Whether the headers mirror the arguments. Headers that no argument declares are not looked at. */
export const check = (
  headers: HeaderLookup,
  params: ReadonlyArray<ParamHeader>,
  args: JsonObject
): Either.Either<void, HeaderMismatch> => {
  for (const param of params) {
    const detail = difference(headers(param.header.toLowerCase()), at(args, param.path), param.type)
    if (detail !== undefined) return Either.left(new HeaderMismatch({ header: param.header, detail }))
  }
  return Either.void
}

const at = (args: JsonObject, path: ReadonlyArray<string>): JsonValue | undefined => {
  let value: JsonValue | undefined = args
  for (const name of path) value = Json.isObject(value) ? Json.own(value, name) : undefined
  return value
}

/** A value of another type than the declared one is for argument validation to report. */
const difference = (
  header: string | undefined,
  value: JsonValue | undefined,
  type: ParamHeader["type"]
): string | undefined => {
  const decoded = header === undefined ? undefined : decodeSentinel(header)
  if (decoded !== undefined && Either.isLeft(decoded)) return decoded.left
  if (value === undefined || value === null) {
    return decoded === undefined ? undefined : "is present, but the argument it mirrors is not"
  }
  if (!isOfType(value, type)) return undefined
  if (decoded === undefined) return "is missing"
  return says(decoded.right, value) ? undefined : "does not match the body"
}

const isOfType = (value: JsonValue, type: ParamHeader["type"]): value is string | number | boolean =>
  type === "integer" ? typeof value === "number" && Number.isInteger(value) : typeof value === type

/** Strings and booleans as they stand, integers by their value; beyond the safe ones a number has no exact value. */
const says = (text: string, value: string | number | boolean): boolean => {
  if (typeof value !== "number") return text === String(value)
  return Number.isSafeInteger(value) && decimal.test(text) && Number(text) === value
}

const decimal = /^-?(?:0|[1-9]\d{0,15})(?:\.0+)?$/
