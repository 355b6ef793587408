/** How many presses of agents run at the same time. */
import { assert, describe, it } from "@effect/vitest"
import * as PressSlots from "@pushbutton/buttons/PressSlots"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"

describe("PressSlots", () => {
  // verifies: P-109
  it.effect("refuses who finds no slot, with a time to come back, until one is free", () =>
    Effect.gen(function* () {
      const { take } = yield* PressSlots.PressSlots
      const scopes = yield* Effect.all([Scope.make(), Scope.make()])
      yield* Effect.forEach(scopes, (scope) => Scope.extend(take("build"), scope))
      const refused = yield* Effect.flip(Effect.scoped(take("other")))
      assert.deepInclude(refused, { _tag: "PressSlotsTaken", slug: "other", max: 2, retryAfterMillis: 1_000 })
      yield* Scope.close(scopes[0], Exit.void)
      yield* Effect.scoped(take("other"))
      yield* Scope.extend(take("other"), yield* Scope.make())
      yield* Effect.flip(Effect.scoped(take("build")))
    }).pipe(Effect.provide(PressSlots.layerMemory({ max: 2 })))
  )
})
