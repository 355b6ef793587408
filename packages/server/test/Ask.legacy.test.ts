/** Asks in the sessions of handshake revisions: when they go out, and what becomes of them. */
import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as McpServer from "@pushbutton/server/McpServer"
import { RequestContext } from "@pushbutton/server/RequestContext"

import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { type Handler, withHandler, withServer } from "./support/asking.js"
import { accept } from "./support/client.js"
import { connect, type Started } from "./support/legacyClient.js"

const form = (key: string) => Ask.form(key, { message: key, schema: Schema.Struct({ name: Schema.String }) })

const show = (outcome: unknown) => JSON.stringify(outcome)

const asksForName = Effect.map(form("a"), show)

const named = (name: string) => ({ result: accept({ name }) })

describe("a question in a session", () => {
  // verifies: IN-01, IN-02, IN-03, LC-27
  it.effect("is a request under an id of the server's own, while the call waits", () =>
    withHandler(
      Effect.map(Effect.zip(form("a"), form("b")), show),
      Effect.gen(function* () {
        const client = yield* connect("2025-06-18")
        const { reply } = yield* client.start("tools/call", { name: "t" })
        yield* client.askedTimes(1)
        const [first] = client.asked()
        assert.deepStrictEqual<object | undefined>(first, {
          jsonrpc: "2.0",
          id: first?.id ?? "",
          method: "elicitation/create",
          params: {
            message: "a",
            requestedSchema: {
              type: "object",
              properties: { name: { type: "string" } },
              required: ["name"]
            }
          }
        })
        client.respond(first?.id ?? "", named("x"))
        yield* client.askedTimes(2)
        const [, second] = client.asked()
        assert.notStrictEqual(second?.id, first?.id)
        client.respond(second?.id ?? "", named("y"))
        assert.strictEqual(
          (yield* reply)?.text,
          show([
            { _tag: "Accepted", content: { name: "x" } },
            { _tag: "Accepted", content: { name: "y" } }
          ])
        )
      })
    )
  )

  // verifies: IN-05, IN-43
  it.effect("goes out with those it is asked together with, whatever is answered first", () =>
    withHandler(
      Effect.map(Ask.all({ a: form("a"), b: form("b"), c: form("c") }), show),
      Effect.gen(function* () {
        const client = yield* connect("2025-11-25")
        const { reply } = yield* client.start("tools/call", { name: "t" })
        yield* client.askedTimes(3)
        for (const { id, params } of [...client.asked()].reverse()) client.respond(id, named(params.message))
        assert.strictEqual(
          (yield* reply)?.text,
          show({
            a: { _tag: "Accepted", content: { name: "a" } },
            b: { _tag: "Accepted", content: { name: "b" } },
            c: { _tag: "Accepted", content: { name: "c" } }
          })
        )
      })
    )
  )

  // verifies: RO-01, SA-09, IN-04
  it.effect("may be answered with an error of the client's", () =>
    withHandler(
      Effect.map(Ask.roots(), show),
      Effect.gen(function* () {
        const error = { code: -32601, message: "Method not found" }
        const client = yield* connect("2024-11-05", { user: () => ({ error }) })
        assert.strictEqual((yield* client.call("t"))?.text, show({ _tag: "Failed", ...error }))
      })
    )
  )

  // verifies: TRAP-36
  it.effect("is not answered by params that only 2026-07-28 has", () =>
    withHandler(
      asksForName,
      Effect.gen(function* () {
        const client = yield* connect("2025-11-25", { user: () => named("asked") })
        const { reply } = yield* client.start("tools/call", {
          name: "t",
          inputResponses: { a: accept({ name: "smuggled" }) },
          requestState: 7
        })
        assert.include((yield* reply)?.text, "asked")
      })
    )
  )
})

