import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { connect, send, stream } from "./support/client.js"
import { modern } from "./support/messages.js"
import { connectionLost, inScope } from "./support/server.js"
import { listen, messageOf, serve, toolOf } from "./support/subscriptions.js"
import { echo, makeWaiting } from "./support/tools.js"

const tools = { toolsListChanged: true }
const topics = { topics: true }

const acknowledgement = (id: number | string, notifications: object) => ({
  jsonrpc: "2.0",
  method: "notifications/subscriptions/acknowledged",
  params: { notifications, _meta: { "io.modelcontextprotocol/subscriptionId": id } }
})

const result = (id: number | string) => ({
  jsonrpc: "2.0",
  id,
  result: {
    resultType: "complete",
    _meta: {
      "io.modelcontextprotocol/subscriptionId": id,
      "io.modelcontextprotocol/serverInfo": { name: "tests", version: "1" }
    }
  }
})

describe("a subscription over HTTP", () => {
  // verifies: SUB-05, SUB-09
  it.scopedLive("is an event stream that begins with the acknowledgement and tells what happens", () =>
    Effect.gen(function* () {
      const { registry, url } = yield* serve([echo])
      const one = yield* stream(listen(url, 7, tools))
      const other = yield* stream(listen(url, "7", tools))
      assert.strictEqual(one.status, 200)
      assert.strictEqual(one.headers["content-type"], "text/event-stream")
      assert.strictEqual(one.headers["x-accel-buffering"], "no")
      assert.deepStrictEqual(messageOf(yield* one.next), acknowledgement(7, tools))
      assert.deepStrictEqual(messageOf(yield* other.next), acknowledgement("7", tools))
      yield* registry.add([toolOf("b"), toolOf("c")])
      for (const [reply, id] of [[one, 7] as const, [other, "7"] as const]) {
        assert.deepStrictEqual(messageOf(yield* reply.next), {
          jsonrpc: "2.0",
          method: "notifications/tools/list_changed",
          params: { _meta: { "io.modelcontextprotocol/subscriptionId": id } }
        })
      }
    })
  )

  // verifies: SUB-05, SUB-06
  it.scopedLive("is acknowledged first, whatever changes meanwhile", () =>
    Effect.gen(function* () {
      const { publish, registry, url } = yield* serve([echo], {}, { window: 0 })
      const changing = yield* Effect.forkScoped(
        Effect.forever(
          Effect.zipRight(
            Effect.scoped(registry.add([toolOf("b")])),
            Effect.zipRight(publish("a", "news"), Effect.yieldNow())
          )
        )
      )
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, id) => id),
        (id) =>
          Effect.scoped(
            Effect.gen(function* () {
              const reply = yield* stream(listen(url, id, { ...tools, ...topics }))
              assert.deepStrictEqual(
                messageOf(yield* reply.next),
                acknowledgement(id, { ...tools, ...topics })
              )
              const next = messageOf(yield* reply.next)
              assert.strictEqual(next.params._meta["io.modelcontextprotocol/subscriptionId"], id)
            })
          ),
        { concurrency: 10, discard: true }
      )
      yield* Fiber.interrupt(changing)
    })
  )

  // verifies: SUB-08, P-73
  it.scopedLive("ends at once when nothing is granted", () =>
    Effect.gen(function* () {
      const { subscriptions, url } = yield* serve([echo])
      const reply = yield* stream(listen(url, 1, { promptsListChanged: true }))
      assert.deepStrictEqual(messageOf(yield* reply.next), acknowledgement(1, {}))
      assert.deepStrictEqual(messageOf(yield* reply.next), result(1))
      assert.strictEqual(yield* reply.rest, "")
      assert.strictEqual(subscriptions.size(), 0)
    })
  )

  it.scopedLive("is refused as JSON where the filter is wrong or no stream is taken", () =>
    Effect.gen(function* () {
      const { url } = yield* serve([echo])
      const wrong = yield* send(listen(url, 1, { toolsListChanged: "yes" }))
      assert.strictEqual(wrong.status, 200)
      assert.strictEqual(JSON.parse(wrong.body).error.code, -32602)
      const deaf = yield* send(listen(url, 1, tools, { accept: "application/json" }))
      assert.strictEqual(deaf.status, 406)
      assert.deepStrictEqual(JSON.parse(deaf.body), {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32600, message: "Accept has to allow text/event-stream" }
      })
    })
  )

  // verifies: P-40
  it.scopedLive("is kept alive by comments", () =>
    Effect.gen(function* () {
      const { url } = yield* serve([echo], { keepAlive: "1 millis" })
      const reply = yield* stream(listen(url, 1, tools))
      yield* reply.next
      assert.strictEqual(yield* reply.next, ": keep-alive")
    })
  )

  it.scopedLive(
    "leaves nothing behind when its client leaves, a thousand times",
    () =>
      Effect.gen(function* () {
        const { subscriptions, url } = yield* serve([echo], {}, { max: 20 })
        yield* Effect.forEach(
          Array.from({ length: 1000 }, (_, id) => id),
          (id) =>
            Effect.scoped(
              Effect.gen(function* () {
                const lost = yield* connectionLost(`cycle-${id}`)
                const reply = yield* stream(listen(url, id, tools, { "x-marker": `cycle-${id}` }))
                assert.deepStrictEqual(messageOf(yield* reply.next), acknowledgement(id, tools))
                reply.response.destroy()
                yield* lost
              })
            ),
          { concurrency: 20, discard: true }
        )
        assert.strictEqual(subscriptions.size(), 0)
      }),
    30_000
  )

  it.scopedLive(
    "does not wait for another whose client takes nothing",
    () =>
      Effect.gen(function* () {
        const { port, publish, url } = yield* serve([echo], {}, { maxPending: 4 })
        const stalled = yield* connect(port)
        const { body = "", headers = {} } = listen(url, "stalled", topics)
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
        stalled.write(
          `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n${lines.join("")}\r\n${body}`
        )
        yield* stalled.until("acknowledged")
        stalled.pause()
        const reader = yield* stream(listen(url, "reader", topics))
        yield* reader.next
        const text = "x".repeat(256 * 1024)
        // More than all the buffers between the two ends hold.
        for (let round = 0; round < 80; round++) {
          yield* publish(`round ${round}`, text)
          assert.strictEqual(messageOf(yield* reader.next).params.key, `round ${round}`)
        }
        stalled.resume()
        const received = yield* stalled.until("round 79")
        assert.include(received, "round 0")
        // What did not fit was dropped, the oldest first.
        assert.notInclude(received, 'round 75"')
      }),
    30_000
  )

  // verifies: SUB-16, SUB-17, P-44, P-74
  it.scopedLive("ends with its result when the server drains, before calls are waited for", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { scope, value } = yield* inScope(serve([wait.tool], { drainGrace: "1 hour" }))
      const replies = yield* Effect.forEach(["a", "b", 3], (id) => stream(listen(value.url, id, tools)))
      for (const reply of replies) yield* reply.next
      const call = yield* Effect.fork(send(modern(value.url, 1, "tools/call", { name: "wait" })))
      yield* Deferred.await(wait.started)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      for (const [index, id] of ["a", "b", 3].entries()) {
        const reply = replies[index]
        if (reply === undefined) return assert.fail()
        assert.deepStrictEqual(messageOf(yield* reply.next), result(id))
        assert.strictEqual(yield* reply.rest, "")
      }
      assert.strictEqual(value.subscriptions.size(), 0)
      yield* Deferred.succeed(wait.gate, "done")
      assert.include((yield* Fiber.join(call)).body, "done")
      yield* Fiber.join(closing)
    })
  )

  it.scopedLive("is not ended by a notification, only by leaving", () =>
    Effect.gen(function* () {
      const { publish, url } = yield* serve([echo])
      const reply = yield* stream(listen(url, 5, topics))
      yield* reply.next
      const { headers = {} } = listen(url, 5, topics)
      const body = JSON.stringify({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: 5 }
      })
      assert.strictEqual((yield* send({ url, headers, body })).status, 202)
      yield* publish("a", "news")
      assert.strictEqual(messageOf(yield* reply.next).params.text, "news")
    })
  )

  // verifies: P-74
  it.scopedLive("is one too many beyond the limit, until another ends", () =>
    Effect.gen(function* () {
      const { url } = yield* serve([echo], {}, { max: 1 })
      const lost = yield* connectionLost("first")
      const first = yield* stream(listen(url, 1, tools, { "x-marker": "first" }))
      yield* first.next
      const refused = yield* send(listen(url, 2, tools))
      assert.include(refused.body, "Too many subscriptions are open (limit 1)")
      first.response.destroy()
      yield* lost
      const second = yield* stream(listen(url, 2, tools))
      assert.deepStrictEqual(messageOf(yield* second.next), acknowledgement(2, tools))
    })
  )
})
