import * as DiagnosticsChannel from "node:diagnostics_channel"
import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as Log from "@pushbutton/server/Log"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import * as Resource from "@pushbutton/server/Resource"
import { Subscriptions } from "@pushbutton/server/Subscriptions"
import * as Tool from "@pushbutton/server/Tool"
import { ToolRegistry } from "@pushbutton/server/ToolRegistry"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import type * as HttpTransport from "../src/HttpTransport.js"
import * as Client from "./support/client.js"
import type { Json } from "./support/json.js"
import { connectionLost, inScope, startWith } from "./support/server.js"
import * as Sse from "./support/sse.js"
import { makeWaiting } from "./support/tools.js"

const toolOf = (name: string, work: Effect.Effect<unknown, never, RequestContext> = Effect.void) =>
  Tool.make(name, { input: Schema.Struct({}), handler: () => Effect.as(work, name) })

const serve = (
  tools: ReadonlyArray<Tool.Tool<RequestContext>>,
  options: Partial<HttpTransport.Options> = {}
) =>
  Effect.gen(function* () {
    const server = yield* Layer.build(
      Layer.mergeAll(
        McpServer.tools(...tools),
        McpServer.resources(Resource.make("note:///a", { name: "note", handler: () => Effect.succeed("") }))
      ).pipe(
        Layer.provideMerge(
          McpServer.layer({
            name: "tests",
            version: "1",
            logging: true,
            subscriptions: { window: "1 millis" }
          })
        )
      )
    )
    const { port } = yield* startWith(Layer.succeedContext(server), { sse: {}, ...options })
    return {
      port,
      url: `http://127.0.0.1:${port}/sse`,
      update: (uri: string) => Context.get(server, Subscriptions).resourceUpdated(uri),
      addTool: (name: string) => Context.get(server, ToolRegistry).add([toolOf(name)])
    }
  })

const methods = (client: Sse.SseClient) => client.taken.flatMap(({ method }) => (method ? [method] : []))

/** Completes when the head of the request with this `x-marker` header has been handled. */
const arrived = (marker: string) =>
  Effect.gen(function* () {
    const done = yield* Deferred.make<void>()
    const onStart = (message: Json) => {
      if (message.request.headers["x-marker"] === marker) {
        setImmediate(() => Deferred.unsafeDone(done, Effect.void))
      }
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => DiagnosticsChannel.subscribe("http.server.request.start", onStart)),
      () => Effect.sync(() => DiagnosticsChannel.unsubscribe("http.server.request.start", onStart))
    )
    return Deferred.await(done)
  })

