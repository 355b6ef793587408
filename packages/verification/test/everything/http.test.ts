import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { modern, modernMeta, request } from "../support/messages.js"
import * as RawHttp from "../support/rawHttp.js"
import { declaring, everyCapability, overHttp } from "./support/served.js"

describe("the fixture over HTTP", () => {
  // verifies: HTTP-11
  it.scopedLive("tells by the status that it cannot take a notification", () =>
    Effect.gen(function* () {
      const { url } = yield* overHttp
      const notification = {
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: 1, _meta: modernMeta }
      }
      for (const [post, status] of [
        [{ body: { ...notification, jsonrpc: "1.0" } }, 400],
        [{ body: { ...notification, method: 7 } }, 400],
        [{ body: notification, headers: { "content-type": "text/plain" } }, 415],
        [{ body: notification, headers: { origin: "https://evil.test" } }, 403],
        [{ body: notification }, 202]
      ] as const) {
        assert.strictEqual((yield* RawHttp.post(url, post)).status, status)
      }
    })
  )

  // verifies: P-36, P-61, DL-10
  it.scopedLive("offers no streams and no sessions to modern clients", () =>
    Effect.gen(function* () {
      const { url } = yield* overHttp
      for (const method of ["GET", "DELETE"]) {
        const answer = yield* Effect.promise(() =>
          fetch(url, {
            method,
            headers: { accept: "text/event-stream", "mcp-protocol-version": "2026-07-28" }
          })
        )
        assert.strictEqual(answer.status, 405, method)
      }
    })
  )

  // verifies: VER-03, HTTP-28, VER-02, P-59, DL-12, DC-13
  it.scopedLive("names the versions it serves to who asks for another", () =>
    Effect.gen(function* () {
      const { url } = yield* overHttp
      const body = modern(1, "server/discover", {}, { "io.modelcontextprotocol/protocolVersion": "v999.0.0" })
      const answer = yield* RawHttp.post(url, { body })
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(answer.body.error.code, -32022)
      assert.deepStrictEqual(answer.body.error.data, {
        supported: ["2026-07-28"],
        requested: "v999.0.0"
      })
    })
  )

  // verifies: HDR-03, HTTP-29
  it.scopedLive("refuses a modern request without its version in a header", () =>
    Effect.gen(function* () {
      const { url } = yield* overHttp
      const answer = yield* RawHttp.post(url, {
        body: modern(1, "tools/list"),
        headers: { "mcp-protocol-version": undefined }
      })
      assert.deepStrictEqual([answer.status, answer.body.error.code], [400, -32020])
    })
  )

  // verifies: HDR-07
  it.scopedLive.each(["tasks/get", "tasks/update", "tasks/cancel"])(
    "compares the name of %s with its header",
    (method) =>
      Effect.gen(function* () {
        const { url } = yield* overHttp
        const body = modern(1, method, { taskId: "t", inputResponses: {} }, declaring(everyCapability))
        for (const name of [undefined, "other"]) {
          const answer = yield* RawHttp.post(url, { body, headers: { "mcp-name": name } })
          assert.deepStrictEqual([answer.status, answer.body.error.code], [400, -32020])
        }
        assert.strictEqual((yield* RawHttp.post(url, { body })).body.error.code, -32602)
      })
  )

  // verifies: P-61
  it.scopedLive("knows none of the methods that this revision has removed", () =>
    Effect.gen(function* () {
      const { ask, url } = yield* overHttp
      for (const method of ["initialize", "ping", "logging/setLevel", "resources/subscribe"]) {
        const answer = yield* ask(method)
        assert.deepStrictEqual([answer.status, answer.body.error.code], [404, -32601], method)
      }
      const unclaimed = yield* RawHttp.post(url, { body: request(1, "tools/list") })
      assert.strictEqual(unclaimed.status, 400)
    })
  )
})
