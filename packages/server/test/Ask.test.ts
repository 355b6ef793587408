import { assert, describe, it } from "@effect/vitest"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Ask from "@pushbutton/server/Ask"
import type * as Decision from "@pushbutton/server/Decision"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as McpServer from "@pushbutton/server/McpServer"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { accept, answering, call, everything } from "./support/client.js"
import { modern, send, session } from "./support/conversation.js"
import { makeInFlight } from "./support/inFlight.js"
import { captureLogs, quiet } from "./support/logs.js"

const Name = Schema.Struct({ name: Schema.String })
const askName = Ask.form("user_name", { message: "Who are you?", schema: Name })
const askModel = Ask.sample("model", {
  messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
  maxTokens: 10
})

const show = (outcome: unknown) => JSON.stringify(outcome)

/** A server of one tool that runs the effect. */
const serving = (
  handler: Effect.Effect<string, unknown, RequestContext>,
  options: Partial<McpServer.Options> = {}
) =>
  Layer.provideMerge(
    McpServer.tools(Tool.make("t", { input: Schema.Struct({}), handler: () => handler })),
    McpServer.layer({ name: "test", version: "1", ...options })
  )

/** Runs the client against a server of one tool. */
const withTool = <A, E>(
  handler: Effect.Effect<string, unknown, RequestContext>,
  client: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof serving>>>,
  options: Partial<McpServer.Options> = {}
) => client.pipe(Effect.provide(serving(handler, options)), Effect.provide(quiet))

const greet = Effect.map(askName, (outcome) =>
  outcome._tag === "Accepted" ? `Hello ${outcome.content.name}!` : outcome._tag
)

const nameRequest = {
  user_name: {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: "Who are you?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
    }
  }
}