describe("a session of HTTP+SSE", () => {
  // verifies: HS-10, LC-08, RE-03, TO-02
  it.scopedLive("is told of changes on its stream, once it is ready, and of nobody else's", () =>
    Effect.gen(function* () {
      const { addTool, update, url } = yield* serve([toolOf("echo")])
      const client = yield* Sse.connect(url)
      const other = yield* Sse.connectLegacy(url)
      yield* client.tell(
        Sse.initialize("2024-11-05"),
        Sse.request(1, "resources/subscribe", { uri: "note:///a" })
      )
      yield* client.answerTo(1)
      yield* update("note:///a")
      yield* addTool("more")
      assert.strictEqual((yield* other.next).method, "notifications/tools/list_changed")
      yield* client.tell(Sse.request(2, "ping"))
      yield* client.answerTo(2)
      assert.deepStrictEqual(methods(client), [])
      yield* client.tell(Sse.notification("notifications/initialized"))
      const told = [yield* client.next, yield* client.next].map(({ method }) => method)
      assert.sameMembers(told, ["notifications/resources/updated", "notifications/tools/list_changed"])
      yield* other.tell(Sse.request(1, "ping"))
      yield* other.answerTo(1)
      assert.deepStrictEqual(methods(other), ["notifications/tools/list_changed"])
    })
  )

  // verifies: LO-02, PG-02, HS-03
  it.scopedLive("has the progress and the logs of its requests ahead of their responses", () =>
    Effect.gen(function* () {
      const work = Effect.zipRight(
        Progress.report({ progress: 1, message: "step" }),
        Effect.zipRight(Log.send("info", "low"), Log.send("error", "high"))
      )
      const { url } = yield* serve([toolOf("work", work)])
      const client = yield* Sse.connectLegacy(url)
      yield* client.tell(
        Sse.request("level", "logging/setLevel", { level: "warning" }),
        Sse.call(1, "work", {}, { progressToken: 7 })
      )
      yield* client.answerTo("level")
      assert.deepStrictEqual((yield* client.next).params, { progressToken: 7, progress: 1 })
      assert.deepStrictEqual((yield* client.next).params, { level: "error", data: "high" })
      assert.strictEqual((yield* client.next).id, 1)
    })
  )

  // verifies: HS-10, CA-02
  it.scopedLive("is asked on its stream, and answers by POST", () =>
    Effect.gen(function* () {
      const form = Ask.form("name", { message: "Name?", schema: Schema.Struct({ name: Schema.String }) })
      const outcome = yield* Deferred.make<Json>()
      const ask = toolOf(
        "ask",
        Effect.flatMap(form, (answer) => Deferred.succeed(outcome, answer))
      )
      const { url } = yield* serve([ask])
      const client = yield* Sse.connectLegacy(url, "2025-06-18", { elicitation: {} })
      yield* client.tell(Sse.call(1, "ask"))
      const { id, method } = yield* client.next
      assert.strictEqual(method, "elicitation/create")
      yield* client.tell({ jsonrpc: "2.0", id, result: { action: "accept", content: { name: "Ada" } } })
      assert.strictEqual((yield* client.next).id, 1)
      assert.deepInclude(yield* Deferred.await(outcome), { _tag: "Accepted" })
      yield* client.tell(Sse.call(2, "ask"))
      const again = yield* client.next
      yield* client.tell(Sse.cancel(2))
      const taken = yield* client.next
      assert.strictEqual(taken.method, "notifications/cancelled")
      assert.strictEqual(taken.params.requestId, again.id)
    })
  )

  // verifies: CA-01, CA-05, LC-27
  it.scopedLive("cancels its own requests, by value and type, and nobody else's", () =>
    Effect.gen(function* () {
      const one = yield* makeWaiting
      const { url } = yield* serve([one.tool, toolOf("echo")])
      const client = yield* Sse.connectLegacy(url)
      const other = yield* Sse.connectLegacy(url)
      yield* client.tell(Sse.call(1, "wait"))
      yield* Deferred.await(one.started)
      yield* client.tell(Sse.call(1, "echo"), Sse.cancel("1"))
      yield* other.tell(Sse.cancel(1), Sse.call(1, "echo"))
      assert.property(yield* other.next, "result")
      assert.strictEqual((yield* client.next).error.code, -32600)
      yield* client.tell(Sse.cancel(1))
      yield* Deferred.await(one.interrupted)
      yield* client.tell(Sse.call(1, "echo"))
      assert.property(yield* client.next, "result")
      assert.deepStrictEqual(
        client.taken.map(({ id }) => id),
        ["init", 1, 1]
      )
    })
  )

  // verifies: HS-06, LC-06
  it.scopedLive("ends with its stream, and what it runs is interrupted", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* serve([wait.tool])
      const lost = yield* connectionLost("stream")
      const client = yield* Sse.connectLegacy(url, "2024-11-05", {}, {}, "stream")
      yield* client.tell(Sse.call(1, "wait"))
      yield* Deferred.await(wait.started)
      client.response.destroy()
      yield* Deferred.await(wait.interrupted)
      yield* lost
      assert.strictEqual((yield* client.post(Sse.request(2, "ping"))).status, 404)
    })
  )

  it.scopedLive("is not found by a message that was still on its way when the stream ended", () =>
    Effect.gen(function* () {
      const touched = yield* Deferred.make<void>()
      const { port, url } = yield* serve([toolOf("touch", Deferred.succeed(touched, undefined))])
      const lost = yield* connectionLost("stream")
      const client = yield* Sse.connectLegacy(url, "2024-11-05", {}, {}, "stream")
      const body = JSON.stringify(Sse.call(1, "touch"))
      const { pathname, search } = new URL(client.messages)
      const connection = yield* Client.connect(port)
      const head = [
        `POST ${pathname}${search} HTTP/1.1`,
        "Host: localhost",
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
        "Expect: 100-continue"
      ]
      connection.write(`${head.join("\r\n")}\r\n\r\n`)
      yield* connection.until("100 Continue")
      client.response.destroy()
      yield* lost
      connection.write(body)
      yield* connection.until("HTTP/1.1 404")
      assert.isFalse(yield* Deferred.isDone(touched))
    })
  )

  // verifies: HS-06
  it.scopedLive("belongs to whoever opened it", () =>
    Effect.gen(function* () {
      const who = toolOf("who")
      const { url } = yield* serve([who], { principalOf: ({ header }) => header("x-user") })
      const client = yield* Sse.connectLegacy(url, "2024-11-05", {}, { "x-user": "ada" })
      assert.strictEqual((yield* client.post(Sse.request(1, "ping"), { "x-user": "eve" })).status, 404)
      yield* client.tell(Sse.request(2, "ping"))
      assert.strictEqual((yield* client.next).id, 2)
    })
  )
})

