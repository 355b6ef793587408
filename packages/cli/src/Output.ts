/** What commands print for programs: one JSON document, either the data or an error with a code. */
import * as Console from "effect/Console"
import type * as Effect from "effect/Effect"

export const data = (value: unknown): Effect.Effect<void> =>
  Console.log(JSON.stringify({ ok: true, data: value }, null, 2))

export const failure = (error: { readonly code: string; readonly message: string }): Effect.Effect<void> =>
  Console.log(JSON.stringify({ ok: false, error }, null, 2))
