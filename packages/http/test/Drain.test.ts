import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { connect, send, stream } from "./support/client.js"
import { initialize, legacy, modern } from "./support/messages.js"
import { inScope, start } from "./support/server.js"
import { echo, makeWaiting } from "./support/tools.js"

const forkClose = (scope: Scope.CloseableScope) => Effect.fork(Scope.close(scope, Exit.void))

const callWait = (url: string, meta: Record<string, unknown> = {}) =>
  modern(url, 1, "tools/call", { name: "wait", _meta: meta })

/** A connection whose request has been read up to its body. */
const halfSent = (port: number) =>
  Effect.gen(function* () {
    const { body = "", headers = {} } = modern("", 9, "tools/list")
    const connection = yield* connect(port)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    connection.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n${lines.join("")}\r\n`
    )
    yield* connection.until("100 Continue")
    return { ...connection, finish: () => connection.write(body) }
  })

describe("HttpTransport, when its layer closes,", () => {
  it.scopedLive("lets a running call end and takes no new ones", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { scope, value } = yield* inScope(start([wait.tool], { drainGrace: "1 hour" }))
      const call = yield* Effect.fork(send(callWait(value.url)))
      yield* Deferred.await(wait.started)
      const late = yield* halfSent(value.port)
      const closing = yield* forkClose(scope)
      yield* Effect.yieldNow()

      late.finish()
      const refused = yield* late.closed
      assert.include(refused, "HTTP/1.1 503 ")
      assert.include(refused, "\r\nConnection: close\r\n")
      assert.include(refused, '"code":-32603')
      assert.include((yield* Effect.flip(connect(value.port))).message, "ECONNREFUSED")

      yield* Deferred.succeed(wait.gate, "done")
      const answer = yield* Fiber.join(call)
      assert.include(answer.body, "done")
      assert.strictEqual(answer.headers.connection, "close")
      yield* Fiber.join(closing)
    })
  )

  it.scopedLive("refuses new requests on connections that are kept, without reading their bodies", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { scope, value } = yield* inScope(start([wait.tool], { drainGrace: "1 hour" }))
      const call = yield* Effect.fork(send(callWait(value.url)))
      yield* Deferred.await(wait.started)
      const kept = ["POST", "DELETE"].map((method) =>
        Effect.map(connect(value.port), (connection) => ({ connection, method }))
      )
      const connections = yield* Effect.all(kept)
      for (const { connection } of connections) {
        connection.write("HEAD /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
        yield* connection.until("405")
      }
      const closing = yield* forkClose(scope)
      yield* Effect.yieldNow()
      for (const { connection, method } of connections) {
        connection.write(
          `${method} /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: x\r\nContent-Type: application/json\r\n` +
            "Content-Length: 100\r\n\r\n"
        )
        assert.include(yield* connection.closed, "HTTP/1.1 503 ")
      }
      yield* Deferred.succeed(wait.gate, "done")
      yield* Fiber.join(call)
      yield* Fiber.join(closing)
    })
  )

  // verifies: P-44
  it.scopedLive("does not wait for idle connections", () =>
    Effect.gen(function* () {
      const { scope, value } = yield* inScope(start([echo], { drainGrace: "1 hour" }))
      const silent = yield* connect(value.port)
      const idle = yield* connect(value.port)
      idle.write("HEAD /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
      yield* idle.until("405")
      yield* Scope.close(scope, Exit.void)
      yield* idle.closed
      yield* silent.closed
    })
  )

  it.scopedLive("does not wait for a request that is only half there", () =>
    Effect.gen(function* () {
      const { scope, value } = yield* inScope(start([echo], { drainGrace: "1 hour" }))
      const half = yield* halfSent(value.port)
      yield* Scope.close(scope, Exit.void)
      yield* half.closed
    })
  )

  it.scopedLive("interrupts what outlasts the grace period and says so", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { scope, value } = yield* inScope(start([wait.tool], { drainGrace: "1 millis" }))
      const call = yield* Effect.fork(send(callWait(value.url)))
      yield* Deferred.await(wait.started)
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(yield* Deferred.isDone(wait.interrupted))
      const answer = yield* Fiber.join(call)
      assert.deepStrictEqual(JSON.parse(answer.body).error, {
        code: -32603,
        message: "The server is shutting down"
      })
      assert.deepInclude(JSON.parse(answer.body), { id: 1 })
    })
  )

  // verifies: P-44
  it.scopedLive("ends open streams with their response", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { scope, value } = yield* inScope(start([wait.tool], { drainGrace: "1 millis" }))
      const reply = yield* stream(callWait(value.url, { progressToken: 1 }))
      yield* reply.next
      yield* Scope.close(scope, Exit.void)
      assert.include(yield* reply.next, "The server is shutting down")
      assert.strictEqual(yield* reply.rest, "")
    })
  )

  it.scopedLive("ends a legacy call too whose client has left", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { scope, value } = yield* inScope(start([wait.tool], { drainGrace: "1 millis" }))
      yield* send(legacy(value.url, undefined, initialize()))
      const message = { id: 2, method: "tools/call", params: { name: "wait" } }
      const call = yield* Effect.fork(send(legacy(value.url, "id-1", message)))
      yield* Deferred.await(wait.started)
      yield* Fiber.interrupt(call)
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(yield* Deferred.isDone(wait.interrupted))
    })
  )

  it.scopedLive("cuts the grace period short when the closing is interrupted", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { scope, value } = yield* inScope(start([wait.tool], { drainGrace: "1 hour" }))
      const call = yield* Effect.fork(send(callWait(value.url)))
      yield* Deferred.await(wait.started)
      const idle = yield* connect(value.port)
      const closing = yield* forkClose(scope)
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(closing)
      assert.isTrue(yield* Deferred.isDone(wait.interrupted))
      assert.include((yield* Fiber.join(call)).body, "The server is shutting down")
      yield* idle.closed
    })
  )

  it.scopedLive("keeps its grace period when the program that runs it is interrupted", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const listening = yield* Deferred.make<string>()
      const program = yield* start([wait.tool], { drainGrace: "1 millis" }).pipe(
        Effect.tap(({ url }) => Deferred.succeed(listening, url)),
        Effect.zipRight(Effect.never),
        Effect.scoped,
        Effect.fork
      )
      const call = yield* Effect.fork(send(callWait(yield* Deferred.await(listening))))
      yield* Deferred.await(wait.started)
      yield* Fiber.interrupt(program)
      assert.include((yield* Fiber.join(call)).body, "The server is shutting down")
    })
  )

  it.scopedLive("sends a long reply to its end", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { scope, value } = yield* inScope(start([wait.tool], { drainGrace: "1 hour" }))
      const call = yield* Effect.fork(send(callWait(value.url)))
      yield* Deferred.await(wait.started)
      const closing = yield* forkClose(scope)
      const text = "x".repeat(16 * 1024 * 1024)
      yield* Deferred.succeed(wait.gate, text)
      assert.strictEqual(JSON.parse((yield* Fiber.join(call)).body).result.content[0].text, text)
      yield* Fiber.join(closing)
    })
  )
})
