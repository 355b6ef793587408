import { assert, describe, it } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import { send, stream } from "./support/client.js"
import * as Events from "./support/events.js"
import { initialize, legacy, modern } from "./support/messages.js"
import { start, startWith } from "./support/server.js"
import { echo, makeWaiting, steps } from "./support/tools.js"

const callSteps = (url: string, accept = "application/json, text/event-stream") =>
  modern(url, 7, "tools/call", { name: "steps", _meta: { progressToken: 0 } }, { accept })

const parse = (event: string) => {
  const [name, data = "", ...rest] = event.split("\n")
  assert.strictEqual(name, "event: message")
  assert.deepStrictEqual(rest, [])
  return JSON.parse(data.replace(/^data: /, ""))
}

describe("HttpTransport", () => {
  // verifies: HTTP-16, HTTP-19, HTTP-21, PROG-01, HTTP-14, HTTP-17, P-40
  it.scopedLive("turns a reply into an event stream when something comes before the response", () =>
    Effect.gen(function* () {
      const { url } = yield* start([steps])
      const reply = yield* stream(callSteps(url))
      assert.strictEqual(reply.status, 200)
      assert.strictEqual(reply.headers["content-type"], "text/event-stream")
      assert.strictEqual(reply.headers["cache-control"], "no-cache, no-transform")
      assert.strictEqual(reply.headers["x-accel-buffering"], "no")
      assert.deepStrictEqual(parse(yield* reply.next).params, { progressToken: 0, progress: 1, total: 2 })
      assert.deepStrictEqual(parse(yield* reply.next).params, { progressToken: 0, progress: 2, total: 2 })
      assert.deepInclude(parse(yield* reply.next), { id: 7 })
      assert.strictEqual(yield* reply.rest, "")
    })
  )

  // verifies: P-07
  it.scopedLive("sends events with bare line feeds", () =>
    Effect.gen(function* () {
      const { url } = yield* start([steps])
      const { body } = yield* send(callSteps(url))
      assert.notInclude(body, "\r")
      assert.match(body, /^(event: message\ndata: [^\n]+\n\n){3}$/)
    })
  )

  // verifies: PROG-02
  it.scopedLive("sends a notification while the call runs", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const reply = yield* stream(
        modern(url, 1, "tools/call", { name: "wait", _meta: { progressToken: "t" } })
      )
      assert.deepStrictEqual(parse(yield* reply.next).params, { progressToken: "t", progress: 1 })
      yield* Deferred.succeed(wait.gate, "done")
      assert.deepStrictEqual(parse(yield* reply.next).params, { progressToken: "t", progress: 2 })
      assert.strictEqual(parse(yield* reply.next).result.content[0].text, "done")
    })
  )

  // verifies: LOG-04, LOG-05
  it.scopedLive("sends what a handler logs to the request that asked for it, and to no other", () =>
    Effect.gen(function* () {
      const logs = Tool.make("logs", {
        input: Schema.Struct({}),
        handler: () => Effect.as(Effect.logWarning("careful"), "done")
      })
      const { url } = yield* startWith(
        Layer.provideMerge(
          McpServer.tools(logs),
          McpServer.layer({ name: "tests", version: "1", logging: true })
        )
      ).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
      const logLevel = (level: string) => ({ _meta: { "io.modelcontextprotocol/logLevel": level } })
      const reply = yield* stream(modern(url, 1, "tools/call", { name: "logs", ...logLevel("warning") }))
      assert.deepStrictEqual(parse(yield* reply.next), {
        jsonrpc: "2.0",
        method: "notifications/message",
        params: { level: "warning", data: "careful" }
      })
      assert.deepInclude(parse(yield* reply.next), { id: 1 })
      assert.strictEqual(yield* reply.rest, "")
      for (const params of [{}, logLevel("error")]) {
        const answer = yield* send(modern(url, 2, "tools/call", { name: "logs", ...params }))
        assert.strictEqual(answer.headers["content-type"], "application/json")
      }
    })
  )

  it.scopedLive("streams to legacy sessions in their own dialect", () =>
    Effect.gen(function* () {
      const { url } = yield* start([steps])
      yield* send(legacy(url, undefined, initialize()))
      const params = { name: "steps", _meta: { progressToken: 0 } }
      const reply = yield* stream(legacy(url, "id-1", { id: 2, method: "tools/call", params }))
      const next = Effect.map(reply.next, (event) => Events.parse(event).message)
      assert.isUndefined(yield* next)
      assert.deepStrictEqual((yield* next).params, { progressToken: 0, progress: 1, total: 2 })
      yield* next
      assert.deepStrictEqual((yield* next).result, { content: [{ type: "text", text: "done" }] })
    })
  )

  it.scopedLive("drops notifications for a client that takes JSON only", () =>
    Effect.gen(function* () {
      const { url } = yield* start([steps])
      const answer = yield* send(callSteps(url, "application/json"))
      assert.strictEqual(answer.headers["content-type"], "application/json")
      assert.strictEqual(JSON.parse(answer.body).result.content[0].text, "done")
    })
  )

  // verifies: P-32
  it.scopedLive("answers a client that takes event streams only with one", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const accept = "text/event-stream"
      const calls = [
        modern(url, 1, "tools/call", { name: "echo", arguments: { text: "hello" } }, { accept }),
        modern(url, 1, "tools/list", {}, { accept }),
        legacy(url, undefined, initialize(), { accept })
      ]
      for (const call of calls) {
        const answer = yield* send(call)
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.headers["content-type"], "text/event-stream")
        assert.match(answer.body, /^event: message\ndata: \{"jsonrpc"[^\n]+\n\n$/)
      }
      const refused = yield* send(modern(url, 1, "nope", {}, { accept }))
      assert.strictEqual(refused.status, 404)
      assert.strictEqual(refused.headers["content-type"], "application/json")
    })
  )

  // verifies: P-40
  it.scopedLive("keeps a silent stream open with comments", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool], { keepAlive: "1 millis" })
      const reply = yield* stream(modern(url, 1, "tools/call", { name: "wait", _meta: { progressToken: 1 } }))
      parse(yield* reply.next)
      assert.strictEqual(yield* reply.next, ": keep-alive")
      assert.strictEqual(yield* reply.next, ": keep-alive")
    })
  )

  it.scopedLive("loses nothing to a client that reads late", () =>
    Effect.gen(function* () {
      const message = "x".repeat(256 * 1024)
      const count = 64
      const chatty = Tool.make("chatty", {
        input: Schema.Struct({}),
        handler: () =>
          Effect.as(
            Effect.forEach(Array.from({ length: count }), (_, at) =>
              Progress.report({ progress: at, message })
            ),
            "done"
          )
      })
      const { url } = yield* start([chatty])
      const reply = yield* stream(
        modern(url, 1, "tools/call", { name: "chatty", _meta: { progressToken: 1 } })
      )
      reply.response.pause()
      // Another exchange from start to end, so that the server has had its turn.
      yield* send(modern(url, 2, "tools/list"))
      reply.response.resume()
      for (let at = 0; at < count; at++) assert.strictEqual(parse(yield* reply.next).params.progress, at)
      assert.strictEqual(parse(yield* reply.next).result.content[0].text, "done")
    })
  )
})
