import { assert, describe, it } from "@effect/vitest"
import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { send, stream } from "./support/client.js"
import * as Events from "./support/events.js"
import * as LegacyClient from "./support/legacyClient.js"
import { connectionLost, start } from "./support/server.js"
import { echo, makeWaiting, steps } from "./support/tools.js"

const ping = (id: number | string) => ({ jsonrpc: "2.0", id, method: "ping" })
const cancelled = (requestId: number | string) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId }
})
const pong = (id: number | string) => ({ jsonrpc: "2.0", id, result: {} })

const open = (url: string) => LegacyClient.open(url, "2025-03-26")

/** The responses by id, as a batch has them in any order. */
const byId = (body: string): ReadonlyMap<unknown, object> =>
  new Map(JSON.parse(body).map((response: { readonly id: unknown }) => [response.id, response]))

describe("a batch of 2025-03-26", () => {
  // verifies: SH-07, BA-01, BA-03, BA-04, TRAP-17
  it.scopedLive("is answered by one array, with one response for each request", () =>
    Effect.gen(function* () {
      const { url } = yield* start([steps])
      const client = yield* open(url)
      const batch = [
        ping(1),
        { jsonrpc: "2.0", method: "notifications/initialized" },
        ping("1"),
        { jsonrpc: "2.0", id: 2, method: "nope" },
        LegacyClient.callTool(3, "steps")
      ]
      const answer = yield* send(client.post(batch))
      assert.deepStrictEqual([answer.status, answer.headers["content-type"]], [200, "application/json"])
      const responses = byId(answer.body)
      assert.strictEqual(responses.size, 4)
      assert.deepStrictEqual(responses.get(1), pong(1))
      assert.deepStrictEqual(responses.get("1"), pong("1"))
      assert.deepNestedInclude(responses.get(2), { "error.code": -32601 })
      assert.property(responses.get(3), "result")
    })
  )

  // verifies: SH-05, BA-03
  it.scopedLive("is accepted with 202 and no body when it holds no request", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const client = yield* open(url)
      const notifications = [cancelled(7), { jsonrpc: "2.0", method: "notifications/initialized" }]
      const responses = [{ jsonrpc: "2.0", id: 1, result: {} }]
      for (const batch of [notifications, responses]) {
        const answer = yield* send(client.post(batch))
        assert.deepStrictEqual([answer.status, answer.body], [202, ""])
      }
    })
  )

  // verifies: BA-04, SH-10
  it.scopedLive("becomes an event stream when something has to go out first, each response an event", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const client = yield* open(url)
      const reply = yield* stream(client.post([ping(1), LegacyClient.callTool(2, "wait", "p"), ping(3)]))
      const first = [yield* Events.next(reply), yield* Events.next(reply), yield* Events.next(reply)]
      const methods = first.map(({ message }) => message.id ?? message.method)
      assert.sameMembers(methods, [1, "notifications/progress", 3])
      yield* Deferred.succeed(wait.gate, "done")
      assert.strictEqual((yield* Events.next(reply)).message.params.progress, 2)
      const last = (yield* Events.next(reply)).message
      assert.deepStrictEqual([last.id, last.result.content[0].text], [2, "done"])
      assert.strictEqual(yield* reply.rest, "")
    })
  )

  it.scopedLive("may cancel what it holds, and is answered for the rest", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const client = yield* open(url)
      const answer = yield* send(client.post([LegacyClient.callTool(1, "wait"), cancelled(1), ping(2)]))
      assert.deepStrictEqual(JSON.parse(answer.body), [pong(2)])
      const nothing = yield* send(client.post([LegacyClient.callTool(1, "wait"), cancelled(1)]))
      assert.deepStrictEqual(
        [nothing.status, nothing.headers["content-type"], nothing.body],
        [200, "text/event-stream", ""]
      )
    })
  )

  // verifies: SH-13
  it.scopedLive("goes on without its client, and shares the ids of its session", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const client = yield* open(url)
      const lost = yield* connectionLost("left")
      const leaving = yield* Effect.fork(
        send(client.post([LegacyClient.callTool(1, "wait"), ping(2)], { "x-marker": "left" }))
      )
      yield* Deferred.await(wait.started)
      yield* Fiber.interrupt(leaving)
      yield* lost
      const again = yield* send(client.post([LegacyClient.callTool(1, "wait")]))
      assert.strictEqual(JSON.parse(again.body)[0].error.code, -32600)
      yield* Deferred.succeed(wait.gate, "")
      yield* Deferred.await(wait.finished)
    })
  )

  it.scopedLive("is a stream for a client that takes nothing else", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const client = yield* open(url)
      const answer = yield* send(client.post([ping(1), ping(2)], { accept: "text/event-stream" }))
      const messages = Events.parseAll(answer.body).map(({ message }) => message)
      assert.deepStrictEqual(messages, [pong(1), pong(2)])
    })
  )

  // verifies: SH-08, LC-13, BA-05, BA-06, BA-08
  it.scopedLive(
    "is refused as a whole by other revisions, when it is empty, or holds what may not be in it",
    () =>
      Effect.gen(function* () {
        const { url } = yield* start([echo])
        const client = yield* open(url)
        const newer = yield* LegacyClient.open(url, "2025-06-18")
        const newest = yield* LegacyClient.open(url, "2025-11-25")
        const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} }
        const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }
        const modern = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } }
        for (const sent of [
          newer.post([ping(1)]),
          newest.post([ping(1)]),
          client.post([]),
          client.post([initialize]),
          client.post([ping(1), modern])
        ]) {
          const answer = yield* send(sent)
          assert.strictEqual(answer.status, 400)
          const body = JSON.parse(answer.body)
          assert.strictEqual(body.error.code, -32600)
          assert.notProperty(body, "id")
        }
      })
  )

  it.scopedLive("has errors instead of what would make the array too long", () =>
    Effect.gen(function* () {
      const long = Tool.make("long", {
        input: Schema.Struct({}),
        handler: () => Effect.succeed("x".repeat(30_000_000))
      })
      const { url } = yield* start([long])
      const client = yield* open(url)
      const calls = [1, 2, 3].map((id) => LegacyClient.callTool(id, "long"))
      const responses = byId((yield* send(client.post([...calls, ping(4)]))).body)
      assert.deepStrictEqual(
        [1, 2, 3, 4].map((id) => Object.keys(responses.get(id) ?? {}).at(-1)),
        ["result", "result", "error", "result"]
      )
    })
  )
})
