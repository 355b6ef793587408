import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Happening from "../src/internal/happening.js"

describe("happening", () => {
  it.live("is told to all who wait, and to who comes later", () =>
    Effect.gen(function* () {
      const { happen, hasHappened, wait, waitAtMost } = Happening.make()
      const waiting = yield* Effect.fork(
        Effect.all([wait, waitAtMost(60_000), waitAtMost(60_000)], { concurrency: "unbounded" })
      )
      yield* Effect.yieldNow()
      assert.isFalse(hasHappened())
      happen()
      assert.deepStrictEqual(yield* Fiber.join(waiting), [undefined, true, true])
      assert.deepStrictEqual(yield* Effect.all([wait, waitAtMost(0)]), [undefined, true])
    })
  )

  it.live("is waited for no longer than that, and not at all for ever", () =>
    Effect.gen(function* () {
      const { happen, waitAtMost } = Happening.make()
      assert.isFalse(yield* waitAtMost(1))
      const longest = yield* Effect.fork(waitAtMost(Number.POSITIVE_INFINITY))
      assert.isFalse(yield* waitAtMost(5))
      assert.isNull(longest.unsafePoll())
      happen()
      assert.isTrue(yield* Fiber.join(longest))
    })
  )

  it.live("can be given up", () =>
    Effect.gen(function* () {
      const { happen, wait, waitAtMost } = Happening.make()
      for (const effect of [wait, waitAtMost(60_000)]) {
        const waiting = yield* Effect.fork(effect)
        yield* Effect.yieldNow()
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(waiting)))
      }
      happen()
    })
  )
})