for (const handlers of ["wait", "replay"] as const) {
  const options = { legacyAsks: { handlers } }

  describe(`an open question (${handlers})`, () => {
    const two = Effect.map(Ask.all({ a: form("a"), b: form("b") }), show)

    const withdrawals = (sent: ReadonlyArray<{ method?: string; params?: { requestId?: unknown } }>) =>
      sent.filter(({ method }) => method === "notifications/cancelled").map(({ params }) => params?.requestId)

    const open = Effect.gen(function* () {
      const client = yield* connect("2025-06-18")
      const started = yield* client.start("tools/call", { name: "t" })
      yield* client.askedTimes(2)
      return { client, ids: client.asked().map(({ id }) => id), ...started }
    })

    const checkWithdrawn = (end: (started: Started) => Effect.Effect<unknown>, handler = two) =>
      withHandler(
        handler,
        Effect.gen(function* () {
          const { client, ids, ...started } = yield* open
          yield* end(started)
          const reply = yield* started.reply
          assert.deepStrictEqual(withdrawals(client.sent), ids)
          assert.strictEqual(client.session.requests.size, 0)
          return reply
        }),
        options
      )

    // verifies: IN-17, CA-01, CA-02
    it.effect("is taken back when its call is cancelled", () =>
      Effect.map(
        checkWithdrawn(({ cancel }) => cancel),
        (reply) => assert.isUndefined(reply)
      )
    )

    // verifies: IN-17
    it.effect("is taken back at a shutdown", () =>
      Effect.map(
        checkWithdrawn(({ drain }) => drain),
        (reply) => assert.include(reply?.error?.message, "shutting down")
      )
    )

    // verifies: IN-17
    it.effect("is taken back too where the handler cannot be interrupted", () =>
      checkWithdrawn(({ cancel }) => cancel, Effect.uninterruptible(two))
    )

    // verifies: IN-17, LC-25, LC-26
    it.effect("is taken back when its time is over, and the handler goes on", () =>
      withHandler(
        two,
        Effect.gen(function* () {
          const { client, ids, reply } = yield* open
          client.respond(ids[0] ?? "", named("x"))
          yield* TestClock.adjust("9 minutes")
          assert.deepStrictEqual(withdrawals(client.sent), [])
          yield* TestClock.adjust("1 minute")
          assert.deepStrictEqual(JSON.parse((yield* reply)?.text ?? ""), {
            a: { _tag: "Accepted", content: { name: "x" } },
            b: { _tag: "Failed", code: -32603, message: "no answer within 10m" }
          })
          assert.deepStrictEqual(withdrawals(client.sent), [ids[1]])
          // Whatever the client says now is said to nobody.
          client.respond(ids[1] ?? "", named("y"))
        }),
        options
      )
    )

    it.effect("has the time that the server gives", () =>
      withHandler(
        two,
        Effect.gen(function* () {
          const { reply } = yield* open
          yield* TestClock.adjust("3 seconds")
          assert.include((yield* reply)?.text, "no answer within 3s")
        }),
        { legacyAsks: { handlers, timeout: "3 seconds" } }
      )
    )

    // verifies: IN-17, CA-02
    it.effect("is taken back when the session ends, and has no answer", () =>
      withHandler(
        two,
        Effect.gen(function* () {
          const { client, ids, reply } = yield* open
          client.session.close()
          assert.deepStrictEqual(JSON.parse((yield* reply)?.text ?? ""), {
            a: { _tag: "Unavailable", reason: "the session is over" },
            b: { _tag: "Unavailable", reason: "the session is over" }
          })
          assert.deepStrictEqual(withdrawals(client.sent), ids)
        }),
        options
      )
    )

    // verifies: IN-22, TRAP-34
    it.effect("does not turn back the progress of its call", () =>
      withHandler(
        Effect.gen(function* () {
          const { progress } = yield* RequestContext
          yield* progress({ progress: 1 })
          yield* form("a")
          yield* progress({ progress: 2 })
          yield* form("b")
          yield* progress({ progress: 3 })
          return "done"
        }),
        Effect.gen(function* () {
          const client = yield* connect("2025-06-18", { user: () => named("x") })
          const { reply } = yield* client.start("tools/call", { name: "t", _meta: { progressToken: 7 } })
          assert.strictEqual((yield* reply)?.text, "done")
          assert.deepStrictEqual(
            client.sent.map(({ method, params }) => params.progress ?? method),
            [1, "elicitation/create", 2, "elicitation/create", 3]
          )
        }),
        options
      )
    )
  })
}

