/** The layers behind every command: where the buttons are, and how they are pressed. */
import * as ButtonCatalogue from "@pushbutton/buttons/ButtonCatalogue"
import * as Problem from "@pushbutton/buttons/ButtonProblem"
import * as DataDir from "@pushbutton/buttons/DataDir"
import * as Press from "@pushbutton/buttons/Press"
import * as PressHistory from "@pushbutton/buttons/PressHistory"
import * as PressRunner from "@pushbutton/buttons/PressRunner"
import * as RunIds from "@pushbutton/buttons/RunIds"
import * as Runtime from "@pushbutton/buttons/Runtime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export type Services = ButtonCatalogue.ButtonCatalogue | Press.Press | PressHistory.PressHistory

export const layer = (dataDir: DataDir.DataDir): Layer.Layer<Services> =>
  Press.layerProcess().pipe(
    Layer.provideMerge(
      Layer.mergeAll(ButtonCatalogue.layerFileSystem(dataDir), PressHistory.layerFileSystem(dataDir))
    ),
    Layer.provide(
      Layer.mergeAll(PressRunner.layerProcess(), Runtime.layerPath(process.env["PATH"]), RunIds.layerRandom)
    )
  )

/** The folder an option, the environment or the working directory names. Passed-over folders are logged. */
export const dataDir = (explicit: string | undefined): Effect.Effect<DataDir.DataDir> =>
  Effect.tap(DataDir.resolve(explicit), ({ passedOver }) =>
    Effect.forEach(passedOver, (folder) =>
      Effect.logWarning(
        `${folder} was passed over because it belongs to another user; name it with --dir to use it`
      )
    )
  )

/** Logs what is wrong with the folder, one line each. */
export const logProblems: Effect.Effect<void, never, ButtonCatalogue.ButtonCatalogue> = Effect.flatMap(
  ButtonCatalogue.ButtonCatalogue,
  ({ list }) =>
    Effect.flatMap(list, ({ problems }) =>
      Effect.forEach(
        problems,
        (problem) =>
          problem.severity === "error"
            ? Effect.logError(Problem.format(problem))
            : Effect.logWarning(Problem.format(problem)),
        { discard: true }
      )
    )
)
