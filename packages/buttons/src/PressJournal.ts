/**
 * Which presses run, noted where it outlives the server: a server that dies without a chance to end its presses leaves
 * notes, and the next one finds by them what to end.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { DataDir } from "./DataDir.js"
import * as JournalFiles from "./internal/journalFiles.js"
import type { Run } from "./PressResult.js"
import type { Leader } from "./PressRunner.js"

export interface Note {
  /** Before anything starts. What a program starts will bear the mark; a request has none. */
  readonly starting: (mark?: string) => Effect.Effect<void>
  readonly started: (leader: Leader) => Effect.Effect<void>
}

export class PressJournal extends Context.Tag("@pushbutton/buttons/PressJournal")<
  PressJournal,
  {
    /** The note is gone when the scope has closed. A press that cannot be noted goes on; that is logged. */
    readonly open: (run: Run) => Effect.Effect<Note, never, Scope.Scope>
    /**
     * Ends all that runs of presses whose server has died, and gives them. Presses of servers that live, or of which
     * nothing is known, are left alone. Two servers may do this at once.
     */
    readonly endAbandoned: Effect.Effect<ReadonlyArray<Abandoned>>
  }
>() {}

export interface Abandoned {
  readonly run: Run
  /** Removes the note. */
  readonly forget: Effect.Effect<void>
}

/** Keeps notes in `.pushbutton/running` of the data folder, for the owner only. */
export const layerFileSystem = (dataDir: DataDir): Layer.Layer<PressJournal> =>
  Layer.scoped(PressJournal, makeFileSystem(dataDir))

export const makeFileSystem = (dataDir: DataDir) =>
  Effect.map(JournalFiles.make(dataDir.root), PressJournal.of)

/** Notes nothing. */
export const layerTest: Layer.Layer<PressJournal> = Layer.succeed(
  PressJournal,
  PressJournal.of({
    open: () => Effect.succeed({ starting: () => Effect.void, started: () => Effect.void }),
    endAbandoned: Effect.succeed([])
  })
)
