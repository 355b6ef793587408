/**
 * Questions to the user: a flat form to fill in, or a URL to open. A form's fields are primitives and enums; what
 * the user answers is data from outside until `readResult` has checked it.
 */
import * as Either from "effect/Either"
import * as Field from "./internal/formField.js"
import type { JsonObject, JsonValue } from "./Json.js"
import * as Json from "./Json.js"

type Described = { readonly title?: string; readonly description?: string }

export type StringField = Described & {
  readonly type: "string"
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: "email" | "uri" | "date" | "date-time"
  readonly default?: string
}

export type NumberField = Described & {
  readonly type: "number" | "integer"
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

export type BooleanField = Described & { readonly type: "boolean"; readonly default?: boolean }

/** A value and what the user sees of it. */
export type Choice = { readonly const: string; readonly title: string }

/** One of some strings. `enumNames` is the old way to title them. */
export type EnumField = Described & {
  readonly type: "string"
  readonly enum: ReadonlyArray<string>
  readonly enumNames?: ReadonlyArray<string>
  readonly default?: string
}

export type TitledEnumField = Described & {
  readonly type: "string"
  readonly oneOf: ReadonlyArray<Choice>
  readonly default?: string
}

/** Several of some strings. */
export type MultiSelectField = Described & {
  readonly type: "array"
  readonly items:
    | { readonly type: "string"; readonly enum: ReadonlyArray<string> }
    | { readonly anyOf: ReadonlyArray<Choice> }
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: ReadonlyArray<string>
}

export type FormField =
  | StringField
  | NumberField
  | BooleanField
  | EnumField
  | TitledEnumField
  | MultiSelectField

export type FormSchema = {
  readonly type: "object"
  readonly properties: { readonly [name: string]: FormField }
  readonly required?: ReadonlyArray<string>
}

export type FormContent = { readonly [name: string]: string | number | boolean | ReadonlyArray<string> }

export type FormRequest = {
  readonly method: "elicitation/create"
  readonly params: { readonly mode: "form"; readonly message: string; readonly requestedSchema: JsonObject }
}

export type UrlRequest = {
  readonly method: "elicitation/create"
  readonly params: { readonly mode: "url"; readonly message: string; readonly url: string }
}

export type Request = FormRequest | UrlRequest

/** For a URL, `accept` means that the user agreed to open it, not that anything was done there. */
export type Result =
  | { readonly action: "accept"; readonly content: JsonObject | undefined }
  | { readonly action: "decline" }
  | { readonly action: "cancel" }

export const form = (message: string, schema: JsonObject): FormRequest => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema: schema }
})

export const url = (message: string, address: string): UrlRequest => ({
  method: "elicitation/create",
  params: { mode: "url", message, url: address }
})

/** Absolute, with a host, and without user information or blanks. */
export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s/?#@\\]+(?:[/?#][^\s\\]*)?$/i.test(text)

/**
 * The form that asks for an object of this JSON Schema. Keywords a form lacks are left out, so the answer still has
 * to be checked against the schema it came from. Left: the first property that no form can ask for.
 */
export const formSchema = (schema: JsonObject): Either.Either<JsonObject, string> => {
  const properties = Json.own(schema, "properties")
  if (Json.own(schema, "type") !== "object") return Either.left("has to be an object at the top")
  if (properties !== undefined && !Json.isObject(properties))
    return Either.left("properties is not an object")
  const fields: Array<readonly [string, JsonObject]> = []
  for (const [name, property] of Object.entries(properties ?? {})) {
    const field = Field.fromJsonSchema(property)
    if (Either.isLeft(field)) return Either.left(`property ${JSON.stringify(name)} ${field.left}`)
    fields.push([name, field.right])
  }
  const required = requiredOf(schema)
  return Either.right({
    type: "object",
    properties: Object.fromEntries(fields),
    ...(required.length === 0 ? {} : { required })
  })
}

/** The checked result of an elicitation. Left: why it is not one. */
export const readResult = (response: JsonValue): Either.Either<Result, string> => {
  if (!Json.isObject(response)) return Either.left("the response is not an object")
  const content = Json.own(response, "content")
  switch (Json.own(response, "action")) {
    case "accept":
      return content === undefined || Json.isObject(content)
        ? Either.right({ action: "accept", content })
        : Either.left("content is not an object")
    case "decline":
      return Either.right({ action: "decline" })
    case "cancel":
      return Either.right({ action: "cancel" })
    default:
      return Either.left("action is none of accept, decline and cancel")
  }
}

/** The fields of a form as the user filled it in; what was not asked for is dropped. Left: the first field that is wrong. */
export const readContent = (schema: JsonObject, content: JsonObject): Either.Either<FormContent, string> => {
  const required = requiredOf(schema)
  const properties = Json.own(schema, "properties")
  const values: Array<readonly [string, FormContent[string]]> = []
  for (const [name, field] of Object.entries(Json.isObject(properties) ? properties : {})) {
    const value = Json.own(content, name)
    if (value === undefined) {
      if (required.includes(name)) return Either.left(`${JSON.stringify(name)} is missing`)
      continue
    }
    const checked = Field.check(Json.isObject(field) ? field : {}, value)
    if (Either.isLeft(checked)) return Either.left(`${JSON.stringify(name)} ${checked.left}`)
    values.push([name, checked.right])
  }
  return Either.right(Object.fromEntries(values))
}

const requiredOf = (schema: JsonObject): ReadonlyArray<string> => {
  const required = Json.own(schema, "required")
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : []
}
