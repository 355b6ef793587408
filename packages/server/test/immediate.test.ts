/** Handlers that do their work when they are called, and have their answer at once: they run without a fiber. */
import { assert, describe, it } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Prompt from "@pushbutton/server/Prompt"
import * as Resource from "@pushbutton/server/Resource"
import * as Tool from "@pushbutton/server/Tool"
import * as ToolResult from "@pushbutton/server/ToolResult"
import * as TestSession from "@pushbutton/server/testing/TestSession"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { modern, send } from "./support/conversation.js"
import { captureLogs } from "./support/logs.js"

const input = Schema.Struct({})

const session = () => TestSession.make({ version: "2025-11-25", clientCapabilities: { elicitation: {} } })

/** Handlers could ask, and none does. */
const questions = { ask: () => Effect.succeed(true), takeBack: () => {} }

interface Way {
  readonly options: Partial<McpServer.Options>
  readonly facts: () => Parameters<typeof send>[1]
  readonly isModern: boolean
}

const ways: Readonly<Record<string, Way>> = {
  "2026-07-28": { options: {}, facts: () => ({}), isModern: true },
  "2026-07-28, traced": { options: { tracing: true }, facts: () => ({}), isModern: true },
  "2026-07-28, logging": { options: { logging: true }, facts: () => ({}), isModern: true },
  "2025-11-25": { options: {}, facts: () => ({ session: session() }), isModern: false },
  "2025-11-25, handlers that run again": {
    options: { legacyAsks: { handlers: "replay" } },
    facts: () => ({ session: session() }),
    isModern: false
  }
}

const meta = { "io.modelcontextprotocol/logLevel": "debug", progressToken: 1 }

const counting = () => {
  let runs = 0
  const count = () => String(++runs)
  return {
    runs: () => runs,
    server: Layer.mergeAll(
      McpServer.tools(
        Tool.make("plain", { input, handler: () => Effect.succeed(count()) }),
        Tool.make("structured", {
          input,
          output: Schema.Struct({ runs: Schema.String }),
          handler: () => Effect.succeed({ runs: count() })
        }),
        Tool.fromJsonSchema("raw", {
          inputSchema: { type: "object" },
          handler: () => Effect.succeed(count())
        }),
        Tool.make("throws", {
          input,
          handler: (): Effect.Effect<string> => {
            throw new Error(`run ${count()}`)
          }
        }),
        Tool.make("unwritable", {
          input,
          handler: () => Effect.succeed(ToolResult.content(count(), { structured: 1n as never }))
        }),
        Tool.make("waits", { input, handler: () => Effect.as(Effect.yieldNow(), count()) })
      ),
      McpServer.prompts(Prompt.make("prompt", { handler: () => Effect.succeed(count()) })),
      McpServer.resources(
        Resource.make("test://one", { name: "one", handler: () => Effect.succeed(count()) })
      )
    )
  }
}

const tool = (name: string) => ({ method: "tools/call", params: { name, arguments: {} } })

const requests = {
  plain: tool("plain"),
  structured: tool("structured"),
  raw: tool("raw"),
  throws: tool("throws"),
  unwritable: tool("unwritable"),
  waits: tool("waits"),
  prompt: { method: "prompts/get", params: { name: "prompt" } },
  resource: { method: "resources/read", params: { uri: "test://one" } }
}

const cases = Object.entries(ways).flatMap(([way, { facts, isModern, options }]) =>
  Object.entries(requests).map(([name, { method, params }]) => ({
    name,
    options,
    facts,
    message: { jsonrpc: "2.0", id: 1, method, params: isModern ? modern(params, meta) : params },
    toString: () => `${name} (${way})`
  }))
)

/** How a handler gives its effect. */
type Begin = <A, E>(make: () => Effect.Effect<A, E>) => Effect.Effect<A, E>

class Refusal extends Data.TaggedError("Refusal")<{ readonly message: string }> {}

/** The same handlers, which begin as they are called or as they are run. */
const offering = (begin: Begin) => {
  const refuse = () => begin(() => Effect.fail(new Refusal({ message: "no" })))
  const dies = () => begin((): Effect.Effect<string> => Effect.die("secret"))
  const throws = () =>
    begin((): Effect.Effect<string> => {
      throw new Error("thrown")
    })
  const given = (value: unknown) => () => begin(() => value as Effect.Effect<string>)
  const output = Schema.Struct({ n: Schema.Int })
  return Layer.mergeAll(
    McpServer.tools(
      Tool.make("text", { input, handler: () => begin(() => Effect.succeed("text")) }),
      Tool.make("refuses", { input, handler: refuse }),
      Tool.make("dies", { input, handler: dies }),
      Tool.make("throws", { input, handler: throws }),
      Tool.make("gives-undefined", { input, handler: given(undefined) }),
      Tool.make("gives-a-promise", { input, handler: given(Promise.resolve("x")) }),
      Tool.make("structured", { input, output, handler: () => begin(() => Effect.succeed({ n: 1 })) }),
      Tool.make("misfit", { input, output, handler: () => begin(() => Effect.succeed({ n: 0.5 })) }),
      Tool.make("whole", {
        input,
        output,
        handler: () => begin(() => Effect.succeed(ToolResult.content("", { structured: { n: "x" } })))
      }),
      Tool.fromJsonSchema("raw", {
        inputSchema: { type: "object", required: ["a"] },
        outputSchema: { type: "object", required: ["b"] },
        handler: ({ a }) => begin(() => Effect.succeed(a === 1 ? { b: 1 } : { c: 1 }))
      })
    ),
    McpServer.prompts(
      Prompt.make("prompt", {
        arguments: [{ name: "word" }],
        complete: { word: (value) => begin(() => Effect.succeed([`${value}a`])) },
        handler: () => begin(() => Effect.succeed("text"))
      }),
      Prompt.make("refuses", { handler: refuse }),
      Prompt.make("dies", { handler: dies })
    ),
    McpServer.resources(
      Resource.make("test://text", { name: "text", handler: () => begin(() => Effect.succeed("text")) }),
      Resource.make("test://refuses", { name: "refuses", handler: refuse }),
      Resource.make("test://gone", {
        name: "gone",
        handler: () => begin(() => Effect.fail(new Resource.ResourceNotFound()))
      }),
      Resource.template("test://{word}/x", {
        name: "template",
        handler: ({ word }) => begin(() => Effect.succeed(word))
      })
    )
  )
}

