import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as McpServer from "@pushbutton/server/McpServer"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import * as Step from "@pushbutton/server/Step"
import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { accept, answering, call } from "./support/client.js"
import { captureLogs, quiet } from "./support/logs.js"

const ask = Ask.orFail(
  Ask.form("sure", { message: "Sure?", schema: Schema.Struct({ sure: Schema.Boolean }) })
)
const sure = { sure: accept({ sure: true }) }

const serving = (
  handler: Effect.Effect<string, unknown, RequestContext>,
  options: Partial<McpServer.Options> = {}
) =>
  Layer.provideMerge(
    McpServer.tools(Tool.make("t", { input: Schema.Struct({}), handler: () => handler })),
    McpServer.layer({ name: "test", version: "1", ...options })
  )

/** An effect that counts its runs. */
const counting = <A>(result: (run: number) => A) => {
  const counter = { runs: 0 }
  return { counter, effect: Effect.sync(() => result(++counter.runs)) }
}

const rounds = Effect.gen(function* () {
  const asked = yield* call("t")
  const done = yield* call("t", answering(asked, sure))
  return { asked, done }
})

const run = <A, E>(
  handler: Effect.Effect<string, unknown, RequestContext>,
  client: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof serving>>>,
  options: Partial<McpServer.Options> = {}
) => client.pipe(Effect.provide(serving(handler, options)), Effect.provide(quiet))

describe("Step", () => {
  describe("once", () => {
    it.effect("runs once for all rounds of a call, and gives its result each time", () =>
      Effect.gen(function* () {
        const { counter, effect } = counting((at) => `run ${at}`)
        const handler = Effect.gen(function* () {
          const result = yield* Step.once("reserve", effect, Schema.String)
          yield* ask
          return result
        })
        assert.strictEqual((yield* run(handler, rounds)).done.text, "run 1")
        assert.strictEqual(counter.runs, 1)
      })
    )

    it.effect("runs once for each call", () =>
      Effect.gen(function* () {
        const { counter, effect } = counting((at) => `run ${at}`)
        const handler = Step.once("reserve", effect, Schema.String)
        const replies = yield* run(handler, Effect.all([call("t"), call("t")]))
        assert.deepStrictEqual(
          replies.map(({ text }) => text),
          ["run 1", "run 2"]
        )
        assert.strictEqual(counter.runs, 2)
      })
    )

    it.effect("runs once within a round, also when several ask for it at once", () =>
      Effect.gen(function* () {
        const open = yield* Deferred.make<void>()
        const { effect } = counting((at) => at)
        const step = Step.once("n", Effect.zipRight(Deferred.await(open), effect), Schema.Number)
        const handler = Effect.map(
          Effect.all([step, step, Effect.as(Deferred.succeed(open, undefined), 0)], {
            concurrency: "unbounded"
          }),
          (results) => results.join()
        )
        assert.strictEqual((yield* run(handler, call("t"))).text, "1,1,0")
      })
    )

    const checkCarries = <A, I>(name: string, schema: Schema.Schema<A, I>, value: A) =>
      it.effect(`carries ${name}`, () =>
        Effect.gen(function* () {
          const { counter, effect } = counting(() => value)
          const seen: Array<A> = []
          const handler = Effect.gen(function* () {
            seen.push(yield* Step.once("key", effect, schema))
            yield* ask
            return "done"
          })
          assert.strictEqual((yield* run(handler, rounds)).done.text, "done")
          assert.deepStrictEqual(seen, [value, value])
          assert.strictEqual(counter.runs, 1)
        })
      )

    checkCarries("a date", Schema.Date, new Date(0))
    checkCarries("null", Schema.Null, null)
    checkCarries("nothing", Schema.Void, undefined)
    checkCarries("an object", Schema.Struct({ a: Schema.Array(Schema.Number) }), { a: [1, 2] })

    it.effect("runs again after a failure", () =>
      Effect.gen(function* () {
        const { effect } = counting((at) => at)
        const flaky = Effect.filterOrFail(
          effect,
          (at) => at > 1,
          () => "not yet"
        )
        const step = Step.once("n", flaky, Schema.Number)
        const handler = Effect.map(Effect.retry(step, { times: 1 }), String)
        assert.strictEqual((yield* run(handler, call("t"))).text, "2")
      })
    )

    it.effect("is left, and not kept, when it asks itself", () =>
      Effect.gen(function* () {
        const { counter, effect } = counting((at) => at)
        const handler = Effect.map(
          Step.once("n", Effect.zipRight(effect, Effect.as(ask, 7)), Schema.Number),
          String
        )
        assert.strictEqual((yield* run(handler, rounds)).done.text, "7")
        assert.strictEqual(counter.runs, 2)
      })
    )

    it.effect("runs anew when the call starts over", () =>
      Effect.gen(function* () {
        const { counter, effect } = counting((at) => `run ${at}`)
        const handler = Effect.gen(function* () {
          const result = yield* Step.once("reserve", effect, Schema.String)
          yield* ask
          return result
        })
        const replies = yield* run(handler, Effect.zip(call("t"), call("t", { inputResponses: sure })))
        assert.strictEqual(replies[1].text, "run 2")
        assert.strictEqual(counter.runs, 2)
      })
    )

    it.effect("leaves a client to shorten answers that are too large to be carried", () =>
      Effect.gen(function* () {
        const handler = Effect.as(
          Effect.zipRight(ask, Ask.form("more", { message: "More?", schema: Schema.Struct({}) })),
          ""
        )
        const server = serving(handler, { requestState: { maxLength: 2_000 } })
        const padded = { sure: { action: "accept", content: { sure: true }, pad: "x".repeat(3_000) } }
        const { error } = yield* Effect.provide(call("t", { inputResponses: padded }), server)
        assert.strictEqual(error?.code, -32602)
        assert.match(String(error?.message), /^The answers of this call are too large to carry: \d+ of 2000/)
      })
    )

    it.effect("is an internal error, and logged, when its result is too large to be carried", () =>
      Effect.gen(function* () {
        const { layer, lines } = yield* captureLogs
        const handler = Effect.zipRight(
          Step.once("big", Effect.succeed("x".repeat(1000)), Schema.String),
          Effect.as(ask, "")
        )
        const server = Layer.provide(serving(handler, { requestState: { maxLength: 500 } }), layer)
        const { error } = yield* Effect.provide(call("t"), server)
        assert.deepStrictEqual(error, { code: -32603, message: "Internal error" })
        assert.match(
          lines.join(),
          /^Tool t died: The answers and step results of a call seal to \d+ characters/
        )
      })
    )
  })
})
