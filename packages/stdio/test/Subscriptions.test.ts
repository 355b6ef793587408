import { PassThrough } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import { Subscriptions } from "@pushbutton/server/Subscriptions"
import * as Tool from "@pushbutton/server/Tool"
import { ToolRegistry } from "@pushbutton/server/ToolRegistry"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"

const toolOf = (name: string) =>
  Tool.make(name, { input: Schema.Struct({}), handler: () => Effect.succeed("echo") })

/** Starts, and waits until the test lets it end. */
const makeWaiting = Effect.gen(function* () {
  const started = yield* Deferred.make<void>()
  const gate = yield* Deferred.make<string>()
  const tool = Tool.make("wait", {
    input: Schema.Struct({}),
    handler: () => Effect.zipRight(Deferred.succeed(started, undefined), Deferred.await(gate))
  })
  return { tool, started, gate }
})

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: unknown
  readonly error?: unknown
}

/** A server on two streams in a scope of its own, whose tools and events the test controls. */
const connect = (
  tools: ReadonlyArray<Tool.Tool<RequestContext>> = [toolOf("echo")],
  options: StdioTransport.Options = {},
  limits: McpServer.Options["subscriptions"] = {}
) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    const input = new PassThrough()
    const output = new PassThrough()
    const messages = yield* Queue.unbounded<Message>()
    let rest = ""
    output.setEncoding("utf8").on("data", (text: string) => {
      const parts = (rest + text).split("\n")
      rest = parts.pop() ?? ""
      for (const part of parts) Queue.unsafeOffer(messages, JSON.parse(part))
    })
    const server = yield* Layer.buildWithScope(
      McpServer.tools(...tools).pipe(
        Layer.provideMerge(
          McpServer.layer({ name: "test", version: "1", subscriptions: { window: "1 millis", ...limits } })
        )
      ),
      scope
    )
    const subscriptions = Context.get(server, Subscriptions)
    yield* Scope.extend(
      subscriptions.extend({ member: "topics", honour: (asked) => Either.right(asked) }),
      scope
    )
    const transport = yield* Layer.buildWithScope(
      Layer.provide(StdioTransport.layer({ input, output, ...options }), Layer.succeedContext(server)),
      scope
    )
    return {
      subscriptions,
      registry: Context.get(server, ToolRegistry),
      write: (...sent: ReadonlyArray<object>) =>
        Effect.sync(() => {
          for (const message of sent) input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
        }),
      next: Queue.take(messages),
      hangUp: Effect.sync(() => void input.end()),
      ended: Context.get(transport, StdioTransport.StdioTransport).ended,
      close: Scope.close(scope, Exit.void),
      publish: (key: string, text: string) =>
        subscriptions.publish({
          key,
          notice: { method: "notifications/topic", params: { key, text } },
          isFor: ({ extra }) => extra["topics"] === true
        })
    }
  })

const modern = (params: object) => ({
  ...params,
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {}
  }
})
const listen = (id: string | number, notifications: object) => ({
  id,
  method: "subscriptions/listen",
  params: modern({ notifications })
})
const call = (id: string | number, name: string) => ({ id, method: "tools/call", params: modern({ name }) })
const cancel = (requestId: string | number) => ({ method: "notifications/cancelled", params: { requestId } })

const tools = { toolsListChanged: true }
const topics = { topics: true }

const tag = (id: string | number) => ({ "io.modelcontextprotocol/subscriptionId": id })
const acknowledgement = (id: string | number, notifications: object) => ({
  jsonrpc: "2.0",
  method: "notifications/subscriptions/acknowledged",
  params: { notifications, _meta: tag(id) }
})
const ending = (id: string | number) => [
  {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: id, reason: "The server ends the subscription", _meta: tag(id) }
  },
  {
    jsonrpc: "2.0",
    id,
    result: {
      resultType: "complete",
      _meta: { ...tag(id), "io.modelcontextprotocol/serverInfo": { name: "test", version: "1" } }
    }
  }
]

