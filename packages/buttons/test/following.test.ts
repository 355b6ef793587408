import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as Following from "../src/internal/following.js"

/** A value that the test changes; `told` is what the follower was told, `reads` how often the value was read. */
const followed = (listener: (value: string) => Effect.Effect<void> = () => Effect.void) =>
  Effect.gen(function* () {
    const told: Array<string> = []
    let reads = 0
    let value = "first"
    let signal = () => {}
    yield* Following.follow(
      {
        watch: (changed) =>
          Effect.acquireRelease(
            Effect.sync(() => {
              signal = changed
              return { refresh: Effect.void }
            }),
            () => Effect.sync(() => void told.push("unwatched"))
          ),
        read: Effect.sync(() => {
          reads++
          return value
        }),
        content: (read) => read.toLowerCase()
      },
      (read) =>
        Effect.zipRight(
          Effect.sync(() => void told.push(read)),
          Effect.suspend(() => listener(read))
        )
    )
    return {
      told,
      reads: () => reads,
      change: (next: string) => {
        value = next
        signal()
      }
    }
  })

describe("Following", () => {
  it.scoped("has told of the value as it is when it returns", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* followed()).told, ["first"])
    })
  )

  it.scoped("takes changes within its window for one", () =>
    Effect.gen(function* () {
      const { change, reads, told } = yield* followed()
      for (let index = 0; index < 1_000; index++) change(`${index}`)
      yield* TestClock.adjust("99 millis")
      assert.deepStrictEqual(told, ["first"])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual([told, reads()], [["first", "999"], 2])
    })
  )

  it.scoped("looks, and tells nothing of a value with the same content", () =>
    Effect.gen(function* () {
      const { change, reads, told } = yield* followed()
      change("FIRST")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([told, reads()], [["first"], 2])
      change("second")
      change("first")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([told, reads()], [["first"], 3])
    })
  )

  it.scoped("tells of what changes while a listener is busy when it is done", () =>
    Effect.gen(function* () {
      const { change, told } = yield* followed((value) =>
        value === "slow" ? Effect.sleep("1 minute") : Effect.void
      )
      change("slow")
      yield* TestClock.adjust("1 second")
      change("between")
      change("last")
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(told, ["first", "slow"])
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(told, ["first", "slow", "last"])
    })
  )

  it.scoped("goes on after a listener's defect, and logs it", () =>
    Effect.gen(function* () {
      const logged: Array<unknown> = []
      const logger = Logger.make(({ message }) => void logged.push(message))
      const { change, told } = yield* Effect.provide(
        followed((value) => (value === "bad" ? Effect.die("a defect") : Effect.void)),
        Logger.replace(Logger.defaultLogger, logger)
      )
      change("bad")
      yield* TestClock.adjust("1 second")
      change("good")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, ["first", "bad", "good"])
      assert.deepStrictEqual(logged, [["A change could not be passed on", "a defect"]])
    })
  )

  it.scoped("tells again of what a listener's defect kept from it, and of what was before", () =>
    Effect.gen(function* () {
      let defects = 2
      const { change, told } = yield* followed((value) =>
        value === "bad" && defects-- > 0 ? Effect.die("a defect") : Effect.void
      ).pipe(Logger.withMinimumLogLevel(LogLevel.None))
      for (const value of ["bad", "first", "bad", "bad", "bad"]) {
        change(value)
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(told, ["first", "bad", "first", "bad", "bad"])
    })
  )

  it.effect("ends with its scope, whatever a listener does", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { change, told } = yield* Scope.extend(
        followed((value) => (value === "hangs" ? Effect.never : Effect.void)),
        scope
      )
      change("hangs")
      yield* TestClock.adjust("1 second")
      yield* Scope.close(scope, Exit.void)
      change("late")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(told, ["first", "hangs", "unwatched"])
    })
  )
})
