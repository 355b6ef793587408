import { assert, describe, it } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { call, progressOf, start } from "./support/telling.js"

const input = Schema.Struct({})

const serving = (
  handler: Effect.Effect<void, never, RequestContext>,
  progress: Progress.Options = { burst: 2, interval: "50 millis" }
) =>
  Layer.provideMerge(
    McpServer.tools(Tool.make("work", { input, handler: () => Effect.as(handler, "done") })),
    McpServer.layer({ name: "test", version: "1", progress })
  )

const meta = { progressToken: "t" }

const upTo = (count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index + 1),
    (progress) => Progress.report({ progress }),
    { discard: true }
  )

describe("Progress", () => {
  // verifies: PROG-04, PROG-07, PROG-10
  it.effect("sends a burst at once, and of what comes too fast the last, ahead of the response", () =>
    Effect.gen(function* () {
      const messages = yield* Effect.provide(call("work", { meta }), serving(upTo(50)))
      assert.deepStrictEqual(progressOf(messages), [1, 2, 50])
      assert.strictEqual(messages.at(-1).result.content[0].text, "done")
    })
  )

  it.effect("leaves out a number JSON cannot carry, and sends the ones after it", () =>
    Effect.gen(function* () {
      const handler = Effect.forEach(
        [
          { progress: 1, total: Number.POSITIVE_INFINITY },
          { progress: Number.NaN },
          { progress: Number.POSITIVE_INFINITY },
          { progress: 2, total: 4 }
        ],
        (update) => Progress.report(update),
        { discard: true }
      )
      const messages = yield* Effect.provide(call("work", { meta }), serving(handler, {}))
      assert.deepStrictEqual(
        messages.slice(0, -1).map((message) => message.params),
        [
          { progressToken: "t", progress: 1 },
          { progressToken: "t", progress: 2, total: 4 }
        ]
      )
    })
  )

  it.effect("allows a hundred updates at once where nothing else is said", () =>
    Effect.gen(function* () {
      const messages = yield* Effect.provide(call("work", { meta }), serving(upTo(1_000), {}))
      assert.deepStrictEqual(progressOf(messages), [
        ...Array.from({ length: 100 }, (_, index) => index + 1),
        1_000
      ])
    })
  )

  it.effect("sends the newest of what it held back as soon as it may, while the handler works on", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const handler = Effect.zipRight(upTo(10), Effect.zipRight(Deferred.await(gate), upTo(12)))
      yield* Effect.gen(function* () {
        const { answered, messages } = yield* start("work", { meta })
        assert.deepStrictEqual(progressOf(messages), [1, 2])
        yield* TestClock.adjust("49 millis")
        assert.deepStrictEqual(progressOf(messages), [1, 2])
        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual(progressOf(messages), [1, 2, 10])
        yield* TestClock.adjust("50 millis")
        yield* Deferred.succeed(gate, undefined)
        yield* answered
        assert.deepStrictEqual(progressOf(messages), [1, 2, 10, 11, 12])
        assert.strictEqual(messages.length, 6)
      }).pipe(Effect.scoped, Effect.provide(serving(handler)))
    })
  )

  it.effect("waits for a client that takes its time, and loses neither the last update nor the order", () =>
    Effect.gen(function* () {
      const messages = yield* Effect.provide(
        call("work", { meta, pace: Effect.yieldNow() }),
        serving(Effect.zipRight(upTo(20), upTo(21)))
      )
      assert.deepStrictEqual(progressOf(messages), [1, 2, 21])
      assert.deepInclude(messages.at(-1), { id: 1 })
    })
  )

  it.effect("lets an update that is on its way arrive, and the last one after it", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const reads = yield* Deferred.make<void>()
      let sent = 0
      const pace = Effect.suspend(() => (++sent === 1 ? Effect.void : Deferred.await(reads)))
      const handler = Effect.zipRight(upTo(2), Effect.zipRight(Deferred.await(gate), upTo(3)))
      yield* Effect.gen(function* () {
        const { answered, messages } = yield* start("work", { meta, pace })
        yield* TestClock.adjust("50 millis")
        yield* Deferred.succeed(gate, undefined)
        assert.deepStrictEqual(progressOf(messages), [1])
        yield* Deferred.succeed(reads, undefined)
        yield* answered
        assert.deepStrictEqual(progressOf(messages), [1, 2, 3])
        assert.deepInclude(messages.at(-1), { id: 1 })
      }).pipe(Effect.scoped, Effect.provide(serving(handler, { burst: 1, interval: "50 millis" })))
    })
  )

  it.effect("says nothing of what it held back once the request is cancelled", () =>
    Effect.gen(function* () {
      const handler = Effect.zipRight(upTo(10), Effect.never)
      yield* Effect.gen(function* () {
        const { answered, cancel, messages } = yield* start("work", { meta })
        yield* cancel
        assert.isFalse(yield* answered)
        yield* TestClock.adjust("1 seconds")
        assert.deepStrictEqual(progressOf(messages), [1, 2])
      }).pipe(Effect.scoped, Effect.provide(serving(handler)))
    })
  )

  // verifies: PROG-01, PROG-03
  it.effect("goes to a client with any token, and to none without", () =>
    Effect.gen(function* () {
      const tokens = [0, "", -1, "0"]
      const counts = yield* Effect.forEach([...tokens, undefined], (progressToken) =>
        Effect.map(
          call("work", { meta: progressToken === undefined ? {} : { progressToken } }),
          (messages) => [messages.length, messages[0].params?.progressToken]
        )
      ).pipe(Effect.provide(serving(upTo(1))))
      assert.deepStrictEqual(counts, [...tokens.map((token) => [2, token]), [1, undefined]])
    })
  )
})
