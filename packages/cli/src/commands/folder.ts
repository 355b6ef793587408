/** The folder of buttons that a command works on, or its refusal. */
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as Effect from "effect/Effect"
import * as Buttons from "../Buttons.js"
import { type Failed, refuse } from "./Failed.js"

export const folder = (options: {
  readonly dir: string | undefined
  readonly json: boolean
}): Effect.Effect<DataDir, Failed> =>
  Effect.catchAll(Buttons.dataDir(options.dir), ({ message }) =>
    refuse({ code: "STORAGE_ERROR", message }, options.json)
  )
