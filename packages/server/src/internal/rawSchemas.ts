/** The schemas of a tool that brings JSON Schema of its own, and the checks made of them at the first call. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as JsonSchema from "@pushbutton/protocol/JsonSchema"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Immediate from "./immediate.js"
import * as LinearRegExp from "./regExp/LinearRegExp.js"
import { type DefinitionProblem, within } from "./toolSchemas.js"
import * as Validator from "./validation/validator.js"

type Member = "inputSchema" | "outputSchema"

/** Reads a schema that values can be checked against: its regular expressions need bounded time. */
export const document = (
  member: Member,
  schema: JsonObject
): Either.Either<JsonSchema.Document, DefinitionProblem> => {
  const read = JsonSchema.read(schema, member === "inputSchema" ? "object" : "any")
  if (Either.isLeft(read)) return Either.left(within(member, read.left))
  for (const [pointer, source] of JsonSchema.patterns(read.right.subschemas)) {
    const compiled = LinearRegExp.make(source)
    if (Either.isLeft(compiled)) return Either.left(within(member, { pointer, detail: compiled.left }))
  }
  return Either.right(read.right)
}

/** The same, with the checks themselves. */
export const read = (
  member: Member,
  schema: JsonObject
): Either.Either<Effect.Effect<Validator.Validate>, DefinitionProblem> =>
  Either.map(document(member, schema), (read) => once(Validator.make(read)))

/** Interrupted or not, the first to finish provides for all. */
const once = <A>(effect: Effect.Effect<A>): Effect.Effect<A> => {
  let made: Effect.Effect<A> | undefined
  return Immediate.suspend(
    () =>
      made ??
      Effect.tap(effect, (value) => {
        made = Effect.succeed(value)
      })
  )
}
