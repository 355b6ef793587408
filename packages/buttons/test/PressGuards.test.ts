/** What a press has to pass before it runs. */
import { assert, describe, it } from "@effect/vitest"
import * as ButtonCatalogue from "@pushbutton/buttons/ButtonCatalogue"
import * as Press from "@pushbutton/buttons/Press"
import * as PressHistory from "@pushbutton/buttons/PressHistory"
import * as PressRunner from "@pushbutton/buttons/PressRunner"
import * as PressSlots from "@pushbutton/buttons/PressSlots"
import * as RunIds from "@pushbutton/buttons/RunIds"
import * as Runtime from "@pushbutton/buttons/Runtime"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { button } from "./support/definitions.js"
import { guards } from "./support/guards.js"
import { noBatteriesNoHttp } from "./support/pressing.js"

const buttons = [
  button("deploy", { mcp_enabled: true, args: [{ name: "env", type: "string" }] }),
  button("one", { mcp_enabled: true, queue: { name: "q" }, timeout_seconds: 10 }),
  button("two", { mcp_enabled: true, queue: { name: "q" } }),
  button("each", {
    mcp_enabled: true,
    args: [{ name: "env", type: "string" }],
    queue: { name: "each", key: `\${args.env}` }
  })
]

const nothing: PressRunner.CapturedOutput = { text: "", bytes: 0, truncated: false }
const outcome: PressRunner.PressOutcome = {
  reason: "exited",
  exitCode: 0,
  stdout: nothing,
  stderr: nothing,
  durationMillis: 1
}

const world = (
  run: PressRunner.PressRunner["Type"]["run"] = () => Effect.succeed(outcome),
  slots: PressSlots.Options = {}
) =>
  Press.layer({ environment: {}, workingDirectory: "/srv" }).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        ButtonCatalogue.layerMemory({ buttons, problems: [], notes: {} }),
        Runtime.layerTest({ shell: "/bin/sh" }),
        PressRunner.layerTest(run),
        noBatteriesNoHttp,
        PressHistory.layerMemory,
        RunIds.layerTest,
        Layer.merge(guards, PressSlots.layerMemory(slots))
      )
    )
  )

const press = (name: string, request: Partial<Press.PressRequest> = {}) =>
  Effect.flatMap(Press.Press, ({ press }) => press({ name, args: {}, caller: "mcp", ...request }))

/** A runner whose programs run until they are told to end, with the limits that they were given. */
const heldIn = Effect.fnUntraced(function* (slots: PressSlots.Options) {
  const end = yield* Deferred.make<void>()
  const started: Array<number> = []
  const layer = world(
    (spec) =>
      Effect.sync(() => started.push(spec.timeoutMillis)).pipe(
        Effect.zipRight(Deferred.await(end)),
        Effect.as(outcome)
      ),
    slots
  )
  return { end: Deferred.succeed(end, undefined), started, layer }
})

const held = heldIn({})

const settled = TestClock.adjust(0)

const tagOf = (error: { readonly _tag: string }) => error._tag

