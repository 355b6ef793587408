import { assert, describe, it } from "@effect/vitest"
import * as RedeemedStates from "@pushbutton/server/RedeemedStates"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"

describe("RedeemedStates", () => {
  describe("layerMemory", () => {
    const check = <A, E>(
      use: (redeem: RedeemedStates.RedeemedStates["Type"]["redeem"]) => Effect.Effect<A, E>
    ) =>
      Effect.flatMap(RedeemedStates.RedeemedStates, ({ redeem }) => use(redeem)).pipe(
        Effect.provide(RedeemedStates.layerMemory)
      )

    it.effect("gives an id to the first who asks", () =>
      check((redeem) =>
        Effect.gen(function* () {
          assert.isTrue(yield* redeem("a", 60_000))
          assert.isFalse(yield* redeem("a", 60_000))
          assert.isTrue(yield* redeem("b", 60_000))
        })
      )
    )

    it.effect("remembers an id until it expires, however many sweeps pass", () =>
      check((redeem) =>
        Effect.gen(function* () {
          yield* redeem("a", 300_001)
          yield* TestClock.adjust("2 minutes")
          yield* redeem("b", 400_000)
          yield* TestClock.adjust("3 minutes")
          assert.isFalse(yield* redeem("a", 300_001))
        })
      )
    )

    it.effect("forgets ids whose states no longer open", () =>
      check((redeem) =>
        Effect.gen(function* () {
          yield* redeem("a", 60_000)
          yield* TestClock.adjust("1 minute")
          assert.isTrue(yield* redeem("a", 60_000))
        })
      )
    )
  })
})
