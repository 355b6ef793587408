import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as Polling from "@pushbutton/server/Polling"
import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { send, stream } from "./support/client.js"
import * as Events from "./support/events.js"
import * as LegacyClient from "./support/legacyClient.js"
import { inScope, start } from "./support/server.js"
import { echo, makePolled, makeWaiting } from "./support/tools.js"

const waitCall = (client: LegacyClient.LegacyClient, id: number) =>
  client.post(LegacyClient.callTool(id, "wait", id))

describe("a session that ends", () => {
  // verifies: SH-45
  it.scopedLive("by DELETE interrupts its calls and ends its streams", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const client = yield* LegacyClient.open(url)
      const told = yield* stream(client.get())
      const reply = yield* stream(waitCall(client, 1))
      yield* Deferred.await(wait.started)
      assert.strictEqual((yield* send(client.remove)).status, 204)
      yield* Deferred.await(wait.interrupted)
      assert.strictEqual(yield* told.rest, "")
      assert.strictEqual(yield* reply.rest, "")
    })
  )

  // verifies: SH-43, P-47
  it.scopedLive("by eviction does the same", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool], { sessionCap: 1 })
      const client = yield* LegacyClient.open(url)
      const running = yield* Effect.fork(send(client.post(LegacyClient.callTool(1, "wait"))))
      yield* Deferred.await(wait.started)
      yield* LegacyClient.open(url)
      yield* Deferred.await(wait.interrupted)
      assert.strictEqual((yield* Fiber.join(running)).body, "")
      assert.strictEqual((yield* send(client.get())).status, 404)
    })
  )

  it.scoped("does not end for want of use while a stream of it is connected", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo], { sessionIdle: "1 minute" })
      const client = yield* LegacyClient.open(url)
      const connected = yield* stream(client.get())
      const { id } = yield* Events.next(connected)
      yield* TestClock.adjust("10 minutes")
      const resumed = yield* stream(client.get(id))
      assert.strictEqual(resumed.status, 200)
    })
  )

  it.scoped("does not end for want of use while a call of it runs", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool], { sessionIdle: "1 minute" })
      const client = yield* LegacyClient.open(url)
      const running = yield* Effect.fork(send(client.post(LegacyClient.callTool(1, "wait"))))
      yield* Deferred.await(wait.started)
      yield* TestClock.adjust("10 minutes")
      yield* Deferred.succeed(wait.gate, "done")
      assert.include((yield* Fiber.join(running)).body, "done")
      yield* TestClock.adjust("59 seconds")
      const ping = client.post({ id: 2, method: "ping" })
      assert.strictEqual((yield* send(ping)).status, 200)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* send(ping)).status, 404)
    })
  )
})

describe("sessions of a server that drains", () => {
  // verifies: P-44, IN-17, CA-02
  it.scopedLive("are told and asked nothing more, and have what runs answered", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const ask = Tool.make("ask", {
        input: Schema.Struct({}),
        handler: () =>
          Effect.map(
            Ask.form("name", { message: "Name?", schema: Schema.Struct({ name: Schema.String }) }),
            ({ _tag }) => `it was ${_tag}`
          )
      })
      const { scope, value } = yield* inScope(start([wait.tool, ask], { drainGrace: "1 hour" }))
      const client = yield* LegacyClient.open(value.url, "2025-11-25", {}, { elicitation: {} })
      const told = yield* stream(client.get())
      yield* Events.next(told)
      const asked = yield* stream(client.post(LegacyClient.callTool(1, "ask")))
      yield* Events.next(asked)
      const question = (yield* Events.next(asked)).message
      const waiting = yield* stream(client.post(LegacyClient.callTool(2, "wait", 2)))
      yield* Deferred.await(wait.started)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      assert.strictEqual(yield* told.rest, "")
      const takenBack = (yield* Events.next(asked)).message
      assert.deepInclude(takenBack, { method: "notifications/cancelled" })
      assert.deepInclude(takenBack.params, { requestId: question.id })
      const answer = (yield* Events.next(asked)).message
      assert.strictEqual(answer.result.content[0].text, "it was Unavailable")
      yield* Deferred.succeed(wait.gate, "done")
      const last = yield* Effect.repeat(Events.next(waiting), {
        while: ({ message }) => message?.id !== 2
      })
      assert.strictEqual(last.message.result.content[0].text, "done")
      yield* Fiber.join(closing)
    })
  )

  // verifies: SH-12
  it.scopedLive("stay reachable for clients that were sent away, until those have their responses", () =>
    Effect.gen(function* () {
      const polled = yield* makePolled
      const { scope, value } = yield* inScope(start([polled.tool], { drainGrace: "1 hour" }))
      const client = yield* LegacyClient.open(value.url)
      const [primed] = Events.parseAll((yield* send(client.post(LegacyClient.callTool(1, "polled")))).body)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Effect.repeat(send(client.get()), { until: ({ status }) => status === 503 })
      yield* Deferred.succeed(polled.gate, undefined)
      assert.strictEqual((yield* send(client.post({ id: 2, method: "ping" }))).status, 503)
      const { body, headers } = yield* send(client.get(primed?.id))
      assert.strictEqual(headers.connection, "close")
      assert.strictEqual(Events.parseAll(body).at(-1)?.message.result.content[0].text, "late")
      yield* Fiber.join(closing)
    })
  )

  it.scopedLive("wait no longer for clients that were sent away than the grace period", () =>
    Effect.gen(function* () {
      const polled = yield* makePolled
      const { scope, value } = yield* inScope(start([polled.tool], { drainGrace: "1 millis" }))
      const client = yield* LegacyClient.open(value.url)
      yield* Deferred.succeed(polled.gate, undefined)
      yield* send(client.post(LegacyClient.callTool(1, "polled")))
      yield* Scope.close(scope, Exit.void)
    })
  )

  it.scopedLive("send nobody away any more", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const started = yield* Deferred.make<void>()
      const tool = Tool.make("late", {
        input: Schema.Struct({}),
        handler: () =>
          Effect.gen(function* () {
            yield* Deferred.succeed(started, undefined)
            yield* Deferred.await(gate)
            yield* Polling.release({ retryAfter: "1 second" })
            return "here"
          })
      })
      const { scope, value } = yield* inScope(start([tool], { drainGrace: "1 hour" }))
      const client = yield* LegacyClient.open(value.url)
      const told = yield* stream(client.get())
      const running = yield* Effect.fork(send(client.post(LegacyClient.callTool(1, "late"))))
      yield* Deferred.await(started)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* told.rest
      yield* Deferred.succeed(gate, undefined)
      assert.include((yield* Fiber.join(running)).body, "here")
      yield* Fiber.join(closing)
    })
  )
})
