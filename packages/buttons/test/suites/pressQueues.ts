/** What every keeper of queues does. */
import { assert, describe, it } from "@effect/vitest"
import { PressQueues, type Queue } from "@pushbutton/buttons/PressQueues"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"

/** Two presses may wait, for ten seconds. */
export type Make = Effect.Effect<Layer.Layer<PressQueues>, never, Scope.Scope>

const queue = (name: string, concurrency = 1, key = ""): Queue => ({ name, concurrency, key })

/** Every fiber has gone as far as it can. */
const settled = TestClock.adjust(0)

/** A press that runs until it is told to end. */
const press = (slug: string, waitsIn?: Queue) =>
  Effect.gen(function* () {
    const queues = yield* PressQueues
    const end = yield* Deferred.make<void>()
    let isRunning = false
    const fiber = yield* Effect.scoped(
      Effect.gen(function* () {
        yield* queues.enter(slug, waitsIn)
        isRunning = true
        yield* Deferred.await(end)
      })
    ).pipe(Effect.fork)
    yield* settled
    return {
      fiber,
      isRunning: () => isRunning,
      end: Deferred.succeed(end, undefined).pipe(
        Effect.zipRight(Fiber.await(fiber)),
        Effect.zipRight(settled)
      )
    }
  })

export const pressQueues = (name: string, make: Make) => {
  const check = <A, E>(effect: Effect.Effect<A, E, PressQueues>) =>
    Effect.flatMap(make, (layer) => Effect.provide(effect, layer))

  const running = (presses: ReadonlyArray<{ readonly isRunning: () => boolean }>) =>
    presses.map((one) => one.isRunning())

  describe(`PressQueues, ${name}`, () => {
    it.scoped("runs a button without a queue one at a time, and refuses at once", () =>
      check(
        Effect.gen(function* () {
          const first = yield* press("deploy")
          const second = yield* press("deploy")
          const other = yield* press("other")
          assert.deepStrictEqual(running([first, second, other]), [true, false, true])
          const error = yield* Effect.flip(Fiber.join(second.fiber))
          assert.deepInclude(
            { ...error },
            { _tag: "PressBusy", slug: "deploy", queue: undefined, retryAfterMillis: 1_000 }
          )
          yield* first.end
          assert.isTrue((yield* press("deploy")).isRunning())
        })
      )
    )

    it.scoped("runs as many of a queue as it says, and the others first come, first served", () =>
      check(
        Effect.gen(function* () {
          const presses = yield* Effect.forEach(["a", "b", "a", "b"], (slug) => press(slug, queue("q", 2)))
          assert.deepStrictEqual(running(presses), [true, true, false, false])
          yield* presses[1]?.end ?? Effect.void
          assert.deepStrictEqual(running(presses), [true, true, true, false])
          yield* presses[0]?.end ?? Effect.void
          assert.deepStrictEqual(running(presses), [true, true, true, true])
        })
      )
    )

    it.scoped("keeps queues of other names and other keys apart", () =>
      check(
        Effect.gen(function* () {
          const presses = yield* Effect.forEach(
            [queue("q"), queue("r"), queue("q", 1, "x"), queue("q", 1, "y"), queue("q", 1, "x")],
            (waitsIn) => press("deploy", waitsIn)
          )
          assert.deepStrictEqual(running(presses), [true, true, true, true, false])
        })
      )
    )

    it.scoped("lets nobody pass who came later, whatever concurrency they have", () =>
      check(
        Effect.gen(function* () {
          const first = yield* press("a", queue("q", 1))
          const second = yield* press("b", queue("q", 1))
          const third = yield* press("c", queue("q", 3))
          assert.deepStrictEqual(running([first, second, third]), [true, false, false])
          yield* first.end
          assert.deepStrictEqual(running([second, third]), [true, true])
        })
      )
    )

    it.scoped("refuses at once when as many wait as may", () =>
      check(
        Effect.gen(function* () {
          yield* Effect.forEach([1, 2, 3], () => press("deploy", queue("q")))
          for (const concurrency of [1, 5]) {
            const { fiber } = yield* press("deploy", queue("q", concurrency))
            assert.deepInclude(
              { ...(yield* Effect.flip(Fiber.join(fiber))) },
              { _tag: "PressBusy", slug: "deploy", queue: "q" }
            )
          }
        })
      )
    )

    it.scoped("gives up after so long, and goes out of the way of who waits behind", () =>
      check(
        Effect.gen(function* () {
          const first = yield* press("deploy", queue("q"))
          const second = yield* press("deploy", queue("q"))
          yield* TestClock.adjust("5 seconds")
          const third = yield* press("deploy", queue("q"))
          yield* TestClock.adjust("5 seconds")
          const error = yield* Effect.flip(Fiber.join(second.fiber))
          assert.deepInclude(
            { ...error },
            { _tag: "QueueTimedOut", slug: "deploy", queue: "q", waitedMillis: 10_000 }
          )
          yield* first.end
          assert.isTrue(third.isRunning())
        })
      )
    )

    it.scoped("lets go of a place when the press is interrupted, waiting or running", () =>
      check(
        Effect.gen(function* () {
          const first = yield* press("deploy", queue("q"))
          const second = yield* press("deploy", queue("q"))
          const third = yield* press("deploy", queue("q"))
          assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(second.fiber)))
          yield* Fiber.interrupt(first.fiber)
          yield* settled
          assert.deepStrictEqual(running([second, third]), [false, true])
        })
      )
    )
  })
}
