/** Presses under idempotency keys, over whatever keeps the keys. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import type { PressKeys } from "../PressKeys.js"
import { PressKeyBusy, PressKeyConflict, PressKeysFailed, PressOutcomeUnknown } from "../PressRefused.js"
import type { PressResult } from "../PressResult.js"
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

interface Holder {
  readonly binding: string
  /** Completed when it lets go. */
  readonly ended: Deferred.Deferred<void>
}

const held = (holder: Holder) => ({ _tag: "Held" as const, holder })
const running = (holder: Holder) => ({ _tag: "Running" as const, holder })
const known = (entry: KeyEntry.KeyEntry | undefined) => ({ _tag: "Known" as const, entry })
/** Another server was faster. */
const lost = { _tag: "Lost" as const }

/** How often the press of another server is looked at. */
const pollMillis = 200
/** What is said to who waited in vain. */
const retryAfterMillis = 10_000

export const make = (driver: Driver, options: Options): PressKeys["Type"] => {
  const { maxKeys = 1_000, ttl = "24 hours", wait = "10 minutes" } = options
  const ttlMillis = Duration.toMillis(ttl)
  const waitMillis = Duration.toMillis(wait)
  /** Who has an id here, from when it asks for its turn until its press has ended. */
  const holders = new Map<string, Holder>()
  /** What came of presses where it could not be kept. */
  const unkept = new Map<string, KeyEntry.KeyEntry>()

  const oneAtATime = Effect.unsafeMakeSemaphore(1).withPermits(1)

  /** What is certain of the press of an entry; one that nobody runs is over. */
  const stateOf = (id: string, owner: string | undefined) => {
    if (owner === undefined) return Effect.succeed("over" as const)
    if (owner === driver.owner)
      return Effect.succeed(holders.has(id) ? ("alive" as const) : ("over" as const))
    return driver.stateOf(owner)
  }
  const prune = oneAtATime(KeyPruning.make(driver, stateOf, maxKeys, ttlMillis))

  /** What there is under an id; what has expired is removed. */
  const find = Effect.fnUntraced(function* (id: string, now: number) {
    const kept = unkept.get(id)
    if (kept !== undefined && Date.parse(kept.expires_at) > now) return known(kept)
    unkept.delete(id)
    const text = yield* driver.read(id)
    if (text === undefined) return undefined
    const entry = KeyEntry.decode(text)
    if (KeyEntry.isExpired(text, now) !== true) return known(entry)
    if (entry?.owner !== undefined && (yield* stateOf(id, entry.owner)) === "alive") return known(entry)
    return (yield* driver.take(id, text)) ? undefined : lost
  })

  const findOrHold = Effect.fnUntraced(function* (id: string, binding: string, now: number) {
    const other = holders.get(id)
    if (other !== undefined) return running(other)
    const found = yield* find(id, now)
    if (found !== undefined) return found
    const holder: Holder = { binding, ended: Deferred.unsafeMake<void>(FiberId.none) }
    holders.set(id, holder)
    return held(holder)
  })

  /** Holds the id, or gives what came of the press that has it. Only the waiting can be interrupted. */
  const claim = Effect.fnUntraced(function* (
    id: string,
    binding: string,
    slug: string,
    pause: (until: Effect.Effect<void>) => Effect.Effect<void>
  ) {
    const since = yield* Clock.currentTimeMillis
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      const found = yield* oneAtATime(findOrHold(id, binding, now))
      if (found._tag === "Lost") continue
      if (found._tag === "Held") return found
      const { entry, holder } = { entry: undefined, holder: undefined, ...found }
      if ((holder ?? entry)?.binding !== binding) return yield* new PressKeyConflict({ slug })
      if (entry?.result !== undefined)
        return { _tag: "Ended" as const, result: StoredResult.toResult(entry.result) }
      if (entry !== undefined && (yield* stateOf(id, entry.owner)) === "over") {
        return yield* new PressOutcomeUnknown({ slug, startedAt: entry.stored_at })
      }
      const left = since + waitMillis - now
      if (left <= 0) return yield* new PressKeyBusy({ slug, retryAfterMillis })
      yield* pause(
        holder === undefined ? Effect.sleep(pollMillis) : atMost(Deferred.await(holder.ended), left)
      )
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

  /** Runs the press whose id is held, and lets it go. Undefined when another server has taken the key meanwhile. */
  const attempt = <E>(
    id: string,
    { binding, ended }: Holder,
    press: (take: Effect.Effect<void, PressKeysFailed>) => Effect.Effect<PressResult, E>,
    restore: (press: Effect.Effect<PressResult, E>) => Effect.Effect<PressResult, E>
  ): Effect.Effect<PressResult | undefined, E> =>
    Effect.gen(function* () {
      let started: KeyEntry.KeyEntry | undefined
      let isLost = false
      const take = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const entry = KeyEntry.running(id, binding, driver.owner, now, ttlMillis)
        isLost = !(yield* driver.create(id, KeyEntry.encode(entry)))
        if (isLost) return yield* new PressKeysFailed({ detail: "another server has taken the key" })
        started = entry
      })
      const exit = yield* Effect.exit(restore(press(Effect.uninterruptible(take))))
      const result = Exit.isSuccess(exit) ? exit.value : undefined
      if (started !== undefined) {
        yield* result?.reason === "not-started" ? free(id) : keep(id, KeyEntry.ended(started, result))
      }
      holders.delete(id)
      yield* Deferred.succeed(ended, undefined)
      return isLost && !Exit.isInterrupted(exit) ? undefined : yield* exit
    })

  return {
    once: (keyed, press) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const secret = yield* driver.secret
          const id = KeyEntry.idOf(secret, keyed)
          for (;;) {
            const claimed = yield* claim(id, KeyEntry.bindingOf(secret, keyed), keyed.slug, restore)
            if (claimed._tag === "Ended") return { ...claimed.result, replayed: true }
            const result = yield* attempt(id, claimed.holder, press, restore)
            yield* prune
            if (result !== undefined) return result
          }
        })
      )
  }
}

const atMost = (effect: Effect.Effect<void>, millis: number): Effect.Effect<void> =>
  Effect.asVoid(Effect.timeoutOption(effect, millis))
