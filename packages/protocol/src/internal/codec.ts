/**
 * The pieces wire codecs are made of. A codec checks and keeps what was sent: the value that comes out is the
 * object that went in, unknown members included. Why it fails is one clause that quotes no peer input.
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { JsonObject } from "../Json.js"
import * as Json from "../Json.js"
import type { RequestId } from "../JsonRpc.js"
import * as JsonRpc from "../JsonRpc.js"

const expected = (message: string) => ({ message: () => ({ message, override: true }) })

export const string: Schema.Schema<string> = Schema.String.annotations(expected("must be a string"))

export const boolean: Schema.Schema<boolean> = Schema.Boolean.annotations(expected("must be a boolean"))

export const object: Schema.Schema<JsonObject> = Schema.declare(Json.isObject).annotations({
  ...expected("must be an object"),
  arbitrary: () => (fc) =>
    fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)))
})

/** A string or an integer, as request ids and progress tokens are. */
export const token: Schema.Schema<RequestId> = Schema.declare(JsonRpc.isRequestId).annotations({
  ...expected("must be a string or an integer"),
  arbitrary: () => (fc) => fc.oneof(fc.string(), fc.integer())
})

export const oneOf = <const Values extends ReadonlyArray<string>>(
  ...values: Values
): Schema.Schema<Values[number]> =>
  Schema.Literal(...values).annotations(expected(`must be one of ${values.join(", ")}`))

export const array = <A>(item: Schema.Schema<A>): Schema.Schema<ReadonlyArray<A>> =>
  Schema.Array(item).annotations({ message: () => "must be an array" })

export const optional = <A>(schema: Schema.Schema<A>) => Schema.optionalWith(schema, { exact: true })

export const struct = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotations({ message: () => "must be an object" })

/**
 * Builds the decoder of a schema without transformations; `name` is what the value is called in the failure.
 * `isPlain` is asked first: a check by hand for the form that most values have, true only of what the schema takes.
 */
export const decoder = <A>(
  schema: Schema.Schema<A>,
  name: string,
  isPlain: (value: unknown) => value is A = never
) => {
  const is = Schema.is(schema)
  const explain = ParseResult.decodeUnknownEither(schema, { exact: true })
  return (value: unknown): Either.Either<A, string> => {
    if (isPlain(value) || is(value)) return Either.right(value)
    const explained = explain(value)
    return Either.left(Either.isLeft(explained) ? clause(name, explained.left) : `${name} is invalid`)
  }
}

const never = (_: unknown): _ is never => false

const clause = (name: string, issue: ParseResult.ParseIssue): string => {
  const [first] = ParseResult.ArrayFormatter.formatIssueSync(issue)
  if (first === undefined) return `${name} is invalid`
  let path = name
  for (const step of first.path) {
    if (typeof step === "number") path += `[${step}]`
    else path += /^\w+$/.test(String(step)) ? `.${String(step)}` : `[${JSON.stringify(step)}]`
  }
  return `${path} ${first.message}`
}
