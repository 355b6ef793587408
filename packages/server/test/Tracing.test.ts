import { assert, describe, it } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as ToolResult from "@pushbutton/server/ToolResult"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import { send, session } from "./support/conversation.js"
import { quiet } from "./support/logs.js"
import { call, start } from "./support/telling.js"

interface Seen {
  readonly name: string
  readonly kind: string
  readonly parent: string | undefined
  readonly traceId: string
  readonly attributes: Record<string, unknown>
  exit: Exit.Exit<unknown, unknown> | undefined
}

/** A tracer that keeps what it sees; the ids of spans are their names. */
const watching = (onEnd: (name: string) => void = () => {}) => {
  const spans: Array<Seen> = []
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const traceId = Option.match(parent, { onNone: () => "fresh", onSome: (found) => found.traceId })
      const seen: Seen = {
        name,
        kind,
        parent: Option.getOrUndefined(Option.map(parent, ({ spanId }) => spanId)),
        traceId,
        attributes: {},
        exit: undefined
      }
      spans.push(seen)
      return {
        _tag: "Span",
        name,
        spanId: name,
        traceId,
        parent,
        context,
        links,
        kind,
        sampled: true,
        status: { _tag: "Started", startTime },
        attributes: new Map(),
        attribute: (key, value) => {
          seen.attributes[key] = value
        },
        event: () => {},
        addLinks: () => {},
        end: (_, exit) => {
          seen.exit = exit
          onEnd(name)
        }
      }
    },
    context: (run) => run()
  })
  return { spans, layer: Layer.setTracer(tracer) }
}

const input = Schema.Struct({})

const tools = McpServer.tools(
  Tool.make("work", { input, handler: () => Effect.as(Effect.withSpan(Effect.void, "inner"), "done") }),
  Tool.make("dies", { input, handler: () => Effect.die(new Error("boom")) }),
  Tool.make("fails", { input, handler: () => Effect.succeed(ToolResult.error("no")) }),
  Tool.make("waits", { input, handler: () => Effect.never }),
  Tool.make("context", {
    input,
    handler: () => Effect.map(RequestContext, ({ trace }) => JSON.stringify(trace ?? null))
  })
)

const serving = (tracing?: boolean, options: Partial<McpServer.Options> = {}) =>
  Layer.provideMerge(
    tools,
    McpServer.layer({
      name: "test",
      version: "1",
      ...(tracing === undefined ? {} : { tracing }),
      ...options
    })
  ).pipe(Layer.withSpan("start-up"))

const traceId = "0af7651916cd43dd8448eb211c80319c"
const spanId = "b7ad6b7169203331"
const meta = { traceparent: `00-${traceId}-${spanId}-01`, tracestate: "a=1", baggage: "b=2" }

/** The spans of calls, without those of start-up. */
const spansOf = (tracing: boolean | undefined, name: string, options: { readonly meta?: object } = {}) => {
  const { layer, spans } = watching()
  return call(name, options).pipe(
    Effect.provide(serving(tracing)),
    Effect.provide(Layer.merge(layer, quiet)),
    Effect.map((messages) => ({ messages, spans: spans.filter((span) => span.name !== "start-up") }))
  )
}

