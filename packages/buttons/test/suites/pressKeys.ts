/** What every keeper of idempotency keys does. */
import { assert, describe, it } from "@effect/vitest"
import { type KeyedPress, PressKeys } from "@pushbutton/buttons/PressKeys"
import type { PressResult } from "@pushbutton/buttons/PressResult"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"

/** Keys are kept for an hour, about twenty of them, and waited for for a minute. */
export type Make = Effect.Effect<Layer.Layer<PressKeys>, never, Scope.Scope>

export const keyed = (fields: Partial<KeyedPress> = {}): KeyedPress => ({
  key: "k",
  principal: undefined,
  slug: "deploy",
  args: { env: "prod", version: "1" },
  ...fields
})

export const result = (fields: Partial<PressResult> = {}): PressResult => ({
  button: "deploy",
  runId: "00ff",
  startedAtMillis: 1_234,
  caller: "mcp",
  args: { env: "prod", version: "1" },
  status: "ok",
  reason: "exited",
  exitCode: 0,
  stdout: "é\n\0",
  stderr: "",
  stdoutBytes: 4,
  stderrBytes: 0,
  stdoutTruncated: false,
  stderrTruncated: false,
  durationMillis: 5,
  timeoutSeconds: 30,
  recorded: true,
  ...fields
})

class Refused extends Data.TaggedError("Refused")<{ readonly why: string }> {}

export const once = (use: KeyedPress, given: PressResult = result()) =>
  Effect.flatMap(PressKeys, (keys) => keys.once(use, (started) => Effect.as(started, given)))

/** A press that must not be started. */
export const notAgain = (use: KeyedPress) =>
  Effect.flatMap(PressKeys, (keys) => keys.once(use, () => Effect.die("was started")))

/** A press that has started, and runs until it is told to end. */
export const running = (use: KeyedPress) =>
  Effect.gen(function* () {
    const keys = yield* PressKeys
    const hasStarted = yield* Deferred.make<void>()
    const end = yield* Deferred.make<void>()
    let starts = 0
    const press = keys.once(use, (started) =>
      started.pipe(
        Effect.zipRight(Effect.sync(() => starts++)),
        Effect.zipRight(Deferred.succeed(hasStarted, undefined)),
        Effect.zipRight(Deferred.await(end)),
        Effect.as(result())
      )
    )
    const fiber = yield* Effect.fork(press)
    yield* Deferred.await(hasStarted)
    return { press, fiber, end: Deferred.succeed(end, undefined), starts: () => starts }
  })

/** What a fiber gives, in time that passes as long as it needs: files take time of their own. */
export const joined = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function* () {
    for (let second = 0; second < 200 && Option.isNone(yield* fiber.poll); second++) {
      yield* TestClock.adjust("1 second")
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
    return yield* Fiber.join(fiber)
  })