describe("Press, how often", () => {
  it.effect("lets a principal press a button ten times a minute, under any of its names", () =>
    Effect.gen(function* () {
      for (let count = 0; count < 5; count++) {
        yield* press("deploy", { principal: "ada" })
        yield* press("Deploy!", { principal: "ada" })
      }
      const error = yield* Effect.flip(press("DEPLOY", { principal: "ada" }))
      assert.deepInclude(
        { ...error },
        { _tag: "PressRateExceeded", slug: "deploy", retryAfterMillis: 60_000 }
      )
      yield* press("deploy", { principal: "bob" })
      yield* TestClock.adjust("1 minute")
      yield* press("deploy", { principal: "ada" })
    }).pipe(Effect.provide(world()))
  )

  it.effect("does not count what was refused before, nor what found the button busy", () =>
    Effect.gen(function* () {
      const { end, layer, started } = yield* held
      yield* Effect.gen(function* () {
        yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], () =>
          Effect.flip(press("deploy", { args: { x: 1 } }))
        )
        const first = yield* Effect.fork(press("deploy"))
        yield* settled
        for (let count = 0; count < 20; count++) {
          assert.strictEqual(tagOf(yield* Effect.flip(press("deploy"))), "PressBusy")
        }
        yield* end
        yield* Fiber.join(first)
        for (let count = 0; count < 9; count++) yield* press("deploy")
        assert.strictEqual(tagOf(yield* Effect.flip(press("deploy"))), "PressRateExceeded")
        assert.lengthOf(started, 10)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("starts no more than ten in a minute, also when they come out of a queue", () =>
    Effect.gen(function* () {
      const starts: Array<number> = []
      const layer = world(() =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          // The first holds up all others.
          Effect.as(Effect.sleep(starts.push(now) === 1 ? "70 seconds" : "1 second"), outcome)
        )
      )
      const pressing = Effect.forever(Effect.zipRight(Effect.exit(press("one")), Effect.sleep("10 seconds")))
      const agents = yield* Effect.fork(
        Effect.provide(
          Effect.all(
            Array.from({ length: 22 }, () => pressing),
            { concurrency: "unbounded" }
          ),
          layer
        )
      )
      yield* TestClock.adjust("4 minutes")
      yield* Fiber.interrupt(agents)
      assert.isAbove(starts.length, 15)
      for (const start of starts) {
        const within = starts.filter((other) => other >= start && other < start + 60_000)
        assert.isAtMost(within.length, 10)
      }
    })
  )

  it.effect("lets a command line press as it likes", () =>
    Effect.gen(function* () {
      const { end, layer, started } = yield* held
      const all = yield* Effect.fork(
        Effect.provide(
          Effect.all(
            Array.from({ length: 20 }, () => press("deploy", { caller: "cli" })),
            { concurrency: "unbounded" }
          ),
          layer
        )
      )
      yield* settled
      assert.lengthOf(started, 20)
      yield* end
      yield* Fiber.join(all)
    })
  )
})

describe("Press, how many at a time", () => {
  it.effect("runs one press of a button at a time, under any of its names", () =>
    Effect.gen(function* () {
      const { end, layer } = yield* held
      yield* Effect.gen(function* () {
        const first = yield* Effect.fork(press("deploy", { principal: "ada" }))
        yield* settled
        const error = yield* Effect.flip(press("Deploy!", { principal: "bob" }))
        assert.deepInclude({ ...error }, { _tag: "PressBusy", slug: "deploy" })
        yield* end
        yield* Fiber.join(first)
        yield* press("deploy")
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("waits in the queue of the button, for all that share it, whoever presses", () =>
    Effect.gen(function* () {
      const { end, layer, started } = yield* held
      yield* Effect.gen(function* () {
        const first = yield* Effect.fork(press("one"))
        yield* settled
        const second = yield* Effect.fork(press("two", { caller: "cli" }))
        yield* settled
        assert.lengthOf(started, 1)
        // Longer than the button may run: its time begins when its turn comes.
        yield* TestClock.adjust("20 seconds")
        yield* end
        yield* Fiber.join(first)
        const result = yield* Fiber.join(second)
        assert.deepInclude(result, { status: "ok", startedAtMillis: 20_000 })
        assert.deepStrictEqual(started, [10_000, 30_000])
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("gives up in one way when its turn does not come, and runs nothing then", () =>
    Effect.gen(function* () {
      const { layer, started } = yield* held
      yield* Effect.gen(function* () {
        yield* Effect.fork(press("one"))
        yield* settled
        const waiting = yield* Effect.forEach(["mcp", "cli"] as const, (caller) =>
          Effect.fork(Effect.flip(press("two", { caller })))
        )
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual((yield* Fiber.join(Fiber.all(waiting))).map(tagOf), [
          "QueueTimedOut",
          "QueueTimedOut"
        ])
        assert.lengthOf(started, 1)
        const history = yield* PressHistory.PressHistory
        assert.deepStrictEqual(yield* history.recent("two", 5), [])
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("waits for a slot where it may wait in a queue", () =>
    Effect.gen(function* () {
      const { end, layer, started } = yield* heldIn({ max: 1 })
      yield* Effect.gen(function* () {
        const first = yield* Effect.fork(press("one"))
        yield* settled
        const second = yield* Effect.fork(press("each"))
        yield* settled
        assert.lengthOf(started, 1)
        assert.strictEqual(tagOf(yield* Effect.flip(press("deploy"))), "PressSlotsTaken")
        yield* end
        yield* Fiber.join(first)
        yield* Fiber.join(second)
        assert.lengthOf(started, 2)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("has a queue for each key", () =>
    Effect.gen(function* () {
      const { layer, started } = yield* held
      yield* Effect.gen(function* () {
        for (const env of ["prod", "staging", "prod"]) yield* Effect.fork(press("each", { args: { env } }))
        yield* settled
        assert.lengthOf(started, 2)
      }).pipe(Effect.provide(layer))
    })
  )
})

describe("Press, once", () => {
  it.effect("answers a key again with what it gave, counts and records it once", () =>
    Effect.gen(function* () {
      const request = { args: { env: "prod" }, principal: "ada", idempotencyKey: "k" }
      const first = yield* press("deploy", request)
      assert.isUndefined(first.replayed)
      for (let count = 0; count < 20; count++) {
        assert.deepStrictEqual(yield* press("Deploy!", request), { ...first, replayed: true })
      }
      const history = yield* PressHistory.PressHistory
      assert.lengthOf(yield* history.recent("deploy", 50), 1)
      const conflict = yield* Effect.flip(press("deploy", { ...request, args: { env: "staging" } }))
      assert.strictEqual(tagOf(conflict), "PressKeyConflict")
      assert.isUndefined((yield* press("deploy", { ...request, principal: "bob" })).replayed)
    }).pipe(Effect.provide(world()))
  )

  it.effect("starts a key later that was refused at first", () =>
    Effect.gen(function* () {
      const { end, layer } = yield* held
      yield* Effect.gen(function* () {
        const other = yield* Effect.fork(press("deploy"))
        yield* settled
        assert.strictEqual(tagOf(yield* Effect.flip(press("deploy", { idempotencyKey: "k" }))), "PressBusy")
        yield* end
        yield* Fiber.join(other)
        assert.isUndefined((yield* press("deploy", { idempotencyKey: "k" })).replayed)
      }).pipe(Effect.provide(layer))
    })
  )
})
