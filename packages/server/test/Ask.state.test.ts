/** The state of a call that asks, as a client may misuse it. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { accept, answering, call, type Options, type Reply } from "./support/client.js"
import { quiet } from "./support/logs.js"

const handler = () =>
  Effect.map(
    Ask.form("sure", { message: "Sure?", schema: Schema.Struct({ sure: Schema.Boolean }) }),
    ({ _tag }) => _tag
  )
const input = Schema.Struct({ build: Schema.optionalWith(Schema.String, { exact: true }) })
const tools = McpServer.tools(
  Tool.make("deploy", { input, handler }),
  Tool.make("destroy", { input, handler }),
  Tool.make("silent", { input, handler: () => Effect.succeed("fine") })
)

const serving = (options: Partial<McpServer.Options> = {}) =>
  Layer.provideMerge(tools, McpServer.layer({ name: "test", version: "1", ...options }))

const run =
  (options: Partial<McpServer.Options> = {}) =>
  <A, E>(client: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof serving>>>) =>
    client.pipe(Effect.provide(serving(options)), Effect.provide(quiet))

const answers = { sure: accept({ sure: true }) }

const checkRefused = ({ error, status }: Reply) => {
  assert.strictEqual(status, 200)
  assert.deepStrictEqual(error, { code: -32602, message: "Invalid requestState: start again without one" })
}

const first: Options = { args: { build: "1" }, principal: "ada" }

describe("the state of a call", () => {
  const misuses: ReadonlyArray<readonly [string, string, Options]> = [
    ["with other arguments", "deploy", { ...first, args: { build: "2" } }],
    ["without the arguments", "deploy", { principal: "ada" }],
    ["for another tool", "destroy", first],
    ["for a tool that does not ask", "silent", first],
    ["as another caller", "deploy", { ...first, principal: "eve" }],
    ["as nobody", "deploy", { args: { build: "1" } }]
  ]

  for (const [name, tool, options] of misuses) {
    // verifies: MRTR-17, MRTR-19, ELIC-24, MRTR-14, MRTR-15, MRTR-28, P-69, IN-19
    it.effect(`is refused ${name}`, () =>
      run()(
        Effect.gen(function* () {
          const asked = yield* call("deploy", first)
          checkRefused(yield* call(tool, answering(asked, answers, options)))
          const done = yield* call("deploy", answering(asked, answers, first))
          assert.strictEqual(done.text, "Accepted")
        })
      )
    )
  }

  // verifies: MRTR-18, P-69, IN-19
  it.effect("is refused once it has expired", () =>
    run({ requestState: { ttl: "5 minutes" } })(
      Effect.gen(function* () {
        const asked = yield* call("deploy", first)
        yield* TestClock.adjust("5 minutes")
        checkRefused(yield* call("deploy", answering(asked, answers, first)))
      })
    )
  )

  it.effect("is refused when it is no string", () =>
    run()(
      Effect.gen(function* () {
        for (const requestState of [null, 1, {}, ""]) checkRefused(yield* call("deploy", { requestState }))
      })
    )
  )

  it.effect("opens more than once", () =>
    run()(
      Effect.gen(function* () {
        const asked = yield* call("deploy", first)
        const retry = answering(asked, answers, first)
        assert.strictEqual((yield* call("deploy", retry)).text, "Accepted")
        assert.strictEqual((yield* call("deploy", retry)).text, "Accepted")
      })
    )
  )

  it.effect("survives a rotation of keys", () => {
    const key = (id: string) => ({ id, secret: Redacted.make(id.repeat(32)) })
    return Effect.gen(function* () {
      const asked = yield* run({ requestState: { keys: [key("a")] } })(call("deploy", first))
      const retry = call("deploy", answering(asked, answers, first))
      const rotated = yield* run({ requestState: { keys: [key("b"), key("a")] } })(retry)
      assert.strictEqual(rotated.text, "Accepted")
      checkRefused(yield* run({ requestState: { keys: [key("b")] } })(retry))
      checkRefused(yield* run()(retry))
    })
  })

  describe("for single use", () => {
    const single = run({ requestState: { singleUse: true } })

    // verifies: MRTR-20
    it.effect("opens once", () =>
      single(
        Effect.gen(function* () {
          const asked = yield* call("deploy", first)
          const retry = answering(asked, answers, first)
          assert.strictEqual((yield* call("deploy", retry)).text, "Accepted")
          checkRefused(yield* call("deploy", retry))
        })
      )
    )

    it.effect("cannot be left out: answers count only with the state they belong to", () =>
      single(
        Effect.gen(function* () {
          const asked = yield* call("deploy", { ...first, inputResponses: answers })
          assert.deepStrictEqual(Object.keys(asked.inputRequests), ["sure"])
        })
      )
    )

    it.effect("is a new one after each round", () =>
      single(
        Effect.gen(function* () {
          const asked = yield* call("deploy", first)
          const again = yield* call("deploy", answering(asked, {}, first))
          assert.strictEqual((yield* call("deploy", answering(again, answers, first))).text, "Accepted")
        })
      )
    )
  })
})

layer(Layer.provide(serving(), quiet))("the state of a call", (it) => {
  // verifies: MRTR-13, MRTR-14, MRTR-15, MRTR-28
  it.effect.prop(
    "is refused with anything added or changed, and is never asked again for that",
    [fc.nat(), fc.constantFrom("A", "-TAMPERED", ".", "")],
    ([position, text]) =>
      Effect.gen(function* () {
        const { requestState = "" } = yield* call("deploy", first)
        const at = position % (requestState.length + 1)
        const altered = requestState.slice(0, at) + text + requestState.slice(at + 1)
        if (altered === requestState) return
        checkRefused(yield* call("deploy", { ...first, inputResponses: answers, requestState: altered }))
      })
  )
})
