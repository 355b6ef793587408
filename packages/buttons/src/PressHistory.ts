/**
 * What was pressed: of each button the 100 runs that ended last, each kept whole or not at all. Two runs that start in
 * the same millisecond are two runs.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { HistoryUnwritable } from "./ButtonError.js"
import type { DataDir } from "./DataDir.js"
import * as NodeError from "./internal/nodeError.js"
import * as RunFiles from "./internal/runFiles.js"
import * as RunFolders from "./internal/runFolders.js"
import * as RunSyncing from "./internal/runSyncing.js"
import {
  bounded,
  decode,
  encode,
  type NewPressRecord,
  newestFirst,
  type PressRecord,
  runName
} from "./PressRecord.js"
import type { Origin } from "./PressResult.js"
import * as Slug from "./Slug.js"

export const keptRuns = 100

export class PressHistory extends Context.Tag("@pushbutton/buttons/PressHistory")<
  PressHistory,
  {
    /**
     * Not interruptible once begun. A run that has a record keeps the one it has. Texts beyond 1 MiB are cut. Of the runs
     * beyond 100, those go that ended first. A record outlives the process when this completes, and a loss of power a
     * moment later, at the latest when the layer has closed.
     */
    readonly record: (
      slug: string,
      record: NewPressRecord,
      origin?: Origin
    ) => Effect.Effect<void, HistoryUnwritable>
    /**
     * Newest first; what says that it began in the future comes last. What cannot be read is left out; a button without
     * history has none.
     */
    readonly recent: (
      slug: string,
      limit: number,
      origin?: Origin
    ) => Effect.Effect<ReadonlyArray<PressRecord>>
    /**
     * The absolute path of a new, empty file beside the record that the run will get, or undefined where there can be
     * none. It stays while the scope is open, and is removed together with the record, or with the scope when there is
     * no record by then.
     */
    readonly openProgress: (
      slug: string,
      startedAt: string,
      runId: string,
      origin?: Origin
    ) => Effect.Effect<string | undefined, never, Scope.Scope>
    /** Removes what a server that died has left of a record that it had not written. What cannot be removed stays. */
    readonly clearUnfinished: (
      slug: string,
      startedAt: string,
      runId: string,
      origin?: Origin
    ) => Effect.Effect<void>
  }
>() {}

/**
 * Keeps runs in `pressed/` of each button's folder, and those of the buttons of a definitions file, which have no folder of
 * their own, below `.pushbutton` of the data folder: folder 0700, files 0600, written beside and renamed.
 */
export const layerFileSystem = (dataDir: DataDir): Layer.Layer<PressHistory> =>
  Layer.scoped(PressHistory, makeFileSystem(dataDir))

export const makeFileSystem = (dataDir: DataDir): Effect.Effect<PressHistory["Type"], never, Scope.Scope> =>
  Effect.map(RunSyncing.make(keptRuns), (syncing) =>
    PressHistory.of({
      record: (slug, record, origin = "folder") => {
        if (origin === "resource") return Effect.void
        const name = runName(record.started_at, record.run_id)
        return Effect.try({
          try: () => {
            const directory = RunFolders.make(dataDir, checked(slug), origin)
            return { directory, descriptor: RunFiles.write(directory, name, encode(bounded(record))) }
          },
          catch: (error) => new HistoryUnwritable({ slug, detail: NodeError.code(error) })
        }).pipe(
          Effect.flatMap(({ descriptor, directory }) =>
            descriptor === undefined ? Effect.void : syncing.written(directory, name, descriptor)
          ),
          Effect.uninterruptible
        )
      },
      recent: Effect.fnUntraced(function* (slug, limit, origin = "folder") {
        const directory = RunFolders.pathOf(dataDir, checked(slug), origin)
        if (directory === undefined) return []
        yield* syncing.prune(directory)
        const now = yield* Clock.currentTimeMillis
        const records = yield* RunFiles.read(directory, limit, latestName(now), (text) =>
          Either.getRight(decode(text))
        )
        return newestFirst(records, now)
      }),
      openProgress: (slug, startedAt, runId, origin = "folder") =>
        origin === "resource"
          ? Effect.succeed(undefined)
          : RunFiles.openProgress(
              () => RunFolders.make(dataDir, checked(slug), origin),
              runName(startedAt, runId)
            ),
      clearUnfinished: (slug, startedAt, runId, origin = "folder") =>
        origin === "resource"
          ? Effect.void
          : Effect.sync(() =>
              RunFiles.clearUnfinished(
                () => RunFolders.make(dataDir, checked(slug), origin),
                runName(startedAt, runId)
              )
            )
    })
  )

export const layerMemory: Layer.Layer<PressHistory> = Layer.sync(PressHistory, () => {
  // In the order in which they were recorded.
  const runs = new Map<string, ReadonlyArray<PressRecord>>()
  return PressHistory.of({
    record: (slug, record, origin) =>
      Effect.sync(() => {
        if (origin === "resource") return
        const before = runs.get(slug) ?? []
        if (before.some(({ run_id }) => run_id === record.run_id)) return
        runs.set(slug, [...before, bounded(record)].slice(-keptRuns))
      }),
    recent: (slug, limit) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        newestFirst(runs.get(slug) ?? [], now).slice(0, Math.max(0, limit))
      ),
    openProgress: () => Effect.succeed(undefined),
    clearUnfinished: () => Effect.void
  })
})

/** Names of other writers may tell the time of another zone, so a day is granted. */
const latestName = (nowMillis: number): string => runName(new Date(nowMillis + 86_400_000).toISOString(), "")

/** A slug stays inside the folder of buttons; any other text is made one. */
const checked = (slug: string): string => Slug.fromName(slug) || "-"
