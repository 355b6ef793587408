import { assert, describe, it } from "@effect/vitest"
import { RandomBytes } from "@pushbutton/server/RandomBytes"
import * as SystemRandom from "@pushbutton/stdio/SystemRandom"
import * as Effect from "effect/Effect"

describe("SystemRandom", () => {
  it.effect("draws as many bytes as asked for, never the same", () =>
    Effect.gen(function* () {
      const { next } = yield* RandomBytes
      const draws = yield* Effect.all([next(32), next(32)])
      assert.deepStrictEqual(
        draws.map((bytes) => bytes.length),
        [32, 32]
      )
      assert.notDeepEqual(draws[0], draws[1])
      assert.strictEqual((yield* next(0)).length, 0)
    }).pipe(Effect.provide(SystemRandom.layer))
  )
})
