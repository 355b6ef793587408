/** Everything about one folder of buttons, for whoever serves it: what is in it, pressing, and what was pressed. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ButtonCatalogue from "./ButtonCatalogue.js"
import type { DataDir } from "./DataDir.js"
import * as HostFacts from "./internal/hostFacts.js"
import * as Press from "./Press.js"
import * as PressHistory from "./PressHistory.js"
import * as PressRunner from "./PressRunner.js"
import * as RunIds from "./RunIds.js"
import * as Runtime from "./Runtime.js"

export type Services = ButtonCatalogue.ButtonCatalogue | Press.Press | PressHistory.PressHistory

export interface Options extends Press.ProcessOptions {
  /** How long what belongs to the end of a press may take. */
  readonly runner?: PressRunner.Options | undefined
}

/** Reads and writes the folder, and runs its buttons as processes. Environment and PATH are those of this process. */
export const layer = (dataDir: DataDir, options: Options = {}): Layer.Layer<Services> =>
  Press.layerProcess(options).pipe(
    Layer.provideMerge(
      Layer.mergeAll(ButtonCatalogue.layerFileSystem(dataDir), PressHistory.layerFileSystem(dataDir))
    ),
    Layer.provide(Layer.mergeAll(PressRunner.layerProcess(options.runner), interpreters, RunIds.layerRandom))
  )

const interpreters = Layer.unwrapEffect(
  Effect.map(HostFacts.environment, (environment) => Runtime.layerPath(environment["PATH"]))
)
