/** `pushbutton enable` and `pushbutton disable` */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import { ButtonWriter } from "@pushbutton/buttons/ButtonWriter"
import { toWriteFailure } from "@pushbutton/buttons/WriteRefused"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as ButtonSource from "../ButtonSource.js"
import * as Output from "../Output.js"
import { refuse } from "./Failed.js"
import { definitions, dir, json } from "./options.js"
import { sourceOf } from "./sourceOf.js"

const name = Args.text({ name: "NAME" }).pipe(Args.withDescription("The button."))

const setting = (command: string, isEnabled: boolean, words: string) =>
  Command.make(command, { name, dir, definitions, json }, (options) =>
    Effect.gen(function* () {
      const source = yield* sourceOf(options)
      const { hasChanged, slug } = yield* Effect.provide(
        Effect.flatMap(ButtonWriter, (writer) => writer.setEnabled(options.name, isEnabled)),
        ButtonSource.layerAtRest(source)
      ).pipe(Effect.catchAll((error) => refuse(toWriteFailure(error), options.json)))
      yield* options.json
        ? Output.data({ name: slug, mcp_enabled: isEnabled, changed: hasChanged })
        : Console.log(`${slug}: clients ${hasChanged ? "now" : "already"} ${words}`)
    })
  )

export const enable = setting("enable", true, "see it").pipe(
  Command.withDescription(
    "Lets clients see a button and press it. Only `mcp_enabled` and `updated_at` change."
  )
)

export const disable = setting("disable", false, "do not see it").pipe(
  Command.withDescription("Hides a button from clients. Only `mcp_enabled` and `updated_at` change.")
)
