/** What is behind every command: where the buttons are, how they are pressed, and what is wrong with them. */
import * as ButtonCatalogue from "@pushbutton/buttons/ButtonCatalogue"
import * as Problem from "@pushbutton/buttons/ButtonProblem"
import * as DataDir from "@pushbutton/buttons/DataDir"
import { Definitions } from "@pushbutton/buttons/definitions/Definitions"
import * as Printable from "@pushbutton/buttons/Printable"
import * as Effect from "effect/Effect"

export { layer, layerAtRest, make, type Services } from "@pushbutton/buttons/Buttons"

/** The folder an option, the environment or the working directory names. Passed-over folders are logged. */
export const dataDir = (
  explicit: string | undefined
): Effect.Effect<DataDir.DataDir, DataDir.DataDirUnusable> =>
  Effect.tap(DataDir.resolve(explicit), ({ passedOver }) =>
    Effect.forEach(passedOver, (folder) =>
      Effect.logWarning(
        `${Printable.line(folder)} was passed over because it belongs to another user; name it with --dir to use it`
      )
    )
  )

/** Logs what is wrong with the definitions file, if there is one. */
export const logDefinitions: Effect.Effect<void, never, Definitions> = Effect.flatMap(
  Definitions,
  ({ current }) =>
    Effect.flatMap(current, ({ problems }) => Effect.forEach(problems, Problem.log, { discard: true }))
)

/** Logs what is wrong with the folder, one line each. */
export const logProblems: Effect.Effect<void, never, ButtonCatalogue.ButtonCatalogue> = Effect.flatMap(
  ButtonCatalogue.ButtonCatalogue,
  ({ list }) =>
    Effect.flatMap(list, ({ problems }) => Effect.forEach(problems, Problem.log, { discard: true }))
)
