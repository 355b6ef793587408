/** What commands print for programs: one JSON document, either the data or an error with a code. */
import * as Printable from "@pushbutton/buttons/Printable"
import * as Console from "effect/Console"
import type * as Effect from "effect/Effect"

export const data = (value: unknown): Effect.Effect<void> =>
  Console.log(Printable.json({ ok: true, data: value }))

export const failure = (error: { readonly code: string; readonly message: string }): Effect.Effect<void> =>
  Console.log(Printable.json({ ok: false, error }))
