import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type * as Scope from "effect/Scope"
import * as Holding from "../src/internal/holding.js"

/** Takes letters, and writes down what happens to them. */
const letters = () => {
  const told: Array<string> = []
  const hold = (letter: string) =>
    Holding.hold(
      () => {
        told.push(`take ${letter}`)
        return letter
      },
      (held) => void told.push(`give ${held}`)
    )
  return { hold, told }
}

describe("holding", () => {
  it.effect("gives back what was taken when the scope closes, the last one first", () =>
    Effect.gen(function* () {
      const { hold, told } = letters()
      const held = yield* Effect.scoped(
        Effect.tap(Effect.all([hold("a"), hold("b")]), () => Effect.sync(() => told.push("use")))
      )
      assert.deepStrictEqual(held, ["a", "b"])
      assert.deepStrictEqual(told, ["take a", "take b", "use", "give b", "give a"])
    })
  )

  it.effect("gives it back to whoever fails or is interrupted", () =>
    Effect.gen(function* () {
      const { hold, told } = letters()
      yield* Effect.ignore(Effect.scoped(Effect.zipRight(hold("a"), Effect.fail("no"))))
      const fiber = yield* Effect.fork(Effect.scoped(Effect.zipRight(hold("b"), Effect.never)))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(told, ["take a", "give a", "take b", "give b"])
    })
  )

  it.effect("gives back what was taken just as the interruption came", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const interrupted = Effect.withFiberRuntime<void, never, Scope.Scope>((fiber) =>
        Holding.hold(
          () => {
            told.push("take")
            fiber.unsafeInterruptAsFork(FiberId.none)
          },
          () => void told.push("give")
        )
      )
      const exit = yield* Fiber.await(yield* Effect.fork(Effect.scoped(interrupted)))
      assert.isTrue(Exit.isInterrupted(exit))
      assert.deepStrictEqual(told, ["take", "give"])
    })
  )
})