describe("the streams of HTTP+SSE", () => {
  it.scopedLive("are so many at a time, and one that ends makes room", () =>
    Effect.gen(function* () {
      const { url } = yield* serve([toolOf("echo")], { sse: { cap: 2 } })
      const lost = yield* connectionLost("first")
      const first = yield* Sse.connect(url, {}, "first")
      const second = yield* Sse.connectLegacy(url)
      const refused = yield* Client.send({ url, method: "GET" })
      assert.deepStrictEqual(
        [refused.status, JSON.parse(refused.body).error],
        [503, { code: -32603, message: "Too many event streams are open (limit 2): try again later" }]
      )
      first.response.destroy()
      yield* lost
      yield* Sse.connectLegacy(url)
      yield* second.tell(Sse.request(1, "ping"))
      assert.strictEqual((yield* second.next).id, 1)
    })
  )

  // verifies: SH-63
  it.scopedLive("say that they are alive", () =>
    Effect.gen(function* () {
      const { url } = yield* serve([toolOf("echo")], { keepAlive: "20 millis" })
      const stream = yield* Client.stream({ url, method: "GET" })
      assert.match(yield* stream.next, /^event: endpoint\n/)
      assert.strictEqual(yield* stream.next, ": keep-alive")
    })
  )

  it.scopedLive("hold up whoever does not read them: what it posts is not read either", () =>
    Effect.gen(function* () {
      const touched = yield* Deferred.make<void>()
      const large = Tool.make("large", {
        input: Schema.Struct({}),
        handler: () => Effect.succeed("x".repeat(10_000_000))
      })
      const { addTool, url } = yield* serve([large, toolOf("touch", Deferred.succeed(touched, undefined))])
      const client = yield* Sse.connectLegacy(url)
      client.response.pause()
      yield* client.tell(Sse.call(1, "large"))
      const here = yield* arrived("second")
      const posting = yield* Effect.fork(client.post(Sse.call(2, "touch"), { "x-marker": "second" }))
      yield* here
      const other = yield* Sse.connectLegacy(url)
      yield* other.tell(Sse.request(1, "ping"))
      yield* other.answerTo(1)
      yield* addTool("more")
      assert.strictEqual((yield* other.next).method, "notifications/tools/list_changed")
      assert.isFalse(yield* Deferred.isDone(touched))
      client.response.resume()
      assert.strictEqual((yield* Fiber.join(posting)).status, 202)
      yield* client.answerTo(2)
      assert.deepStrictEqual(methods(client), ["notifications/tools/list_changed"])
    })
  )

  it.scoped("are given up on by messages that have waited long enough for their reader", () =>
    Effect.gen(function* () {
      const large = Tool.make("large", {
        input: Schema.Struct({}),
        handler: () => Effect.succeed("x".repeat(10_000_000))
      })
      const { url } = yield* serve([large])
      const client = yield* Sse.connectLegacy(url)
      client.response.pause()
      yield* client.tell(Sse.call(1, "large"))
      const here = yield* arrived("second")
      const posting = yield* Effect.fork(client.post(Sse.request(2, "ping"), { "x-marker": "second" }))
      yield* here
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* Fiber.join(posting)).status, 503)
      client.response.resume()
      yield* client.answerTo(1)
      yield* client.tell(Sse.request(3, "ping"))
      assert.strictEqual((yield* client.next).id, 3)
    })
  )

  // verifies: IN-17, CA-02
  it.scopedLive("bring what is still running to its end when the server closes, and end then", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const form = Ask.form("name", { message: "Name?", schema: Schema.Struct({ name: Schema.String }) })
      const { scope, value } = yield* inScope(
        serve([wait.tool, toolOf("ask", form)], { drainGrace: "1 hour" })
      )
      const client = yield* Sse.connectLegacy(value.url, "2025-06-18", { elicitation: {} })
      yield* client.tell(Sse.call(1, "wait"), Sse.call(2, "ask"))
      yield* Deferred.await(wait.started)
      const asked = yield* client.next
      assert.strictEqual(asked.method, "elicitation/create")
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      const { method, params } = yield* client.next
      assert.deepStrictEqual([method, params.requestId], ["notifications/cancelled", asked.id])
      assert.property(yield* client.answerTo(2), "result")
      yield* Deferred.succeed(wait.gate, "done")
      assert.property(yield* client.answerTo(1), "result")
      assert.strictEqual(yield* client.ended, "")
      yield* Fiber.join(closing)
    })
  )
})
