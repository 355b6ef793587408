import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { send, stream } from "./support/client.js"
import * as Events from "./support/events.js"
import { initialize, json, legacy, modern, modernMeta } from "./support/messages.js"
import { connectionLost, start } from "./support/server.js"
import { echo, makeWaiting } from "./support/tools.js"

const open = (url: string) =>
  Effect.map(
    send(legacy(url, undefined, initialize())),
    (answer) => answer.headers["mcp-session-id"]?.toString() ?? ""
  )

const callWait = (id: number | string, meta: object = {}) => ({
  id,
  method: "tools/call",
  params: { name: "wait", _meta: meta }
})

const cancel = (url: string, sessionId: string, params: object) =>
  send(legacy(url, sessionId, { method: "notifications/cancelled", params }))

describe("a modern request", () => {
  // verifies: HTTP-24, CANC-01, P-42, DL-36
  it.scopedLive("is cancelled when its client leaves before anything was sent", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const call = yield* Effect.fork(send(modern(url, 1, "tools/call", { name: "wait" })))
      yield* Deferred.await(wait.started)
      yield* Fiber.interrupt(call)
      yield* Deferred.await(wait.interrupted)
    })
  )

  // verifies: HTTP-25, CANC-01, HTTP-24, P-42, P-43
  it.scopedLive("is cancelled when its client closes the stream", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const reply = yield* stream(modern(url, 1, "tools/call", { name: "wait", _meta: { progressToken: 1 } }))
      yield* reply.next
      reply.response.destroy()
      yield* Deferred.await(wait.interrupted)
    })
  )

  it.scopedLive("is not cancelled by a notification", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const call = yield* Effect.fork(send(modern(url, 1, "tools/call", { name: "wait" })))
      yield* Deferred.await(wait.started)
      const params = { requestId: 1, _meta: modernMeta() }
      const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params })
      assert.strictEqual((yield* send({ url, headers: json, body })).status, 202)
      yield* Deferred.succeed(wait.gate, "done")
      assert.include((yield* Fiber.join(call)).body, "done")
    })
  )

  // verifies: CORE-31
  it.scopedLive("may have the id of another client's request", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool, echo])
      const call = yield* Effect.fork(send(modern(url, 1, "tools/call", { name: "wait" })))
      yield* Deferred.await(wait.started)
      const other = yield* send(modern(url, 1, "tools/call", { name: "echo", arguments: { text: "hello" } }))
      assert.include(other.body, "hello")
      yield* Deferred.succeed(wait.gate, "done")
      assert.include((yield* Fiber.join(call)).body, "done")
    })
  )
})

describe("a legacy request", () => {
  // verifies: P-42, SH-13, TRAP-07, DL-36
  it.scopedLive("goes on when its client leaves", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const sessionId = yield* open(url)
      const lost = yield* connectionLost("leaving")
      const call = yield* Effect.fork(send(legacy(url, sessionId, callWait(5), { "x-marker": "leaving" })))
      yield* Deferred.await(wait.started)
      yield* Fiber.interrupt(call)
      yield* lost
      yield* Deferred.succeed(wait.gate, "done")
      yield* Deferred.await(wait.finished)
      assert.isFalse(yield* Deferred.isDone(wait.interrupted))
    })
  )

  // verifies: SH-13, TRAP-07
  it.scopedLive("goes on when its client closes the stream", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const sessionId = yield* open(url)
      const lost = yield* connectionLost("leaving")
      const reply = yield* stream(
        legacy(url, sessionId, callWait(5, { progressToken: 1 }), { "x-marker": "leaving" })
      )
      yield* reply.next
      reply.response.destroy()
      yield* lost
      yield* Deferred.succeed(wait.gate, "done")
      yield* Deferred.await(wait.finished)
      assert.isFalse(yield* Deferred.isDone(wait.interrupted))
    })
  )

  it.scopedLive("can be cancelled after its client has left", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const sessionId = yield* open(url)
      const lost = yield* connectionLost("leaving")
      const call = yield* Effect.fork(send(legacy(url, sessionId, callWait(5), { "x-marker": "leaving" })))
      yield* Deferred.await(wait.started)
      yield* Fiber.interrupt(call)
      yield* lost
      yield* cancel(url, sessionId, { requestId: 5 })
      yield* Deferred.await(wait.interrupted)
    })
  )

  // verifies: CA-01, CA-05, SH-14, TRAP-08, TRAP-33
  it.scopedLive("is cancelled by its id as sent, and its POST ends without a response", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const sessionId = yield* open(url)
      const other = yield* open(url)
      const call = yield* Effect.fork(send(legacy(url, sessionId, callWait(5))))
      yield* Deferred.await(wait.started)
      const strangers = [
        yield* cancel(url, sessionId, { requestId: "5" }),
        yield* cancel(url, sessionId, { requestId: 6 }),
        yield* cancel(url, sessionId, {}),
        yield* cancel(url, other, { requestId: 5 })
      ]
      for (const answer of strangers) assert.deepStrictEqual([answer.status, answer.body], [202, ""])
      // Still in flight: its id cannot be used again.
      assert.property(JSON.parse((yield* send(legacy(url, sessionId, callWait(5)))).body), "error")
      assert.strictEqual((yield* cancel(url, sessionId, { requestId: 5, reason: "enough" })).status, 202)
      yield* Deferred.await(wait.interrupted)
      const answer = yield* Fiber.join(call)
      assert.deepStrictEqual([answer.status, answer.body], [200, ""])
      assert.strictEqual(answer.headers["content-type"], "text/event-stream")
      assert.strictEqual((yield* cancel(url, sessionId, { requestId: 5 })).status, 202)
    })
  )

  // verifies: SH-14, TRAP-08
  it.scopedLive("that is cancelled ends its stream without a response", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const sessionId = yield* open(url)
      const params = callWait("a", { progressToken: 1 })
      const answering = yield* Effect.fork(send(legacy(url, sessionId, params)))
      yield* Deferred.await(wait.started)
      yield* cancel(url, sessionId, { requestId: "a" })
      const { body } = yield* Fiber.join(answering)
      const messages = Events.parseAll(body).map(({ message }) => message?.method)
      assert.deepStrictEqual(messages, [undefined, "notifications/progress"])
    })
  )

  // verifies: SH-45
  it.scopedLive("is cancelled when its session is deleted", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const sessionId = yield* open(url)
      const call = yield* Effect.fork(send(legacy(url, sessionId, callWait(5))))
      yield* Deferred.await(wait.started)
      const deleted = yield* send({ url, method: "DELETE", headers: { "mcp-session-id": sessionId } })
      assert.strictEqual(deleted.status, 204)
      yield* Deferred.await(wait.interrupted)
      assert.deepInclude(yield* Fiber.join(call), { status: 200, body: "" })
    })
  )
})
