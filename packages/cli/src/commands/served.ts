/** What a command works on, or its refusal. */
import * as Effect from "effect/Effect"
import * as Served from "../Served.js"
import { type Failed, refuse } from "./Failed.js"

export const served = (
  options: Served.Options & { readonly json: boolean }
): Effect.Effect<Served.Served, Failed> =>
  Effect.catchAll(Served.resolve(options), ({ message }) =>
    refuse({ code: "STORAGE_ERROR", message }, options.json)
  )
