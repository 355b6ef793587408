import { assert, describe, it } from "@effect/vitest"
import * as PressRates from "@pushbutton/buttons/PressRates"
import * as Effect from "effect/Effect"
import { pressRates } from "./suites/pressRates.js"

pressRates(
  "in memory",
  Effect.sync(() => PressRates.layerMemory({ presses: 3, window: "10 seconds" }))
)

describe("PressRates.layerMemory", () => {
  it.effect("remembers no more pressers than it may, those that pressed last", () =>
    Effect.gen(function* () {
      const rates = yield* PressRates.PressRates
      const press = (principal: string) => Effect.isSuccess(rates.count({ slug: "deploy", principal }))
      assert.isTrue(yield* press("ada"))
      assert.isTrue(yield* press("bob"))
      assert.isFalse(yield* press("ada"))
      // Ada pressed longest ago, and is forgotten.
      assert.isTrue(yield* press("cyd"))
      assert.isFalse(yield* press("bob"))
      assert.isTrue(yield* press("ada"))
    }).pipe(Effect.provide(PressRates.layerMemory({ presses: 1, maxPressers: 2 })))
  )

  it.effect("allows ten presses a minute when nothing else is said", () =>
    Effect.gen(function* () {
      const rates = yield* PressRates.PressRates
      const press = rates.count({ slug: "deploy", principal: undefined })
      for (let count = 0; count < 10; count++) yield* press
      assert.deepInclude({ ...(yield* Effect.flip(press)) }, { presses: 10, retryAfterMillis: 60_000 })
    }).pipe(Effect.provide(PressRates.layerMemory()))
  )
})
