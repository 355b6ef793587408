/** Forms for the clients of revisions that have them, and what comes back. */
import * as Either from "effect/Either"
import type { JsonObject, JsonValue } from "../../Json.js"
import * as Json from "../../Json.js"
import { project, shape } from "../dialect/shape.js"
import { type Field, type FormVersion, fieldOf } from "./formField.js"

export interface Form {
  readonly params: JsonObject
  readonly readResult: (result: JsonValue) => Either.Either<JsonValue, string>
}

/** Left: the first field that the revision has no way to ask for. */
export const form = (
  version: FormVersion,
  { message, requestedSchema }: { readonly message: string; readonly requestedSchema: JsonObject }
): Either.Either<Form, string> => {
  const properties = Json.own(requestedSchema, "properties")
  const fields: Array<Field> = []
  for (const [name, schema] of Object.entries(Json.isObject(properties) ? properties : {})) {
    const field = fieldOf(version, name, schema)
    if (field === undefined) return Either.left(`revision ${version} has no form for ${JSON.stringify(name)}`)
    fields.push(field)
  }
  const asked = fields.flatMap((field) => Object.entries(field.properties))
  if (new Set(asked.map(([name]) => name)).size < asked.length) {
    return Either.left(`two fields have one name in the form of revision ${version}`)
  }
  const required = requiredOf(requestedSchema)
  const named = fields.flatMap(({ fold, name }) =>
    fold === undefined && required.includes(name) ? [name] : []
  )
  return Either.right({
    params: {
      ...(version === "2025-11-25" ? { mode: "form" } : {}),
      message,
      requestedSchema: {
        ...(version === "2025-11-25" ? project(dialect, requestedSchema) : {}),
        type: "object",
        properties: Object.fromEntries(asked),
        ...(named.length === 0 ? {} : { required: named })
      }
    },
    readResult: (result) => readResult(version, fields, required, result)
  })
}

const dialect = shape({ $schema: true })

const requiredOf = (schema: JsonObject): ReadonlyArray<JsonValue> => {
  const required = Json.own(schema, "required")
  return Array.isArray(required) ? required : []
}

/** Lists that were asked for as several fields are lists again; one that has nothing in it was not filled in. */
const readResult = (
  version: FormVersion,
  fields: ReadonlyArray<Field>,
  required: ReadonlyArray<JsonValue>,
  result: JsonValue
): Either.Either<JsonValue, string> => {
  const content = Json.isObject(result) ? Json.own(result, "content") : undefined
  if (!Json.isObject(result) || !Json.isObject(content)) return Either.right(result)
  if (version === "2025-06-18" && Object.values(content).some(Array.isArray)) {
    return Either.left(`content has a list, which revision ${version} does not have`)
  }
  const values = new Map(Object.entries(content))
  for (const { fold, name, properties } of fields) {
    if (fold === undefined) continue
    const chosen = fold(content)
    for (const part of Object.keys(properties)) values.delete(part)
    if (chosen.length > 0 || required.includes(name)) values.set(name, chosen)
  }
  return Either.right({ ...result, content: Object.fromEntries(values) })
}

/** Agreeing to open a URL has no content. */
export const withoutContent = (result: JsonValue): Either.Either<JsonValue, string> => {
  if (!Json.isObject(result)) return Either.right(result)
  const { content: _, ...rest } = result
  return Either.right(rest)
}
