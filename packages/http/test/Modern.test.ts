import * as Http from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { send } from "./support/client.js"
import { json, modern, modernMeta } from "./support/messages.js"
import { start } from "./support/server.js"
import { echo } from "./support/tools.js"

const callEcho = (url: string, text: string, headers: Record<string, string> = {}) =>
  modern(url, 1, "tools/call", { name: "echo", arguments: { text } }, headers)

describe("HttpTransport for 2026-07-28", () => {
  // verifies: HTTP-01, HTTP-14
  it.scopedLive("answers a call with one JSON body", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const answer = yield* send(callEcho(url, "hello"))
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers["content-type"], "application/json")
      assert.strictEqual(answer.headers["content-length"], String(Buffer.byteLength(answer.body)))
      assert.deepInclude(JSON.parse(answer.body), { jsonrpc: "2.0", id: 1 })
      assert.deepInclude(JSON.parse(answer.body).result, {
        resultType: "complete",
        content: [{ type: "text", text: "hello" }]
      })
    })
  )

  // verifies: P-35
  it.scopedLive("serves the endpoint with a slash at its end, without a redirect", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      assert.strictEqual((yield* send(callEcho(`${url}/?x=1`, "hello"))).status, 200)
    })
  )

  it.scopedLive("says nothing of what serves it", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const { headers } = yield* send(callEcho(url, "hello"))
      assert.sameMembers(Object.keys(headers), ["content-type", "content-length", "date", "connection"])
    })
  )

  it.scopedLive("answers discovery and lists", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const discovered = yield* send(modern(url, "a", "server/discover"))
      assert.strictEqual(discovered.status, 200)
      assert.deepStrictEqual(JSON.parse(discovered.body).result.supportedVersions, ["2026-07-28"])
      const listed = yield* send(modern(url, 0, "tools/list"))
      assert.strictEqual(JSON.parse(listed.body).id, 0)
      assert.strictEqual(JSON.parse(listed.body).result.tools[0].name, "echo")
    })
  )

  // verifies: HTTP-35, HTTP-36, P-61
  it.scopedLive("ignores session and resumption headers, and never sends any back", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const answer = yield* send(callEcho(url, "hello", { "mcp-session-id": "gone", "last-event-id": "7" }))
      assert.strictEqual(answer.status, 200)
      assert.isUndefined(answer.headers["mcp-session-id"])
    })
  )

  // verifies: HTTP-30
  it.scopedLive("takes a version header alone for a modern message whose metadata is missing", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const answer = yield* send({
        url,
        headers: { ...json, "mcp-protocol-version": "2026-07-28", "mcp-session-id": "gone" },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'
      })
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(JSON.parse(answer.body).error.code, -32602)
    })
  )

  // verifies: HTTP-27, HTTP-29
  it.scopedLive("sends refusals with their own statuses", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const unknown = yield* send(modern(url, 1, "nope"))
      assert.strictEqual(unknown.status, 404)
      assert.deepInclude(JSON.parse(unknown.body), { id: 1 })
      assert.strictEqual(JSON.parse(unknown.body).error.code, -32601)
      const mismatch = yield* send(callEcho(url, "hello", { "mcp-name": "other" }))
      assert.strictEqual(mismatch.status, 400)
      assert.strictEqual(JSON.parse(mismatch.body).error.code, -32020)
    })
  )

  // verifies: HTTP-10, CORE-27
  it.scopedLive("takes notifications, a cancellation among them, with 202 and no body", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      for (const method of ["notifications/cancelled", "notifications/anything"]) {
        const answer = yield* send({
          url,
          headers: { ...json, "mcp-session-id": "gone" },
          body: JSON.stringify({ jsonrpc: "2.0", method, params: { requestId: 1, _meta: modernMeta() } })
        })
        assert.strictEqual(answer.status, 202)
        assert.strictEqual(answer.body, "")
        assert.strictEqual(answer.headers["content-length"], "0")
      }
    })
  )

  it.scopedLive("serves several requests over one connection", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => new Http.Agent({ keepAlive: true, maxSockets: 1 })),
        (agent) => Effect.sync(() => agent.destroy())
      )
      const sockets = new Set<unknown>()
      agent.on("free", (socket) => sockets.add(socket))
      const paths = ["hello", "again"]
      for (const text of paths) {
        const answer = yield* send({ ...callEcho(url, text), agent })
        assert.strictEqual(JSON.parse(answer.body).result.content[0].text, text)
      }
      // A refusal keeps the connection too, when the body it did not read is short.
      assert.strictEqual(
        (yield* send({ ...callEcho(url, "x", { "content-type": "text/plain" }), agent })).status,
        415
      )
      assert.strictEqual((yield* send({ ...callEcho(url, "last"), agent })).status, 200)
      assert.strictEqual(sockets.size, 1)
    })
  )

  it.scopedLive("shows its replies to pages of allowed origins", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const answer = yield* send(callEcho(url, "hello", { origin: "http://localhost:6274" }))
      assert.strictEqual(answer.headers["access-control-allow-origin"], "http://localhost:6274")
      assert.strictEqual(answer.headers.vary, "Origin")
    })
  )

  // verifies: P-38
  it.scopedLive("answers a web page's preflight", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const answer = yield* send({
        url,
        method: "OPTIONS",
        headers: { origin: "http://localhost:6274", "access-control-request-method": "POST" }
      })
      assert.strictEqual(answer.status, 204)
      assert.strictEqual(answer.body, "")
      assert.strictEqual(answer.headers["access-control-allow-origin"], "http://localhost:6274")
    })
  )
})