export const pressKeys = (name: string, make: Make) => {
  const check = <A, E>(effect: Effect.Effect<A, E, PressKeys>) =>
    Effect.flatMap(make, (layer) => Effect.provide(effect, layer))

  const tagOf = (error: { readonly _tag: string }) => error._tag

  describe(`PressKeys, ${name}`, () => {
    it.scoped.each<[string, Partial<PressResult>]>([
      ["well", {}],
      ["badly", { status: "error", reason: "exited", exitCode: 3, errorType: "SCRIPT_ERROR", stderr: "no" }],
      ["by a signal", { status: "error", reason: "signalled", exitCode: -1, signal: "SIGSEGV" }],
      ["over HTTP", { reason: "responded", exitCode: 200, httpStatus: 200 }],
      ["cut", { stdoutTruncated: true, stdoutBytes: 5_000_000, recorded: false }]
    ])("answers again what ended %s, and runs nothing", ([, fields]) =>
      check(
        Effect.gen(function* () {
          const first = yield* once(keyed(), result(fields))
          assert.deepStrictEqual(first, result(fields))
          assert.deepStrictEqual(yield* notAgain(keyed()), { ...first, replayed: true })
          assert.deepStrictEqual(yield* notAgain(keyed()), { ...first, replayed: true })
        })
      )
    )

    it.scoped("knows the same arguments in another order", () =>
      check(
        Effect.gen(function* () {
          yield* once(keyed())
          assert.isTrue((yield* notAgain(keyed({ args: { version: "1", env: "prod" } }))).replayed)
        })
      )
    )

    it.scoped.each<Partial<KeyedPress>>([
      { slug: "other" },
      { args: { env: "prod" } },
      { args: { env: "prod", version: "2" } },
      { args: { env: "prod", version: "1", more: "" } }
    ])("refuses the key for another press: %j", (other) =>
      check(
        Effect.gen(function* () {
          yield* once(keyed())
          assert.strictEqual(tagOf(yield* Effect.flip(notAgain(keyed(other)))), "PressKeyConflict")
        })
      )
    )

    it.scoped("keeps the keys of principals apart, and other keys", () =>
      check(
        Effect.gen(function* () {
          const uses = [
            keyed(),
            keyed({ principal: "ada" }),
            keyed({ principal: "bob" }),
            keyed({ key: "l" }),
            keyed({ key: "" })
          ]
          for (const [index, use] of uses.entries()) yield* once(use, result({ runId: `${index}` }))
          for (const [index, use] of uses.entries()) {
            assert.deepInclude(yield* notAgain(use), { runId: `${index}`, replayed: true })
          }
        })
      )
    )

    it.scoped("lets others wait for the first, and runs it once", () =>
      check(
        Effect.gen(function* () {
          const first = yield* running(keyed())
          const others = yield* Effect.all(Array.from({ length: 4 }, () => Effect.fork(first.press)))
          const conflict = yield* Effect.flip(notAgain(keyed({ slug: "other" })))
          assert.strictEqual(tagOf(conflict), "PressKeyConflict")
          yield* first.end
          assert.deepStrictEqual(yield* Fiber.join(first.fiber), result())
          for (const result of yield* joined(Fiber.all(others))) assert.isTrue(result.replayed)
          assert.strictEqual(first.starts(), 1)
        })
      )
    )

    it.scoped("waits no longer than it may, and can be interrupted", () =>
      check(
        Effect.gen(function* () {
          yield* running(keyed())
          const waiting = yield* Effect.fork(Effect.flip(notAgain(keyed())))
          const leaving = yield* Effect.fork(notAgain(keyed()))
          assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(leaving)))
          assert.deepInclude(
            { ...(yield* joined(waiting)) },
            { _tag: "PressKeyBusy", retryAfterMillis: 10_000 }
          )
        })
      )
    )

    it.scoped("leaves the key free when nothing was started", () =>
      check(
        Effect.gen(function* () {
          const keys = yield* PressKeys
          const refused = yield* Effect.flip(keys.once(keyed(), () => new Refused({ why: "busy" })))
          assert.strictEqual(tagOf(refused), "Refused")
          const begun = yield* Deferred.make<void>()
          const waiting = yield* Effect.fork(
            keys.once(keyed(), () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never))
          )
          yield* Deferred.await(begun)
          yield* Fiber.interrupt(waiting)
          const failed = result({ status: "error", reason: "not-started", exitCode: -1 })
          assert.deepStrictEqual(yield* once(keyed(), failed), failed)
          assert.deepStrictEqual(yield* once(keyed()), result())
        })
      )
    )

    it.scoped("does not start again what was cancelled as it ran", () =>
      check(
        Effect.gen(function* () {
          yield* TestClock.setTime(Date.UTC(2026, 3, 18))
          const { fiber } = yield* running(keyed())
          yield* Fiber.interrupt(fiber)
          assert.deepInclude(
            { ...(yield* Effect.flip(notAgain(keyed()))) },
            { _tag: "PressOutcomeUnknown", slug: "deploy", startedAt: "2026-04-18T00:00:00.000Z" }
          )
        })
      )
    )

    it.scoped("forgets a key when its time is over", () =>
      check(
        Effect.gen(function* () {
          yield* once(keyed())
          yield* TestClock.adjust("59 minutes")
          yield* notAgain(keyed())
          yield* TestClock.adjust("1 minute")
          assert.deepStrictEqual(yield* once(keyed(), result({ runId: "new" })), result({ runId: "new" }))
          assert.deepInclude(yield* notAgain(keyed()), { runId: "new" })
        })
      )
    )

    it.scoped("keeps a bounded number of keys, the oldest go first", () =>
      check(
        Effect.gen(function* () {
          for (let index = 0; index <= 100; index++) {
            yield* once(keyed({ key: `k${index}` }))
            yield* TestClock.adjust("1 second")
          }
          assert.isTrue((yield* notAgain(keyed({ key: "k100" }))).replayed)
          assert.isTrue((yield* notAgain(keyed({ key: "k90" }))).replayed)
          assert.isUndefined((yield* once(keyed({ key: "k50" }))).replayed)
        })
      )
    )
  })
}
