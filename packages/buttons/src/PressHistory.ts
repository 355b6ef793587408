/**
 * What was pressed: the newest 100 runs of each button, each kept whole or not at all. Two runs that start in the same
 * millisecond are two runs.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { HistoryUnwritable } from "./ButtonError.js"
import type { DataDir } from "./DataDir.js"
import * as RunFiles from "./internal/runFiles.js"
import {
  bounded,
  decode,
  encode,
  type NewPressRecord,
  newestFirst,
  type PressRecord,
  runName
} from "./PressRecord.js"
import * as Slug from "./Slug.js"

export const keptRuns = 100

export class PressHistory extends Context.Tag("@pushbutton/buttons/PressHistory")<
  PressHistory,
  {
    /** Not interruptible once begun. Texts beyond 1 MiB are cut. */
    readonly record: (slug: string, record: NewPressRecord) => Effect.Effect<void, HistoryUnwritable>
    /** Newest first. What cannot be read is left out; a button without history has none. */
    readonly recent: (slug: string, limit: number) => Effect.Effect<ReadonlyArray<PressRecord>>
    /**
     * The absolute path of a new, empty file beside the record that the run will get, or undefined where there can be
     * none. It is removed together with that record.
     */
    readonly openProgress: (
      slug: string,
      startedAt: string,
      runId: string
    ) => Effect.Effect<string | undefined>
  }
>() {}

/** Keeps runs in `pressed/` of each button's folder: folder 0700, files 0600, written beside and renamed. */
export const layerFileSystem = (dataDir: DataDir): Layer.Layer<PressHistory> =>
  Layer.succeed(
    PressHistory,
    PressHistory.of({
      record: (slug, record) => {
        const name = runName(record.started_at, record.run_id)
        return RunFiles.write(dataDir.buttons, checked(slug), name, encode(bounded(record))).pipe(
          Effect.mapError((detail) => new HistoryUnwritable({ slug, detail })),
          Effect.zipRight(RunFiles.prune(dataDir.buttons, checked(slug), keptRuns)),
          Effect.uninterruptible
        )
      },
      recent: (slug, limit) =>
        Effect.map(
          RunFiles.read(dataDir.buttons, checked(slug), limit, (text) => Either.getRight(decode(text))),
          newestFirst
        ),
      openProgress: (slug, startedAt, runId) =>
        RunFiles.createProgress(dataDir.buttons, checked(slug), runName(startedAt, runId))
    })
  )

export const layerMemory: Layer.Layer<PressHistory> = Layer.sync(PressHistory, () => {
  const runs = new Map<string, ReadonlyMap<string, PressRecord>>()
  return PressHistory.of({
    record: (slug, record) =>
      Effect.sync(() => {
        const all = new Map(runs.get(slug)).set(runName(record.started_at, record.run_id), bounded(record))
        runs.set(slug, new Map([...all].sort(([one], [other]) => (one < other ? 1 : -1)).slice(0, keptRuns)))
      }),
    recent: (slug, limit) =>
      Effect.sync(() => newestFirst([...(runs.get(slug)?.values() ?? [])].slice(0, Math.max(0, limit)))),
    openProgress: () => Effect.succeed(undefined)
  })
})

/** A slug stays inside the folder of buttons; any other text is made one. */
const checked = (slug: string): string => Slug.fromName(slug) || "-"
