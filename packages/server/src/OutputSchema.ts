/** Checks of values against a tool's output schema, for tools that have to know before they answer. */
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as RawSchemas from "./internal/rawSchemas.js"

/** What is wrong with a value, one line each; nothing when it conforms. */
export type Validate = (value: JsonValue) => ReadonlyArray<string>

/** Why no tool can be registered with a schema; undefined when one can. */
export const problem = (schema: JsonObject): string | undefined =>
  Either.match(RawSchemas.document("outputSchema", schema), {
    onLeft: ({ detail, property }) => `${property} ${detail}`,
    onRight: () => undefined
  })

/** The checks of a schema without a problem; with one it dies. What does the checking is loaded when it is run. */
export const validator = (schema: JsonObject): Effect.Effect<Validate> =>
  Either.getOrElse(RawSchemas.read("outputSchema", schema), ({ detail, property }) =>
    Effect.dieMessage(`${property} ${detail}`)
  )
