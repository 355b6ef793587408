/** What every count of presses does. */
import { assert, describe, it } from "@effect/vitest"
import { PressRates } from "@pushbutton/buttons/PressRates"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"

/** Three presses in ten seconds. */
export type Make = Effect.Effect<Layer.Layer<PressRates>, never, Scope.Scope>

/** A press that starts at once. */
const count = (slug: string, principal?: string) =>
  Effect.flatMap(PressRates, (rates) =>
    Effect.either(Effect.tap(rates.count({ slug, principal }), ({ started }) => started))
  )

const retryAfter = (slug: string, principal?: string) =>
  Effect.map(count(slug, principal), (counted) =>
    Either.isLeft(counted) ? counted.left.retryAfterMillis : undefined
  )

export const pressRates = (name: string, make: Make) => {
  const check = <A, E>(effect: Effect.Effect<A, E, PressRates>) =>
    Effect.flatMap(make, (layer) => Effect.provide(effect, layer))

  describe(`PressRates, ${name}`, () => {
    it.scoped("lets a button be pressed so often, and says when again", () =>
      check(
        Effect.gen(function* () {
          for (const _ of [1, 2, 3]) {
            assert.isUndefined(yield* retryAfter("deploy"))
            yield* TestClock.adjust("1 second")
          }
          const refused = yield* count("deploy")
          assert.deepInclude(Either.isLeft(refused) ? { ...refused.left } : {}, {
            _tag: "PressRateExceeded",
            slug: "deploy",
            presses: 3,
            windowMillis: 10_000,
            retryAfterMillis: 7_000
          })
          yield* TestClock.adjust("6999 millis")
          assert.strictEqual(yield* retryAfter("deploy"), 1)
          yield* TestClock.adjust("1 millis")
          assert.isUndefined(yield* retryAfter("deploy"))
          assert.strictEqual(yield* retryAfter("deploy"), 1_000)
        })
      )
    )

    it.scoped("does not count what it refuses", () =>
      check(
        Effect.gen(function* () {
          for (let press = 0; press < 20; press++) yield* count("deploy")
          yield* TestClock.adjust("10 seconds")
          assert.isUndefined(yield* retryAfter("deploy"))
        })
      )
    )

    it.scoped("counts each button and each principal alone, and those without a name together", () =>
      check(
        Effect.gen(function* () {
          for (const _ of [1, 2, 3]) {
            yield* count("deploy", "ada")
            yield* count("deploy")
          }
          assert.isDefined(yield* retryAfter("deploy", "ada"))
          assert.isDefined(yield* retryAfter("deploy"))
          assert.isUndefined(yield* retryAfter("deploy", "bob"))
          assert.isUndefined(yield* retryAfter("other", "ada"))
        })
      )
    )

    it.scoped("counts a press that waits as if it were to start now, and from when it starts", () =>
      check(
        Effect.gen(function* () {
          const rates = yield* PressRates
          const waiting = yield* Effect.all(
            [1, 2, 3].map(() => rates.count({ slug: "deploy", principal: undefined }))
          )
          yield* TestClock.adjust("9 seconds")
          yield* waiting[0]?.started ?? Effect.void
          yield* TestClock.adjust("9 seconds")
          assert.strictEqual(yield* retryAfter("deploy"), 1_000)
          yield* waiting[1]?.started ?? Effect.void
          yield* TestClock.adjust("1 second")
          // One has waited all the time, one started a second ago, and one is ten seconds old.
          assert.isUndefined(yield* retryAfter("deploy"))
          assert.strictEqual(yield* retryAfter("deploy"), 9_000)
        })
      )
    )

    it.scoped("takes a press back that came to nothing", () =>
      check(
        Effect.gen(function* () {
          const rates = yield* PressRates
          yield* rates.count({ slug: "deploy", principal: undefined })
          const { giveBack } = yield* rates.count({ slug: "deploy", principal: undefined })
          yield* rates.count({ slug: "deploy", principal: undefined })
          yield* giveBack
          yield* giveBack
          assert.isUndefined(yield* retryAfter("deploy"))
          assert.isDefined(yield* retryAfter("deploy"))
        })
      )
    )
  })
}