describe("tracing", () => {
  it.effect("gives a request a span of its method, in the client's trace", () =>
    Effect.gen(function* () {
      const { spans } = yield* spansOf(true, "work", { meta })
      const [request, inner] = spans
      assert.deepInclude(request, {
        name: "tools/call",
        kind: "server",
        parent: spanId,
        traceId,
        exit: Exit.succeed(request?.exit?._tag === "Success" ? request.exit.value : undefined)
      })
      assert.deepStrictEqual(request?.attributes, {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2026-07-28",
        "jsonrpc.request.id": "1",
        "gen_ai.tool.name": "work"
      })
      assert.deepInclude(inner, { name: "inner", parent: "tools/call", traceId })
      assert.strictEqual(spans.length, 2)
    })
  )

  it.effect("begins a trace where the client names none, and never in that of start-up", () =>
    Effect.gen(function* () {
      for (const options of [{}, { meta: { traceparent: "00-nonsense" } }]) {
        const { spans } = yield* spansOf(true, "work", options)
        assert.deepStrictEqual(
          spans.map(({ name, parent }) => [name, parent]),
          [
            ["tools/call", undefined],
            ["inner", "tools/call"]
          ]
        )
      }
    })
  )

  it.effect("is off when left out: then the client's span is the parent of a handler's own", () =>
    Effect.gen(function* () {
      const { spans } = yield* spansOf(undefined, "work", { meta })
      assert.deepStrictEqual(
        spans.map(({ name, parent, traceId }) => [name, parent, traceId]),
        [["inner", spanId, traceId]]
      )
      const bare = yield* spansOf(undefined, "work")
      assert.deepStrictEqual(
        bare.spans.map(({ name, parent }) => [name, parent]),
        [["inner", undefined]]
      )
    })
  )

  it.effect("fails the span of a handler that dies, and answers as ever", () =>
    Effect.gen(function* () {
      const { messages, spans } = yield* spansOf(true, "dies")
      assert.deepStrictEqual(messages.at(-1).error, { code: -32603, message: "Internal error" })
      assert.strictEqual(spans[0]?.exit?._tag, "Failure")
    })
  )

  it.effect("marks the span of a tool whose result is an error", () =>
    Effect.gen(function* () {
      const { messages, spans } = yield* spansOf(true, "fails")
      assert.isTrue(messages.at(-1).result.isError)
      assert.strictEqual(spans[0]?.attributes["error.type"], "tool_error")
      assert.strictEqual(spans[0]?.exit?._tag, "Success")
    })
  )

  it.effect("answers as ever where the tracer fails", () =>
    Effect.gen(function* () {
      const { layer } = watching((name) => {
        if (name === "tools/call") throw new Error("no exporter")
      })
      const messages = yield* call("work").pipe(
        Effect.provide(serving(true)),
        Effect.provide(Layer.merge(layer, quiet))
      )
      assert.strictEqual(messages.at(-1).result.content[0].text, "done")
    })
  )

  it.effect("has the spans of a handler that runs again in that of its request", () =>
    Effect.gen(function* () {
      const { layer, spans } = watching()
      const params = { name: "work", arguments: {}, _meta: meta }
      yield* send(
        { jsonrpc: "2.0", id: 1, method: "tools/call", params },
        { session: session("2025-11-25") },
        { ask: () => Effect.succeed(true), takeBack: () => {} }
      ).pipe(
        Effect.provide(serving(true, { legacyAsks: { handlers: "replay" } })),
        Effect.provide(Layer.merge(layer, quiet))
      )
      assert.deepStrictEqual(
        spans.flatMap(({ name, parent }) => (name === "start-up" ? [] : [[name, parent]])),
        [
          ["tools/call", spanId],
          ["inner", "tools/call"]
        ]
      )
    })
  )

  it.effect("ends the span of a request that is cancelled, which gets no response", () =>
    Effect.gen(function* () {
      const { layer, spans } = watching()
      yield* Effect.gen(function* () {
        const { answered, cancel, messages } = yield* start("waits")
        yield* cancel
        assert.isFalse(yield* answered)
        assert.deepStrictEqual(messages, [])
        const exit = spans.find(({ name }) => name === "tools/call")?.exit
        assert.isTrue(exit !== undefined && Exit.isInterrupted(exit))
      }).pipe(Effect.scoped, Effect.provide(serving(true)), Effect.provide(layer))
    })
  )
})

describe("RequestContext", () => {
  // verifies: META-18
  it.effect("has the trace that the client's metadata names", () =>
    Effect.gen(function* () {
      const { messages } = yield* spansOf(undefined, "context", { meta })
      assert.deepStrictEqual(JSON.parse(messages.at(-1).result.content[0].text), {
        parent: { traceId, spanId, isSampled: true },
        ...meta
      })
      const without = yield* spansOf(undefined, "context")
      assert.strictEqual(without.messages.at(-1).result.content[0].text, "null")
    })
  )
})