describe("a subscription on stdio", () => {
  it.scopedLive("is acknowledged, and tells changes under its own id", () =>
    Effect.gen(function* () {
      const peer = yield* connect()
      yield* peer.write(listen(7, tools), listen("7", tools))
      assert.deepStrictEqual<unknown>(yield* peer.next, acknowledgement(7, tools))
      assert.deepStrictEqual<unknown>(yield* peer.next, acknowledgement("7", tools))
      yield* Scope.extend(peer.registry.add([toolOf("b")]), yield* Effect.scope)
      for (const id of [7, "7"]) {
        assert.deepStrictEqual<unknown>(yield* peer.next, {
          jsonrpc: "2.0",
          method: "notifications/tools/list_changed",
          params: { _meta: tag(id) }
        })
      }
    })
  )

  // verifies: SUB-07, SUB-05, SUB-06
  it.scopedLive("is acknowledged first, whatever changes meanwhile", () =>
    Effect.gen(function* () {
      const peer = yield* connect([toolOf("echo")], {}, { window: 0 })
      const changing = yield* Effect.forkScoped(
        Effect.forever(Effect.zipRight(peer.publish("a", "news"), Effect.yieldNow()))
      )
      const seen = new Set<unknown>()
      for (let id = 0; id < 100; id++) yield* peer.write(listen(id, topics))
      while (seen.size < 100) {
        const { method, params } = yield* peer.next
        const id = JSON.stringify(params?.["_meta"])
        if (method === "notifications/subscriptions/acknowledged") seen.add(id)
        else assert.isTrue(seen.has(id), `${method} before its acknowledgement`)
      }
      yield* Fiber.interrupt(changing)
    })
  )

  // verifies: SUB-20, P-74
  it.scopedLive("says nothing more once it is cancelled", () =>
    Effect.gen(function* () {
      const peer = yield* connect()
      yield* peer.write(listen(1, topics), listen("1", topics))
      yield* peer.next
      yield* peer.next
      yield* peer.write(cancel(1), call(2, "echo"))
      assert.strictEqual((yield* peer.next).id, 2)
      yield* peer.publish("a", "news")
      assert.deepStrictEqual((yield* peer.next).params?.["_meta"], tag("1"))
      assert.strictEqual(peer.subscriptions.size(), 1)
      yield* peer.write(listen(1, topics))
      assert.deepStrictEqual<unknown>(yield* peer.next, acknowledgement(1, topics))
      yield* peer.close
      const last = [yield* peer.next, yield* peer.next, yield* peer.next, yield* peer.next]
      assert.deepStrictEqual<unknown>(last, [...ending("1"), ...ending(1)])
    })
  )

  it.scopedLive("shares its ids with calls", () =>
    Effect.gen(function* () {
      const { gate, started, tool } = yield* makeWaiting
      const peer = yield* connect([toolOf("echo"), tool])
      const inUse = (id: string | number) => ({
        jsonrpc: "2.0",
        id,
        error: { code: -32600, message: "A request with this id is still in flight" }
      })
      yield* peer.write(listen("l", tools), call("c", "wait"))
      yield* Deferred.await(started)
      yield* peer.next
      yield* peer.write(listen("l", tools), call("l", "echo"), listen("c", tools))
      for (const id of ["l", "l", "c"]) assert.deepStrictEqual<unknown>(yield* peer.next, inUse(id))
      assert.strictEqual(peer.subscriptions.size(), 1)
      yield* Deferred.succeed(gate, "done")
      assert.strictEqual((yield* peer.next).id, "c")
    })
  )

  // verifies: P-73
  it.scopedLive("ends at once when nothing is granted", () =>
    Effect.gen(function* () {
      const peer = yield* connect()
      yield* peer.write(listen(1, { promptsListChanged: true }))
      assert.deepStrictEqual<unknown>(yield* peer.next, acknowledgement(1, {}))
      assert.deepStrictEqual<unknown>(yield* peer.next, ending(1)[1])
      yield* peer.write(call(1, "echo"))
      assert.isDefined((yield* peer.next).result)
    })
  )

  // verifies: SUB-18, CANC-07, P-74
  it.scopedLive("is told of its end and answered when the layer closes, before calls are waited for", () =>
    Effect.gen(function* () {
      const { gate, started, tool } = yield* makeWaiting
      const peer = yield* connect([tool], { drainGrace: "1 hour" })
      yield* peer.write(listen(7, { ...tools, ...topics }), call("c", "wait"))
      yield* peer.next
      yield* Deferred.await(started)
      yield* peer.publish("a", "last news")
      const closing = yield* Effect.fork(peer.close)
      assert.strictEqual((yield* peer.next).params?.["text"], "last news")
      assert.deepStrictEqual<unknown>([yield* peer.next, yield* peer.next], ending(7))
      yield* Deferred.succeed(gate, "done")
      assert.strictEqual((yield* peer.next).id, "c")
      yield* Fiber.join(closing)
      assert.strictEqual(peer.subscriptions.size(), 0)
    })
  )

  it.scopedLive("ends when the peer hangs up", () =>
    Effect.gen(function* () {
      const peer = yield* connect()
      yield* peer.write(listen(7, tools))
      yield* peer.next
      yield* peer.hangUp
      yield* peer.ended
      assert.deepStrictEqual<unknown>([yield* peer.next, yield* peer.next], ending(7))
      assert.strictEqual(peer.subscriptions.size(), 0)
    })
  )
})