describe("before the client is ready", () => {
  // verifies: LC-08, IN-06, TRAP-38
  it.effect("nothing is asked; what was to be asked goes out then", () =>
    withHandler(
      Effect.zipRight(Effect.yieldNow(), asksForName),
      Effect.gen(function* () {
        const client = yield* connect("2025-06-18", { isEarly: true, user: () => named("x") })
        const { reply } = yield* client.start("tools/call", { name: "t" })
        yield* Effect.repeatN(Effect.yieldNow(), 20)
        assert.deepStrictEqual(client.sent, [])
        client.session.initialized()
        assert.include((yield* reply)?.text, "Accepted")
      })
    )
  )

  it.effect("a question waits no longer than any other", () =>
    withHandler(
      asksForName,
      Effect.gen(function* () {
        const client = yield* connect("2025-06-18", { isEarly: true })
        const reply = yield* Effect.fork(client.call("t"))
        yield* TestClock.adjust("10 minutes")
        assert.include((yield* Fiber.join(reply))?.text, "Failed")
        assert.deepStrictEqual(client.sent, [])
      })
    )
  )

  it.effect("a session that ends answers what was to be asked", () =>
    withHandler(
      asksForName,
      Effect.gen(function* () {
        const client = yield* connect("2025-06-18", { isEarly: true })
        const { reply } = yield* client.start("tools/call", { name: "t" })
        yield* Effect.repeatN(Effect.yieldNow(), 20)
        client.session.close()
        assert.include((yield* reply)?.text, "the session is over")
        assert.deepStrictEqual(client.sent, [])
      })
    )
  )
})

describe("a fiber that the handler does not wait for", () => {
  /** What the client is sent by a handler that ends with such a fiber, which gets to know that it has ended. */
  const sentBy = (stray: (ask: Effect.Effect<unknown, never, RequestContext>) => Handler) =>
    Effect.gen(function* () {
      const outcome = yield* Deferred.make<unknown>()
      const handler = stray(Effect.tap(form("a"), (found) => Deferred.succeed(outcome, found)))
      return yield* withHandler(
        handler,
        Effect.gen(function* () {
          const client = yield* connect("2025-06-18")
          assert.strictEqual((yield* client.call("t"))?.text, "done")
          assert.deepStrictEqual(yield* Deferred.await(outcome), {
            _tag: "Unavailable",
            reason: "the request has ended"
          })
          assert.strictEqual(client.session.requests.size, 0)
          return client.sent.map(({ method }) => method)
        })
      )
    })

  const aWhile = Effect.repeatN(Effect.yieldNow(), 20)

  it.effect("has its question taken back when the request ends", () =>
    Effect.gen(function* () {
      const sent = yield* sentBy((ask) => Effect.as(Effect.zipRight(Effect.forkDaemon(ask), aWhile), "done"))
      assert.deepStrictEqual(sent, ["elicitation/create", "notifications/cancelled"])
    })
  )

  it.effect("asks nothing once the request has ended", () =>
    Effect.gen(function* () {
      const sent = yield* sentBy((ask) => Effect.as(Effect.forkDaemon(Effect.zipRight(aWhile, ask)), "done"))
      assert.deepStrictEqual(sent, [])
    })
  )
})

for (const task of ["always", { after: "1 second" }] as const) {
  // verifies: TRAP-35
  it.effect(`a tool that may be a task (${show(task)}) asks as a call`, () =>
    withServer(
      McpServer.tools(Tool.make("t", { input: Schema.Struct({}), task, handler: () => asksForName })),
      Effect.gen(function* () {
        const client = yield* connect("2025-11-25")
        const { reply } = yield* client.start("tools/call", { name: "t" })
        yield* client.askedTimes(1)
        yield* TestClock.adjust("5 seconds")
        client.respond(client.asked()[0]?.id ?? "", named("x"))
        assert.strictEqual((yield* reply)?.text, show({ _tag: "Accepted", content: { name: "x" } }))
      })
    )
  )
}