const toolCall = (name: string, args: object = {}) => ({
  method: "tools/call",
  params: { name, arguments: args }
})

const asked = [
  ...[
    "text",
    "refuses",
    "dies",
    "throws",
    "gives-undefined",
    "gives-a-promise",
    "structured",
    "misfit",
    "whole"
  ].map((name) => toolCall(name)),
  toolCall("text", { stray: 1 }),
  {
    method: "tools/call",
    params: { name: "text", arguments: {}, inputResponses: { a: { action: "decline" } } }
  },
  toolCall("raw"),
  toolCall("raw", { a: 1 }),
  toolCall("raw", { a: 2 }),
  ...["prompt", "refuses", "dies"].map((name) => ({ method: "prompts/get", params: { name } })),
  ...["test://text", "test://refuses", "test://gone", "test://a/x"].map((uri) => ({
    method: "resources/read",
    params: { uri }
  })),
  {
    method: "completion/complete",
    params: { ref: { type: "ref/prompt", name: "prompt" }, argument: { name: "word", value: "b" } }
  }
]

const parities = Object.entries(ways).flatMap(([way, { facts, isModern, options }]) =>
  asked.map(({ method, params }) => ({
    options,
    facts,
    message: { jsonrpc: "2.0", id: 1, method, params: isModern ? modern(params, meta) : params },
    toString: () => `${method} ${JSON.stringify(params)} (${way})`
  }))
)

describe("a handler that has its answer at once", () => {
  it.effect.each(cases)("is called once for each request: %s", ({ facts, message, name, options }) =>
    Effect.gen(function* () {
      const { runs, server } = counting()
      const logs = yield* captureLogs
      const served = Layer.provideMerge(
        server,
        McpServer.layer({ name: "test", version: "1", ...options })
      ).pipe(Layer.provideMerge(logs.layer))
      const [first, second] = yield* Effect.provide(
        Effect.all([send(message, facts(), questions), send(message, facts(), questions)]),
        served
      )
      assert.strictEqual(runs(), 2)
      const dies = name === "throws" || name === "unwritable"
      for (const answer of [first, second]) {
        assert.strictEqual(JSON.stringify(answer?.body).includes('"code":-32603'), dies)
      }
      assert.deepStrictEqual(
        logs.lines.map((line) => line.startsWith(`Tool ${name} died: `)),
        dies ? [true, true] : []
      )
    })
  )

  it.effect.each(parities)("is answered like one that takes its time: %s", ({ facts, message, options }) =>
    Effect.gen(function* () {
      const conversation = (begin: Begin) =>
        Effect.gen(function* () {
          const logs = yield* captureLogs
          const served = Layer.provideMerge(
            offering(begin),
            McpServer.layer({ name: "test", version: "1", ...options })
          ).pipe(Layer.provideMerge(logs.layer))
          const answer = yield* Effect.provide(send(message, facts(), questions), served)
          return { answer, lines: logs.lines }
        })
      const atOnce = yield* conversation((make) => make())
      assert.deepStrictEqual(atOnce, yield* conversation(Effect.suspend))
      assert.isDefined(atOnce.answer)
    })
  )

  it.effect("is not called for a state that was not given by the server", () =>
    Effect.gen(function* () {
      const { runs, server } = counting()
      const served = Layer.provideMerge(server, McpServer.layer({ name: "test", version: "1" }))
      const params = modern({ name: "plain", arguments: {}, requestState: "forged" })
      const answer = yield* Effect.provide(
        send({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
        served
      )
      assert.include(JSON.stringify(answer?.body), "Invalid requestState")
      assert.strictEqual(runs(), 0)
    })
  )

  it.effect("fails by an error, whatever its tag", () =>
    Effect.gen(function* () {
      class Success extends Data.TaggedError("Success")<{ readonly message: string }> {}
      const failing = Tool.make("failing", { input, handler: () => new Success({ message: "it failed" }) })
      const served = Layer.provideMerge(
        McpServer.tools(failing),
        McpServer.layer({ name: "test", version: "1" })
      )
      const params = modern({ name: "failing", arguments: {} })
      const answer = yield* Effect.provide(
        send({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
        served
      )
      assert.deepInclude(JSON.parse(JSON.stringify(answer?.body)).result, {
        isError: true,
        content: [{ type: "text", text: "it failed" }]
      })
    })
  )
})