describe("Ask", () => {
  describe("a call that asks", () => {
    // verifies: MRTR-02, MRTR-04, ELIC-03, TOOL-32, MRTR-01, MRTR-05, IN-21, IN-02, IN-01
    it.effect("ends with what it asks and a state, and nothing else", () =>
      withTool(
        greet,
        Effect.gen(function* () {
          const { requestState, result } = yield* call("t")
          assert.isString(requestState)
          assert.deepStrictEqual(result, {
            resultType: "input_required",
            inputRequests: nameRequest,
            requestState,
            _meta: { "io.modelcontextprotocol/serverInfo": { name: "test", version: "1" } }
          })
        })
      )
    )

    it.effect("completes when it comes back with the answer", () =>
      withTool(
        greet,
        Effect.gen(function* () {
          const asked = yield* call("t")
          const done = yield* call("t", answering(asked, { user_name: accept({ name: "Ada" }) }))
          assert.strictEqual(done.resultType, "complete")
          assert.strictEqual(done.text, "Hello Ada!")
        })
      )
    )

    it.effect("completes without the state too, as there is nothing to remember", () =>
      withTool(
        greet,
        Effect.gen(function* () {
          const done = yield* call("t", { inputResponses: { user_name: accept({ name: "Ada" }) } })
          assert.strictEqual(done.text, "Hello Ada!")
        })
      )
    )

    // verifies: ELIC-20, ELIC-19, P-70
    it.effect("takes a decline and a dismissal for answers", () =>
      withTool(
        greet,
        Effect.gen(function* () {
          const asked = yield* call("t")
          assert.strictEqual(
            (yield* call("t", answering(asked, { user_name: { action: "decline" } }))).text,
            "Declined"
          )
          assert.strictEqual(
            (yield* call("t", answering(asked, { user_name: { action: "cancel" } }))).text,
            "Cancelled"
          )
        })
      )
    )

    const unusable: ReadonlyArray<readonly [string, object]> = [
      ["none", {}],
      ["one under another key", { other: accept({ name: "Ada" }) }],
      ["a number", { user_name: 12345 }],
      ["null", { user_name: null }],
      ["an unknown action", { user_name: { action: "maybe" } }],
      ["a missing field", { user_name: accept({}) }],
      ["no content", { user_name: accept() }],
      ["a field of another type", { user_name: accept({ name: 3 }) }],
      [
        "an inherited member",
        JSON.parse('{"__proto__":{"user_name":{"action":"accept","content":{"name":"x"}}}}')
      ]
    ]

    for (const [name, responses] of unusable) {
      // verifies: MRTR-23, MRTR-26, ELIC-23, P-70, IN-16
      it.effect(`asks again when the answer is ${name}`, () =>
        withTool(
          greet,
          Effect.gen(function* () {
            const asked = yield* call("t")
            const again = yield* call("t", answering(asked, responses))
            assert.deepStrictEqual(again.inputRequests, nameRequest)
            assert.notStrictEqual(again.requestState, asked.requestState)
            const done = yield* call("t", answering(again, { user_name: accept({ name: "Ada" }) }))
            assert.strictEqual(done.text, "Hello Ada!")
          })
        )
      )
    }

    it.effect("asks again for what was an answer and is none any more", () => {
      let strict = false
      const Picky = Schema.Struct({
        name: Schema.String.pipe(Schema.filter((name) => !strict || name === "Ada"))
      })
      const ask = Ask.orFail(Ask.form("user_name", { message: "Who are you?", schema: Picky }))
      return withTool(
        Effect.flatMap(ask, ({ name }) => Effect.as(Ask.orFail(Ask.roots()), `Hello ${name}!`)),
        Effect.gen(function* () {
          const asked = yield* call("t")
          const roots = yield* call("t", answering(asked, { user_name: accept({ name: "Eve" }) }))
          assert.deepStrictEqual(Object.keys(roots.inputRequests), ["roots"])
          strict = true
          const again = yield* call("t", answering(roots, { roots: { roots: [] } }))
          assert.deepStrictEqual(again.inputRequests, nameRequest)
          const last = yield* call("t", answering(again, { user_name: accept({ name: "Ada" }) }))
          const done = yield* call("t", answering(last, { roots: { roots: [] } }))
          assert.strictEqual(done.text, "Hello Ada!")
        })
      )
    })

    // verifies: MRTR-25, P-70, IN-23
    it.effect("ignores answers to what was not asked", () =>
      withTool(
        greet,
        Effect.gen(function* () {
          const asked = yield* call("t")
          const responses = { extra: 1, user_name: accept({ name: "Ada", admin: true }) }
          assert.strictEqual((yield* call("t", answering(asked, responses))).text, "Hello Ada!")
        })
      )
    )

    // verifies: MRTR-24, P-70
    it.effect("refuses responses that are no map", () =>
      withTool(
        greet,
        Effect.gen(function* () {
          for (const inputResponses of [null, [], "x"]) {
            const { error, status } = yield* call("t", { inputResponses })
            assert.deepStrictEqual([status, error?.code], [200, -32602])
          }
        })
      )
    )

    // verifies: IN-24
    it.effect("is given up after its last round", () =>
      withTool(
        greet,
        Effect.gen(function* () {
          let reply = yield* call("t")
          for (let round = 1; round < 3; round++) reply = yield* call("t", answering(reply, {}))
          assert.deepStrictEqual(reply.inputRequests, nameRequest)
          const last = yield* call("t", answering(reply, { user_name: 1 }))
          assert.deepStrictEqual(last.error, { code: -32602, message: "no usable answer in 3 rounds" })
          const done = yield* call("t", answering(reply, { user_name: accept({ name: "Ada" }) }))
          assert.strictEqual(done.text, "Hello Ada!")
        }),
        { maxRounds: 3 }
      )
    )
  })

  describe("several asks", () => {
    const Env = Schema.Struct({ env: Schema.Literal("staging", "prod") })
    const Sure = Schema.Struct({ sure: Schema.Boolean })
    const deploy = Effect.gen(function* () {
      const { env } = yield* Ask.orFail(Ask.form("env", { message: "Where?", schema: Env }))
      const { sure } = yield* Ask.orFail(Ask.form("sure", { message: `Really ${env}?`, schema: Sure }))
      return `${env} ${sure}`
    })

    // verifies: MRTR-11, IN-20, IN-31
    it.effect("one after the other take a round each, and keep what was answered", () =>
      withTool(
        deploy,
        Effect.gen(function* () {
          const first = yield* call("t")
          assert.deepStrictEqual(Object.keys(first.inputRequests), ["env"])
          const second = yield* call("t", answering(first, { env: accept({ env: "prod" }) }))
          assert.deepStrictEqual(Object.keys(second.inputRequests), ["sure"])
          assert.notStrictEqual(second.requestState, first.requestState)
          const done = yield* call("t", answering(second, { sure: accept({ sure: true }) }))
          assert.strictEqual(done.text, "prod true")
        })
      )
    )

    // verifies: IN-20
    it.effect("keep their first answer, whatever comes later", () =>
      withTool(
        deploy,
        Effect.gen(function* () {
          const first = yield* call("t")
          const early = { env: accept({ env: "staging" }), sure: accept({ sure: true }) }
          const second = yield* call("t", answering(first, early))
          assert.deepStrictEqual(Object.keys(second.inputRequests), ["sure"])
          const late = { env: accept({ env: "prod" }), sure: accept({ sure: false }) }
          assert.strictEqual((yield* call("t", answering(second, late))).text, "staging false")
        })
      )
    )

    const together = Effect.map(
      Ask.all({
        form: askName,
        page: Ask.url("page", { message: "Look", url: "https://a.example/x" }),
        model: askModel,
        roots: Ask.roots()
      }),
      show
    )

    const answers = {
      user_name: accept({ name: "Ada" }),
      page: { action: "decline" },
      model: { role: "assistant", model: "m", content: { type: "text", text: "Hello" } },
      roots: { roots: [{ uri: "file:///a" }] }
    }

    // verifies: MRTR-01, MRTR-06, MRTR-07, ELIC-04, ELIC-06, ELIC-10, IN-43
    it.effect("together take one round", () =>
      withTool(
        together,
        Effect.gen(function* () {
          const asked = yield* call("t")
          assert.deepStrictEqual(asked.inputRequests, {
            ...nameRequest,
            page: {
              method: "elicitation/create",
              params: { mode: "url", message: "Look", url: "https://a.example/x" }
            },
            model: {
              method: "sampling/createMessage",
              params: {
                messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
                maxTokens: 10
              }
            },
            roots: { method: "roots/list" }
          })
          const done = yield* call("t", answering(asked, answers))
          assert.deepStrictEqual(JSON.parse(done.text ?? ""), {
            form: { _tag: "Accepted", content: { name: "Ada" } },
            page: { _tag: "Declined" },
            model: {
              _tag: "Accepted",
              content: { role: "assistant", model: "m", content: [{ type: "text", text: "Hello" }] }
            },
            roots: { _tag: "Accepted", content: [{ uri: "file:///a" }] }
          })
        })
      )
    )

    // verifies: IN-23
    it.effect("together are asked again only as far as they have no answer", () =>
      withTool(
        together,
        Effect.gen(function* () {
          const asked = yield* call("t")
          const { page: _, ...some } = { ...answers, roots: { roots: "none" } }
          const again = yield* call("t", answering(asked, some))
          assert.deepStrictEqual(Object.keys(again.inputRequests), ["page", "roots"])
          const done = yield* call("t", answering(again, { page: accept(), roots: { roots: [] } }))
          const outcomes = JSON.parse(done.text ?? "")
          assert.deepStrictEqual(outcomes.page, { _tag: "Accepted" })
          assert.deepStrictEqual(outcomes.form, { _tag: "Accepted", content: { name: "Ada" } })
        })
      )
    )

    it.effect("of fibers at work at once share a round", () =>
      withTool(
        Effect.map(Effect.all([askName, askModel], { concurrency: "unbounded" }), show),
        Effect.gen(function* () {
          const asked = yield* call("t")
          assert.deepStrictEqual(Object.keys(asked.inputRequests), ["user_name", "model"])
        })
      )
    )

    // verifies: IN-11
    it.effect("under one key have one answer", () =>
      withTool(
        Effect.gen(function* () {
          return show([yield* askName, yield* askName])
        }),
        Effect.gen(function* () {
          const asked = yield* call("t")
          const done = yield* call("t", answering(asked, { user_name: { action: "decline" } }))
          assert.strictEqual(done.text, show([{ _tag: "Declined" }, { _tag: "Declined" }]))
        })
      )
    )
  })

  describe("another ask under a key", () => {
    const changing = (messages: ReadonlyArray<string>) => {
      let at = 0
      return Effect.suspend(() =>
        Effect.map(
          Ask.form("user_name", { message: messages[at++] ?? "", schema: Name }),
          (outcome) => outcome._tag
        )
      )
    }
    const logged = 'Tool t died: The ask "user_name" differs from what this call asked under that key before'

    const checkLoud = (handler: Effect.Effect<string, unknown, RequestContext>, answers: object) =>
      Effect.gen(function* () {
        const { layer, lines } = yield* captureLogs
        const client = Effect.gen(function* () {
          const asked = yield* call("t")
          return yield* call("t", answering(asked, answers))
        })
        const { error } = yield* Effect.provide(client, Layer.provide(serving(handler), layer))
        assert.deepStrictEqual(error, { code: -32603, message: "Internal error" })
        assert.deepStrictEqual(lines, [logged])
      })

    // verifies: IN-41
    it.effect("is an internal error on the next round", () =>
      checkLoud(changing(["a", "b"]), { user_name: accept({ name: "Ada" }) })
    )

    // verifies: IN-41
    it.effect("is an internal error within a round", () =>
      Effect.gen(function* () {
        const { layer, lines } = yield* captureLogs
        const twice = changing(["a", "b"])
        const handler = Effect.map(Effect.all([twice, twice], { concurrency: 2 }), show)
        const { error } = yield* Effect.provide(call("t"), Layer.provide(serving(handler), layer))
        assert.strictEqual(error?.code, -32603)
        assert.deepStrictEqual(lines, [logged])
      })
    )
  })

  describe("what the client has not declared", () => {
    const checkMissing = (
      handler: Effect.Effect<string, unknown, RequestContext>,
      capabilities: object,
      required: object
    ) =>
      withTool(
        handler,
        Effect.gen(function* () {
          const { error, status } = yield* call("t", { capabilities })
          assert.strictEqual(status, 400)
          assert.deepStrictEqual(error, {
            code: -32021,
            message: "The request needs a client capability that it does not declare",
            data: { requiredCapabilities: required }
          })
        })
      )
    const withTools = Ask.sample("model", {
      messages: [],
      maxTokens: 1,
      tools: [{ name: "t", inputSchema: { type: "object" } }]
    })
    const page = Ask.url("page", { message: "Look", url: "https://a.example" })

    // verifies: META-05, META-06, MRTR-09, P-70, DL-34
    it.effect("is an error that names it", () => checkMissing(greet, {}, { elicitation: { form: {} } }))

    // verifies: META-06, MRTR-09, ELIC-02, IN-12
    it.effect("may be a mode", () =>
      checkMissing(Effect.map(page, show), { elicitation: {} }, { elicitation: { url: {} } })
    )

    // verifies: META-06, MRTR-09, SAMP-03
    it.effect("may be tools of the model", () =>
      checkMissing(Effect.map(withTools, show), { sampling: {} }, { sampling: { tools: {} } })
    )

    // verifies: ROOT-02, MRTR-09, IN-12
    it.effect("is looked at for the whole round before anything is asked", () =>
      checkMissing(
        Effect.map(Ask.all({ askName, page, withTools, roots: Ask.roots() }), show),
        { elicitation: { form: {} } },
        { elicitation: { url: {} }, sampling: { tools: {} }, roots: {} }
      )
    )

    it.effect("does not matter for what has been answered", () =>
      withTool(
        greet,
        Effect.gen(function* () {
          const asked = yield* call("t")
          const retry = answering(asked, { user_name: accept({ name: "Ada" }) }, { capabilities: {} })
          assert.strictEqual((yield* call("t", retry)).text, "Hello Ada!")
        })
      )
    )

    it.effect("can be tested, to do without", () =>
      withTool(
        Effect.map(
          Effect.all(
            (["form", "url", "sampling", "sampling.tools", "roots"] as const).map((feature) =>
              Effect.map(Ask.supports(feature), (supported) => (supported ? [feature] : []))
            )
          ),
          (supported) => supported.flat().join()
        ),
        Effect.gen(function* () {
          assert.strictEqual(
            (yield* call("t", { capabilities: everything })).text,
            "form,url,sampling,sampling.tools,roots"
          )
          assert.strictEqual(
            (yield* call("t", { capabilities: { elicitation: {}, sampling: {} } })).text,
            "form,sampling"
          )
          assert.strictEqual((yield* call("t", { capabilities: { elicitation: { url: {} } } })).text, "url")
          assert.strictEqual((yield* call("t", { capabilities: {} })).text, "")
        })
      )
    )
  })

  describe("a handler that is left", () => {
    const asksForName = (handler: Effect.Effect<string, unknown, RequestContext>) =>
      withTool(
        handler,
        Effect.gen(function* () {
          assert.deepStrictEqual((yield* call("t")).inputRequests, nameRequest)
        })
      )
    const orElse = Effect.succeed("went on without an answer")

    // verifies: IN-42
    it.effect("cannot hold on to the request by catching every error", () =>
      asksForName(
        greet.pipe(
          Effect.catchAll(() => orElse),
          Effect.catchAllDefect(() => orElse)
        )
      )
    )

    // verifies: IN-42
    it.effect("cannot by catching every cause", () => asksForName(Effect.catchAllCause(greet, () => orElse)))

    it.effect("cannot by looking at the exit", () => asksForName(Effect.zipRight(Effect.exit(greet), orElse)))

    // verifies: IN-42
    it.effect("cannot by being uninterruptible", () =>
      asksForName(Effect.uninterruptible(Effect.catchAllCause(greet, () => orElse)))
    )

    it.effect("cannot by asking in a fiber that it does not wait for", () =>
      asksForName(Effect.zipRight(Effect.fork(greet), Effect.never))
    )

    it.effect("runs no error handler of another fiber that asks", () =>
      Effect.gen(function* () {
        const handled: Array<string> = []
        const asking = Effect.catchAllCause(greet, () => Effect.sync(() => void handled.push("handled")))
        yield* asksForName(Effect.zipRight(Effect.forkDaemon(asking), Effect.never))
        assert.deepStrictEqual(handled, [])
      })
    )

    it.effect("cannot by a time limit", () => asksForName(Effect.timeout(greet, "1 second")))

    // verifies: MRTR-10
    it.effect("has its finalizers run before the reply", () =>
      Effect.gen(function* () {
        const order: Array<string> = []
        yield* withTool(
          Effect.ensuring(
            greet,
            Effect.sync(() => void order.push("released"))
          ),
          Effect.map(call("t"), () => void order.push("replied"))
        )
        assert.deepStrictEqual(order, ["released", "replied"])
      })
    )

    it.effect("is an internal error when a finalizer dies", () =>
      withTool(
        Effect.ensuring(greet, Effect.die("finalizer")),
        Effect.gen(function* () {
          assert.deepStrictEqual((yield* call("t")).error, { code: -32603, message: "Internal error" })
        })
      )
    )
  })

  describe("a request that is ended by others", () => {
    const running = Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const handler = Effect.zipRight(Deferred.succeed(started, undefined), Effect.never)
      const dispatcher = Context.get(yield* Layer.build(serving(handler)), Dispatcher)
      const inFlight = yield* makeInFlight<number>()
      const settled = yield* Deferred.make<Decision.Reply | undefined>()
      const decision = dispatcher.decide(
        JsonRpc.classify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: JSON.parse(JSON.stringify(modern({ name: "t" })))
        }),
        { header: undefined, session: undefined }
      )
      if (decision._tag === "Call") {
        inFlight.start(1, decision.call, { notify: () => Effect.void }, (reply) =>
          Deferred.unsafeDone(settled, Effect.succeed(reply))
        )
      }
      yield* Deferred.await(started)
      return { inFlight, settled: Deferred.await(settled) }
    })

    // verifies: STDIO-09
    it.scoped("sends nothing when the client cancels, and logs nothing", () =>
      Effect.gen(function* () {
        const { layer, lines } = yield* captureLogs
        const { inFlight, settled } = yield* Effect.provide(running, layer)
        inFlight.cancel(1)
        assert.isUndefined(yield* settled)
        assert.deepStrictEqual(lines, [])
      })
    )

    it.scoped("says so when the server shuts down, and logs nothing", () =>
      Effect.gen(function* () {
        const { layer, lines } = yield* captureLogs
        const { inFlight, settled } = yield* Effect.provide(running, layer)
        yield* inFlight.drain(0)
        assert.include((yield* settled)?.text, "The server is shutting down")
        assert.deepStrictEqual(lines, [])
      })
    )
  })

  describe("where nothing can be asked", () => {
    it.effect("resolves at once, with the reason", () =>
      withTool(
        Effect.map(Effect.zip(askName, Ask.supports("form")), show),
        Effect.gen(function* () {
          const facts: Partial<Decision.Facts> = { session: session("2025-11-25") }
          const answer = yield* send(
            { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t", inputResponses: null } },
            facts
          )
          const { result } = JSON.parse(JSON.stringify(answer?.body))
          assert.deepStrictEqual(JSON.parse(result.content[0].text), [
            {
              _tag: "Unavailable",
              reason: "the client reads nothing before the response"
            },
            false
          ])
        })
      )
    )

    it.effect("fails in words that a model can read, where the answer is needed", () =>
      withTool(
        Effect.map(Ask.orFail(askName), ({ name }) => name),
        Effect.gen(function* () {
          const asked = yield* call("t")
          const refused = yield* call("t", answering(asked, { user_name: { action: "decline" } }))
          assert.deepStrictEqual([refused.isError, refused.text], [true, "The user declined."])
        })
      )
    )
  })

  describe("a request that cannot be", () => {
    // verifies: ELIC-11
    it("throws where it is made", () => {
      const nested = Schema.Struct({ address: Schema.Struct({ street: Schema.String }) })
      assert.throws(
        () => Ask.form("k", { message: "", schema: nested }),
        'A form cannot ask for this schema: property "address" is not a string, number, boolean, enum, or list of one'
      )
      assert.throws(
        () => Ask.url("k", { message: "", url: "/relative" }),
        'Ask "k": the URL is not an absolute web address'
      )
      assert.throws(
        () => Ask.sample("k", { messages: [], maxTokens: 0 }),
        'Ask "k": maxTokens has to be a positive integer'
      )
    })
  })
})
