/** Checks values against a tool's output schema, for tools that have to know before they answer. */
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as RawSchemas from "./internal/rawSchemas.js"

/** What is wrong with a value, one line each; nothing when it conforms. */
export type Check = (value: JsonValue) => Effect.Effect<ReadonlyArray<string>>

/** Left: why no tool could be registered with this schema. The validator is loaded by the first check. */
export const check = (schema: JsonObject): Either.Either<Check, string> =>
  Either.mapBoth(RawSchemas.read("outputSchema", schema), {
    onLeft: ({ detail, property }) => `${property} ${detail}`,
    onRight: (validate) => (value) => Effect.map(validate, (problems) => problems(value))
  })
