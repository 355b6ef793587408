/** One field of an elicitation form: what a JSON Schema becomes, and whether a value fits. */
import * as Either from "effect/Either"
import type { JsonObject, JsonValue } from "../Json.js"
import * as Json from "../Json.js"
import { choicesOf, hasTitles, isStrings, titled } from "./formChoice.js"

/** Left: why a form cannot ask for it. */
export const fromJsonSchema = (schema: JsonValue): Either.Either<JsonObject, string> => {
  if (!Json.isObject(schema)) return Either.left("is not a schema")
  const type = Json.own(schema, "type")
  if (choicesOf(schema) !== undefined) return Either.right(singleSelect(schema))
  switch (type) {
    case "string":
      return Either.right({ ...labels(schema), ...keep(schema, "minLength", "maxLength"), ...format(schema) })
    case "integer":
    case "number":
      return Either.right({ ...labels(schema), ...keep(schema, "minimum", "maximum") })
    case "boolean":
      return Either.right(labels(schema))
    case "array":
      return multiSelect(schema)
    default:
      return Either.left("is not a string, number, boolean, enum, or list of one")
  }
}

/** Left: what is wrong with the value. */
export const check = (
  field: JsonObject,
  value: JsonValue
): Either.Either<string | number | boolean | ReadonlyArray<string>, string> => {
  switch (Json.own(field, "type")) {
    case "string":
      return typeof value === "string" ? checkString(field, value) : Either.left("is not a string")
    case "integer":
      return Number.isInteger(value) ? checkNumber(field, value) : Either.left("is not an integer")
    case "number":
      return checkNumber(field, value)
    case "boolean":
      return typeof value === "boolean" ? Either.right(value) : Either.left("is not a boolean")
    case "array":
      return checkArray(field, value)
    default:
      return Either.left("is not a field of a form")
  }
}

const singleSelect = (schema: JsonObject): JsonObject => {
  const choices = choicesOf(schema) ?? []
  return {
    ...labels(schema),
    type: "string",
    ...(hasTitles(choices)
      ? { oneOf: titled(choices) }
      : { enum: choices.map(({ value }) => value), ...keep(schema, "enumNames") })
  }
}

const multiSelect = (schema: JsonObject): Either.Either<JsonObject, string> => {
  const items = Json.own(schema, "items")
  const choices = Json.isObject(items) ? choicesOf(items) : undefined
  if (choices === undefined) return Either.left("is a list of something else than given strings")
  return Either.right({
    ...labels(schema),
    ...keep(schema, "minItems", "maxItems"),
    items: hasTitles(choices)
      ? { anyOf: titled(choices) }
      : { type: "string", enum: choices.map(({ value }) => value) }
  })
}

/** Titles that Effect Schema gives its own filters; as the label of a field they would puzzle the user. */
const filterTitle =
  /^(?:int|finite|nonNaN|positive|negative|nonPositive|nonNegative|between|greaterThan(?:OrEqualTo)?|lessThan(?:OrEqualTo)?|multipleOf|minLength|maxLength|length|nonEmptyString|pattern|startsWith|endsWith|includes|trimmed|lowercased|uppercased|capitalized|uncapitalized|minItems|maxItems|itemsCount)(?:\(.*\))?$/

const labels = (schema: JsonObject): JsonObject => {
  const { title, ...rest } = keep(schema, "type", "title", "description", "default")
  return typeof title === "string" && !filterTitle.test(title) ? { ...rest, title } : rest
}

/** Those that a form may name. */
export const formats: ReadonlySet<JsonValue | undefined> = new Set(["email", "uri", "date", "date-time"])

const format = (schema: JsonObject): JsonObject =>
  formats.has(Json.own(schema, "format")) ? keep(schema, "format") : {}

const keep = (schema: JsonObject, ...keywords: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(
    keywords.flatMap((keyword) => {
      const value = Json.own(schema, keyword)
      return value === undefined ? [] : [[keyword, value]]
    })
  )

const limit = (field: JsonObject, keyword: string, otherwise: number): number => {
  const value = Json.own(field, keyword)
  return typeof value === "number" ? value : otherwise
}

const within = (field: JsonObject, size: number, least: string, most: string): boolean =>
  size >= limit(field, least, Number.NEGATIVE_INFINITY) &&
  size <= limit(field, most, Number.POSITIVE_INFINITY)

const checkString = (field: JsonObject, value: string): Either.Either<string, string> => {
  const choices = choicesOf(field)
  if (choices !== undefined && !choices.some((choice) => choice.value === value)) {
    return Either.left("is none of the choices")
  }
  // JSON Schema counts characters, not UTF-16 units.
  if (!within(field, Array.from(value).length, "minLength", "maxLength")) {
    return Either.left("is too short or too long")
  }
  const wanted = Json.own(field, "format")
  return typeof wanted === "string" && !hasFormat(wanted, value)
    ? Either.left(`is not in the format ${wanted}`)
    : Either.right(value)
}

const checkNumber = (field: JsonObject, value: JsonValue): Either.Either<number, string> => {
  if (typeof value !== "number" || !Number.isFinite(value)) return Either.left("is not a number")
  return within(field, value, "minimum", "maximum") ? Either.right(value) : Either.left("is out of range")
}

const checkArray = (field: JsonObject, value: JsonValue): Either.Either<ReadonlyArray<string>, string> => {
  if (!isStrings(value)) return Either.left("is not a list of strings")
  const items = Json.own(field, "items")
  const choices = Json.isObject(items) ? choicesOf(items) : undefined
  if (!value.every((item) => choices?.some((choice) => choice.value === item) === true)) {
    return Either.left("has an item that is none of the choices")
  }
  return within(field, value.length, "minItems", "maxItems")
    ? Either.right(value)
    : Either.left("has too few or too many items")
}

const date = /^(\d{4})-(\d{2})-(\d{2})$/
const dateTime =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d+)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

const hasFormat = (name: string, value: string): boolean => {
  switch (name) {
    case "date":
      return isDate(value)
    case "date-time":
      return isDate(dateTime.exec(value)?.[1] ?? "")
    case "email":
      return /^[^\s@]+@[^\s@]+$/.test(value)
    case "uri":
      return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/.test(value)
    default:
      return true
  }
}

const isDate = (value: string): boolean => {
  const [, year = 0, month = 0, day = 0] = (date.exec(value) ?? []).map(Number)
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  return days !== undefined && day >= 1 && day <= days
}
