import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type Answer, send } from "./support/client.js"
import { initialize, legacy } from "./support/messages.js"
import { start } from "./support/server.js"
import { echo, makeWaiting } from "./support/tools.js"

const open = (url: string) =>
  Effect.map(
    send(legacy(url, undefined, initialize())),
    (answer) => answer.headers["mcp-session-id"]?.toString() ?? ""
  )

const error = (answer: Answer) => JSON.parse(answer.body).error

const list = (id: number | string = 2) => ({ id, method: "tools/list" })

describe("HttpTransport for legacy revisions", () => {
  // verifies: SH-40, LC-07, SH-05, SH-06, LC-28
  it.scopedLive("opens a session with initialize and serves it in its revision", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const opened = yield* send(legacy(url, undefined, initialize()))
      assert.strictEqual(opened.status, 200)
      assert.strictEqual(opened.headers["content-type"], "application/json")
      assert.strictEqual(opened.headers["mcp-session-id"], "id-1")
      assert.strictEqual(JSON.parse(opened.body).result.protocolVersion, "2025-11-25")

      const initialized = yield* send(legacy(url, "id-1", { method: "notifications/initialized" }))
      assert.deepStrictEqual([initialized.status, initialized.body], [202, ""])

      const listed = yield* send(legacy(url, "id-1", list()))
      assert.strictEqual(listed.status, 200)
      assert.isUndefined(listed.headers["mcp-session-id"])
      assert.strictEqual(JSON.parse(listed.body).result.tools[0].name, "echo")
      assert.isUndefined(JSON.parse(listed.body).result.resultType)

      const called = yield* send(
        legacy(url, "id-1", {
          id: "3",
          method: "tools/call",
          params: { name: "echo", arguments: { text: "hello" } }
        })
      )
      assert.deepStrictEqual(JSON.parse(called.body), {
        jsonrpc: "2.0",
        id: "3",
        result: { content: [{ type: "text", text: "hello" }] }
      })
    })
  )

  // verifies: SH-09, TRAP-39
  it.scopedLive("answers JSON-RPC errors with 200", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const answer = yield* send(legacy(url, yield* open(url), { id: 2, method: "nope" }))
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(error(answer).code, -32601)
    })
  )

  // verifies: P-46, P-49, SH-42, DL-06
  it.scopedLive("refuses a request without a session with 400", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      assert.strictEqual((yield* send(legacy(url, undefined, list()))).status, 400)
    })
  )

  // verifies: P-46, P-48, SH-43, SH-44, ER-05
  it.scopedLive("refuses unknown sessions with 404, whatever is sent", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const request = yield* send(legacy(url, "gone", list("x")))
      assert.strictEqual(request.status, 404)
      assert.strictEqual(JSON.parse(request.body).id, "x")
      assert.strictEqual(error(request).code, -32600)
      assert.strictEqual((yield* send(legacy(url, "gone", initialize()))).status, 404)
      const notification = yield* send(legacy(url, "gone", { method: "notifications/initialized" }))
      assert.strictEqual(notification.status, 404)
      assert.notProperty(JSON.parse(notification.body), "id")
      assert.strictEqual((yield* send(legacy(url, "", list()))).status, 404)
      const deleted = yield* send({ url, method: "DELETE", headers: { "mcp-session-id": "gone" } })
      assert.strictEqual(deleted.status, 404)
      assert.strictEqual(error(deleted).code, -32600)
    })
  )

  // verifies: P-48, LC-12
  it.scopedLive("refuses a second initialize in a session and keeps the session", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const sessionId = yield* open(url)
      const again = yield* send(legacy(url, sessionId, initialize()))
      assert.strictEqual(again.status, 400)
      assert.strictEqual(error(again).code, -32600)
      assert.isUndefined(again.headers["mcp-session-id"])
      assert.strictEqual((yield* send(legacy(url, sessionId, list()))).status, 200)
    })
  )

  it.scopedLive("refuses what cannot be read before it looks the session up", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const answer = yield* send({ ...legacy(url, "gone", {}), body: "{" })
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(error(answer).code, -32700)
    })
  )

  // verifies: SH-45, SH-43
  it.scopedLive("ends a session on DELETE", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const sessionId = yield* open(url)
      const deleted = yield* send({ url, method: "DELETE", headers: { "mcp-session-id": sessionId } })
      assert.deepStrictEqual([deleted.status, deleted.body], [204, ""])
      assert.strictEqual((yield* send(legacy(url, sessionId, list()))).status, 404)
    })
  )

  // verifies: P-47
  it.scopedLive("evicts the oldest session beyond the cap", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo], { sessionCap: 1 })
      const first = yield* open(url)
      const second = yield* open(url)
      assert.strictEqual((yield* send(legacy(url, first, list()))).status, 404)
      assert.strictEqual((yield* send(legacy(url, second, list()))).status, 200)
    })
  )

  // verifies: LC-27, CA-05
  it.scopedLive("refuses an id that is in flight in the session, in no other one, and of no other type", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool, echo])
      const sessionId = yield* open(url)
      const running = yield* Effect.fork(
        send(legacy(url, sessionId, { id: 5, method: "tools/call", params: { name: "wait" } }))
      )
      yield* Deferred.await(wait.started)
      const call = { method: "tools/call", params: { name: "echo", arguments: { text: "hello" } } }
      const same = yield* send(legacy(url, sessionId, { id: 5, ...call }))
      assert.strictEqual(same.status, 200)
      assert.deepInclude(JSON.parse(same.body), { id: 5 })
      assert.strictEqual(error(same).code, -32600)
      assert.isUndefined(error(yield* send(legacy(url, sessionId, { id: "5", ...call }))))
      assert.isUndefined(error(yield* send(legacy(url, yield* open(url), { id: 5, ...call }))))
      yield* Deferred.succeed(wait.gate, "first")
      assert.strictEqual(JSON.parse((yield* Fiber.join(running)).body).result.content[0].text, "first")
      assert.isUndefined(error(yield* send(legacy(url, sessionId, { id: 5, ...call }))))
    })
  )
})
