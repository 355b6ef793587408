/**
 * History of the buttons of a definitions file, which have no folder of their own: it is kept below `.pushbutton` of the
 * data folder, and that of all other buttons where it always is.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DataDir } from "../DataDir.js"
import * as Files from "../internal/definitionFiles.js"
import * as Paths from "../internal/paths.js"
import * as PressHistory from "../PressHistory.js"
import { Definitions } from "./Definitions.js"

type History = PressHistory.PressHistory["Type"]

export const folder = (dataDir: DataDir): string => Paths.join(dataDir.root, ".pushbutton", "definitions")

export const layerFileSystem = (
  dataDir: DataDir
): Layer.Layer<PressHistory.PressHistory, never, Definitions> =>
  Layer.scoped(
    PressHistory.PressHistory,
    Effect.gen(function* () {
      const { current } = yield* Definitions
      const ofFolders = yield* historyOf(dataDir)
      const ofFile = yield* historyOf({ ...dataDir, buttons: folder(dataDir) })
      /** The history of a button; one that cannot have a folder finds that out when it writes. */
      const of = (slug: string): Effect.Effect<History> =>
        Effect.flatMap(current, ({ defined }) =>
          defined.buttons.some(({ button }) => button.slug === slug)
            ? Effect.as(Files.makeFolder(Paths.join(folder(dataDir), slug)), ofFile)
            : Effect.succeed(ofFolders)
        )
      return PressHistory.PressHistory.of({
        record: (slug, record) => Effect.flatMap(of(slug), (history) => history.record(slug, record)),
        recent: (slug, limit) => Effect.flatMap(of(slug), (history) => history.recent(slug, limit)),
        openProgress: (slug, startedAt, runId) =>
          Effect.flatMap(of(slug), (history) => history.openProgress(slug, startedAt, runId))
      })
    })
  )

const historyOf = (dataDir: DataDir) =>
  Effect.flatMap(Layer.build(PressHistory.layerFileSystem(dataDir)), (services) =>
    Effect.provide(PressHistory.PressHistory, services)
  )
