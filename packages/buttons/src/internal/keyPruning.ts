/** Which idempotency keys are kept. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PressKeysFailed } from "../PressRefused.js"
import * as KeyEntry from "./keyEntry.js"
import type { Driver } from "./keyedPresses.js"

/** Looking through all keys is dear: it is done for one new key in this many. */
const interval = 50

type StateOf = (id: string, owner: string | undefined) => ReturnType<Driver["stateOf"]>

/**
 * Removes, now and then, what has expired, and beyond the limit the oldest keys whose press has ended. What cannot be
 * removed stays until the next time.
 */
export const make = (
  driver: Driver,
  stateOf: StateOf,
  maxKeys: number,
  ttlMillis: number
): Effect.Effect<void> => {
  let count = 0
  return Effect.suspend(() =>
    count++ % interval === 0 ? Effect.ignore(prune(driver, stateOf, maxKeys, ttlMillis)) : Effect.void
  )
}

const prune = (
  driver: Driver,
  stateOf: StateOf,
  maxKeys: number,
  ttlMillis: number
): Effect.Effect<void, PressKeysFailed> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const oldestFirst = [...(yield* driver.list)].sort(
      (one, other) => one.writtenMillis - other.writtenMillis
    )
    let surplus = oldestFirst.length - maxKeys
    for (const { id, writtenMillis } of oldestFirst) {
      const isOld = now - writtenMillis >= ttlMillis
      if (!isOld && surplus <= 0) return
      const text = yield* driver.read(id)
      if (text === undefined) continue
      const entry = KeyEntry.decode(text)
      const state = entry === undefined ? "unknown" : yield* stateOf(id, entry.owner)
      const isExpired = isOld && state !== "alive" && KeyEntry.isExpired(text, now) !== false
      if (!isExpired && !(surplus > 0 && state === "over")) continue
      yield* driver.take(id, text)
      surplus--
    }
  })
