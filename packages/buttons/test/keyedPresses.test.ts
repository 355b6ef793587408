/** Servers that share keys, and come between each other's steps. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as KeyedPresses from "../src/internal/keyedPresses.js"
import { keyed, result } from "./suites/pressKeys.js"

const driver = (
  texts: Map<string, string>,
  owner: string,
  fields: Partial<KeyedPresses.Driver> = {}
): KeyedPresses.Driver => ({
  owner,
  secret: Effect.succeed("shared"),
  stateOf: () => Effect.succeed("alive"),
  read: (id) => Effect.sync(() => texts.get(id)),
  create: (id, text) => Effect.sync(() => !texts.has(id) && texts.set(id, text) === texts),
  write: (id, text) => Effect.sync(() => void texts.set(id, text)),
  remove: (id) => Effect.sync(() => void texts.delete(id)),
  take: (id, text) => Effect.sync(() => texts.get(id) === text && texts.delete(id)),
  list: Effect.sync(() => Array.from(texts.keys(), (id) => ({ id, writtenMillis: 0 }))),
  ...fields
})

const once = (keys: ReturnType<typeof KeyedPresses.make>, runId: string) =>
  keys.once(keyed(), (take) => Effect.as(take, result({ runId })))

describe("keyedPresses", () => {
  it.effect("takes nothing away that another server wrote since it looked", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      const hasRead = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const fast = KeyedPresses.make(driver(texts, "fast"), { ttl: "1 hour" })
      const slow = KeyedPresses.make(
        driver(texts, "slow", {
          read: (id) =>
            Effect.sync(() => texts.get(id)).pipe(
              Effect.zipLeft(Deferred.succeed(hasRead, undefined)),
              Effect.zipLeft(Deferred.await(goOn))
            )
        }),
        { ttl: "1 hour" }
      )
      yield* once(fast, "old")
      yield* TestClock.adjust("1 hour")
      const late = yield* Effect.fork(once(slow, "late"))
      yield* Deferred.await(hasRead)
      assert.isUndefined((yield* once(fast, "new")).replayed)
      yield* Deferred.succeed(goOn, undefined)
      assert.deepInclude(yield* Fiber.join(late), { runId: "new", replayed: true })
    })
  )

  it.effect("writes nothing of a press that does not start", () =>
    Effect.gen(function* () {
      const keys = KeyedPresses.make(
        driver(new Map(), "one", {
          create: () => Effect.die("was written"),
          write: () => Effect.die("was written")
        }),
        {}
      )
      assert.strictEqual(yield* Effect.flip(keys.once(keyed(), () => Effect.fail("refused"))), "refused")
    })
  )

  it.effect("gives what another server ran that took the key while this one waited for its turn", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      const [one, other] = ["one", "other"].map((owner) => KeyedPresses.make(driver(texts, owner), {}))
      if (one === undefined || other === undefined) return assert.fail()
      let starts = 0
      const late = yield* one.once(keyed(), (take) =>
        once(other, "first").pipe(
          Effect.zipRight(take),
          Effect.zipRight(Effect.sync(() => starts++)),
          Effect.as(result({ runId: "late" }))
        )
      )
      assert.deepInclude(late, { runId: "first", replayed: true })
      assert.strictEqual(starts, 0)
      assert.deepInclude(yield* once(one, "later"), { runId: "first", replayed: true })
    })
  )
})
