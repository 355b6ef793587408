/**
 * What follows a record: that it outlives a loss of power, and that no more runs are kept than there may be. Records that
 * come close together share one call to the system for their folder, and nobody waits for it but the end of the server.
 */
import * as Fs from "node:fs"
import { promisify } from "node:util"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as NodeError from "./nodeError.js"
import * as RunPruning from "./runPruning.js"
import * as TextFolder from "./textFolder.js"

/** A loss of power within that time may cost a record that was told of. */
const windowMillis = 20
/** More open files are not kept for the next time. */
const maxWaiting = 64
/** Going through a folder is dear: there may be so many runs too many for a while. */
const pruneEvery = 10

interface Written {
  readonly directory: string
  readonly descriptor: number
}

export interface RunSyncing {
  /** Takes over the open file of a record. */
  readonly written: (directory: string, name: string, descriptor: number) => Effect.Effect<void>
  /** Leaves no more runs in a folder than may be there. */
  readonly prune: (directory: string) => Effect.Effect<void>
}

/** When the scope closes all of it is done. */
export const make = (kept: number) =>
  Effect.gen(function* () {
    let waiting: ReadonlyArray<Written> = []
    /** Runs of each folder since it was pruned, the last one last. */
    const latest = new Map<string, ReadonlyArray<string>>()
    const semaphore = yield* Effect.makeSemaphore(1)
    const wakes = yield* Queue.sliding<void>(1)

    const sync = Effect.suspend(() => {
      const batch = waiting
      waiting = []
      return Effect.promise(() => syncAll(batch))
    }).pipe(
      Effect.flatMap((codes) =>
        codes.length === 0
          ? Effect.void
          : Effect.logWarning(`A loss of power may cost a record: ${codes.join(", ")}`)
      ),
      semaphore.withPermits(1)
    )

    const prune = (directory: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.promise(async () => {
          const names = latest.get(directory)
          if (names === undefined) return
          latest.delete(directory)
          await RunPruning.prune(directory, kept, names, now)
        })
      )

    const pruneFrom = (count: number) =>
      Effect.forEach(
        [...latest].flatMap(([directory, names]) => (names.length < count ? [] : [directory])),
        prune,
        { discard: true }
      )

    yield* Effect.addFinalizer(() =>
      Effect.zipRight(
        sync,
        Effect.suspend(() => pruneFrom(1))
      )
    )
    const worker = Effect.gen(function* () {
      yield* Queue.take(wakes)
      yield* Effect.sleep(windowMillis)
      yield* sync
      yield* pruneFrom(pruneEvery)
    })
    yield* Effect.forkScoped(Effect.forever(worker))

    const syncing: RunSyncing = {
      written: (directory, name, descriptor) =>
        Effect.suspend(() => {
          waiting = [...waiting, { directory, descriptor }]
          latest.set(directory, [...(latest.get(directory) ?? []), name])
          wakes.unsafeOffer(undefined)
          return waiting.length < maxWaiting ? Effect.void : sync
        }),
      prune
    }
    return syncing
  })

const fsync = promisify(Fs.fsync)

/** The codes of what went wrong. What is asked for at once, the system does in one go: first the records, then the folders. */
const syncAll = async (batch: ReadonlyArray<Written>): Promise<ReadonlyArray<string>> => {
  const codes = new Set<string>()
  const note = (error: unknown) => void codes.add(NodeError.code(error))
  await Promise.all(batch.map(({ descriptor }) => syncRecord(descriptor).catch(note)))
  const directories = [...new Set(batch.map((one) => one.directory))]
  await Promise.all(
    directories.map((directory) =>
      // A folder that is gone has no records to lose.
      TextFolder.syncFolder(directory).catch((error) => NodeError.code(error) === "ENOENT" || note(error))
    )
  )
  return [...codes]
}

const syncRecord = async (descriptor: number): Promise<void> => {
  try {
    await fsync(descriptor)
  } finally {
    Fs.closeSync(descriptor)
  }
}
