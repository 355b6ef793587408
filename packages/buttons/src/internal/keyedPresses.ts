/** Presses under idempotency keys, over whatever keeps the keys. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import type { PressKeys } from "../PressKeys.js"
import { PressKeyBusy, PressKeyConflict, type PressKeysFailed, PressOutcomeUnknown } from "../PressRefused.js"
import * as KeyEntry from "./keyEntry.js"
import * as KeyPruning from "./keyPruning.js"
import * as StoredResult from "./storedResult.js"

/** Keeps texts by id. */
export interface Driver {
  /** Who keeps keys here, under a name that nobody else has. */
  readonly owner: string
  /** Nobody else knows it, and it stays the same as long as there are keys. */
  readonly secret: Effect.Effect<string, PressKeysFailed>
  /** What is certain of another. */
  readonly stateOf: (owner: string) => Effect.Effect<"alive" | "over" | "unknown">
  readonly read: (id: string) => Effect.Effect<string | undefined, PressKeysFailed>
  /** False where there is a text already. */
  readonly create: (id: string, text: string) => Effect.Effect<boolean, PressKeysFailed>
  readonly write: (id: string, text: string) => Effect.Effect<void, PressKeysFailed>
  readonly remove: (id: string) => Effect.Effect<void, PressKeysFailed>
  /** Removes a text when it is still this one; false when it is not. */
  readonly take: (id: string, text: string) => Effect.Effect<boolean, PressKeysFailed>
  readonly list: Effect.Effect<
    ReadonlyArray<{ readonly id: string; readonly writtenMillis: number }>,
    PressKeysFailed
  >
}

export interface Options {
  /** How long a key is kept; a day when left out. */
  readonly ttl?: Duration.DurationInput | undefined
  /** How many are kept, about; 1000 when left out. Beyond that, the oldest of those whose press has ended go. */
  readonly maxKeys?: number | undefined
  /** How long the first press is waited for; ten minutes when left out. */
  readonly wait?: Duration.DurationInput | undefined
}

/** How often the press of another server is looked at. */
const pollMillis = 200
/** What is said to who waited in vain. */
const retryAfterMillis = 10_000

export const make = (driver: Driver, options: Options): PressKeys["Type"] => {
  const { maxKeys = 1_000, ttl = "24 hours", wait = "10 minutes" } = options
  const ttlMillis = Duration.toMillis(ttl)
  const waitMillis = Duration.toMillis(wait)
  /** Completed when the press that runs here under an id has ended. */
  const running = new Map<string, Deferred.Deferred<void>>()
  /** What came of presses where it could not be kept. */
  const unkept = new Map<string, KeyEntry.KeyEntry>()

  const oneAtATime = Effect.unsafeMakeSemaphore(1).withPermits(1)

  /** What is certain of the press of an entry; one that nobody runs is over. */
  const stateOf = (id: string, owner: string | undefined) => {
    if (owner === undefined) return Effect.succeed("over" as const)
    if (owner === driver.owner)
      return Effect.succeed(running.has(id) ? ("alive" as const) : ("over" as const))
    return driver.stateOf(owner)
  }
  const prune = oneAtATime(KeyPruning.make(driver, stateOf, maxKeys, ttlMillis))

  /** What there is under an id; what has expired is removed. `lost` when another server was faster. */
  const find = Effect.fnUntraced(function* (id: string, now: number) {
    const kept = unkept.get(id)
    if (kept !== undefined && Date.parse(kept.expires_at) > now) return { entry: kept }
    unkept.delete(id)
    const text = yield* driver.read(id)
    if (text === undefined) return undefined
    const entry = KeyEntry.decode(text)
    if (KeyEntry.isExpired(text, now) !== true) return { entry }
    if (entry?.owner !== undefined && (yield* stateOf(id, entry.owner)) === "alive") return { entry }
    return (yield* driver.take(id, text)) ? undefined : "lost"
  })

  const findOrCreate = Effect.fnUntraced(function* (id: string, fresh: KeyEntry.KeyEntry, now: number) {
    const found = yield* find(id, now)
    if (found !== undefined) return found
    if (!(yield* driver.create(id, KeyEntry.encode(fresh)))) return "lost"
    const ended = Deferred.unsafeMake<void>(FiberId.none)
    running.set(id, ended)
    return { fresh, ended }
  })

  /** Takes the key, or gives what came of the press that has it. Only the waiting can be interrupted. */
  const claim = Effect.fnUntraced(function* (
    id: string,
    binding: string,
    slug: string,
    pause: (until: Effect.Effect<void>) => Effect.Effect<void>
  ) {
    const since = yield* Clock.currentTimeMillis
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      const fresh = KeyEntry.running(id, binding, driver.owner, now, ttlMillis)
      const found = yield* oneAtATime(findOrCreate(id, fresh, now))
      if (found === "lost") continue
      if ("fresh" in found) return found
      const { entry } = found
      if (entry?.binding !== binding) return yield* new PressKeyConflict({ slug })
      if (entry.result !== undefined) return { result: StoredResult.toResult(entry.result) }
      if ((yield* stateOf(id, entry.owner)) === "over") {
        return yield* new PressOutcomeUnknown({ slug, startedAt: entry.stored_at })
      }
      const left = since + waitMillis - now
      if (left <= 0) return yield* new PressKeyBusy({ slug, retryAfterMillis })
      const ended = running.get(id)
      yield* pause(ended === undefined ? Effect.sleep(pollMillis) : atMost(Deferred.await(ended), left))
    }
  })

  /** What cannot be kept is remembered as long as this process lives. */
  const keep = (id: string, entry: KeyEntry.KeyEntry) =>
    Effect.catchAll(driver.write(id, KeyEntry.encode(entry)), ({ detail }) =>
      Effect.zipRight(
        Effect.sync(() => {
          unkept.set(id, entry)
          for (const oldest of unkept.keys()) {
            if (unkept.size <= maxKeys) break
            unkept.delete(oldest)
          }
        }),
        Effect.logWarning(`The result of a press could not be kept for its idempotency key: ${detail}`)
      )
    )

  const free = (id: string) =>
    Effect.catchAll(driver.remove(id), ({ detail }) =>
      Effect.logWarning(`An idempotency key could not be freed: ${detail}`)
    )

  return {
    once: (keyed, press) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const secret = yield* driver.secret
          const id = KeyEntry.idOf(secret, keyed)
          const claimed = yield* claim(id, KeyEntry.bindingOf(secret, keyed), keyed.slug, restore)
          if ("result" in claimed) return { ...claimed.result, replayed: true }
          yield* prune
          let hasStarted = false
          const exit = yield* Effect.exit(
            restore(
              press(
                Effect.sync(() => {
                  hasStarted = true
                })
              )
            )
          )
          const result = Exit.isSuccess(exit) ? exit.value : undefined
          yield* hasStarted && result?.reason !== "not-started"
            ? keep(id, KeyEntry.ended(claimed.fresh, result))
            : free(id)
          running.delete(id)
          yield* Deferred.succeed(claimed.ended, undefined)
          return yield* exit
        })
      )
  }
}

const atMost = (effect: Effect.Effect<void>, millis: number): Effect.Effect<void> =>
  Effect.asVoid(Effect.timeoutOption(effect, millis))
