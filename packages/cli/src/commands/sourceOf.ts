/** Where a command finds buttons, or its refusal. */
import * as Effect from "effect/Effect"
import * as ButtonSource from "../ButtonSource.js"
import { type Failed, refuse } from "./Failed.js"

export const sourceOf = (
  options: ButtonSource.Options & { readonly json: boolean }
): Effect.Effect<ButtonSource.ButtonSource, Failed> =>
  Effect.catchAll(ButtonSource.resolve(options), ({ message }) =>
    refuse({ code: "STORAGE_ERROR", message }, options.json)
  )
