/**
 * Idempotency keys: under one key a press is started once. Who asks again gets the first result, also while the first
 * still runs, and also from another server of the same folder.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DataDir } from "./DataDir.js"
import type * as KeyEntry from "./internal/keyEntry.js"
import * as KeyedPresses from "./internal/keyedPresses.js"
import * as KeyFiles from "./internal/keyFiles.js"
import type { PressKeyRefused, PressKeysFailed } from "./PressRefused.js"
import type { PressResult } from "./PressResult.js"

export type KeyedPress = KeyEntry.KeyedPress
export type Options = KeyedPresses.Options

/** In UTF-16 units. */
export const maxKeyLength = 256

/** What every surface takes for a key. */
export const isKey = (text: string): boolean => text !== "" && text.length <= maxKeyLength

export class PressKeys extends Context.Tag("@pushbutton/buttons/PressKeys")<
  PressKeys,
  {
    /**
     * Runs the press, or answers with what it gave before, which is marked as replayed. The press takes the key right
     * before it starts; where another server was faster, it must not start, and is run again when that is known. One
     * that fails before, or whose program could not be started, leaves the key free; one that had started and gives no
     * result, because it was cancelled or its server died, is not started again: nobody knows how far it came.
     */
    readonly once: <E>(
      keyed: KeyedPress,
      press: (take: Effect.Effect<void, PressKeysFailed>) => Effect.Effect<PressResult, E>
    ) => Effect.Effect<PressResult, E | PressKeyRefused>
  }
>() {}

/** For one process. */
export const layerMemory = (options: Options = {}): Layer.Layer<PressKeys> =>
  Layer.sync(PressKeys, () => PressKeys.of(KeyedPresses.make(memory(), options)))

/** Keeps keys in `idempotency` of the data folder, for the owner only. */
export const layerFileSystem = (dataDir: DataDir, options: Options = {}): Layer.Layer<PressKeys> =>
  Layer.scoped(PressKeys, makeFileSystem(dataDir, options))

export const makeFileSystem = (dataDir: DataDir, options: Options = {}) =>
  Effect.map(KeyFiles.make(dataDir), (driver) => PressKeys.of(KeyedPresses.make(driver, options)))

const memory = (): KeyedPresses.Driver => {
  const entries = new Map<string, { readonly text: string; readonly writtenMillis: number }>()
  const write = (id: string, text: string) =>
    Effect.map(Clock.currentTimeMillis, (writtenMillis) => void entries.set(id, { text, writtenMillis }))
  return {
    owner: "this process",
    secret: Effect.succeed("of this process alone"),
    stateOf: () => Effect.succeed("unknown"),
    read: (id) => Effect.sync(() => entries.get(id)?.text),
    create: (id, text) =>
      Effect.suspend(() => (entries.has(id) ? Effect.succeed(false) : Effect.as(write(id, text), true))),
    write,
    remove: (id) => Effect.sync(() => void entries.delete(id)),
    take: (id, text) => Effect.sync(() => entries.get(id)?.text === text && entries.delete(id)),
    list: Effect.sync(() => Array.from(entries, ([id, { writtenMillis }]) => ({ id, writtenMillis })))
  }
}
