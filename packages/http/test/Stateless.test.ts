import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { send } from "./support/client.js"
import * as Events from "./support/events.js"
import { callTool } from "./support/legacyClient.js"
import { initialize, legacy, modern } from "./support/messages.js"
import { start } from "./support/server.js"
import { echo, steps } from "./support/tools.js"

const serve = start([echo, steps], { legacy: "stateless" })

describe("a server without sessions", () => {
  // verifies: LC-22, TRAP-28, SH-40, DC-01
  it.scopedLive("opens none, and promises only what it can do", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      const answer = yield* send(legacy(url, undefined, initialize()))
      assert.strictEqual(answer.status, 200)
      assert.notProperty(answer.headers, "mcp-session-id")
      const { capabilities, protocolVersion } = JSON.parse(answer.body).result
      assert.strictEqual(protocolVersion, "2025-11-25")
      assert.deepStrictEqual(capabilities.tools, {})
      assert.notProperty(capabilities, "logging")
    })
  )

  // verifies: SH-52, SH-53, SH-56, TRAP-11
  it.scopedLive("serves each request by itself, in the revision that its header names", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      const list = { id: 1, method: "tools/list" }
      for (const [headers, status] of [
        [{}, 200],
        [{ "mcp-protocol-version": "2025-06-18" }, 200],
        [{ "mcp-session-id": "whatever" }, 200],
        [{ "mcp-protocol-version": "1.0.0" }, 400]
      ] as const) {
        assert.strictEqual((yield* send(legacy(url, undefined, list, headers))).status, status)
      }
      const again = yield* send(legacy(url, undefined, initialize(), { "mcp-session-id": "whatever" }))
      assert.strictEqual(again.status, 200)
      assert.strictEqual((yield* send(modern(url, 1, "tools/list"))).status, 200)
    })
  )

  it.scopedLive("streams what comes before a response, without event ids", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      const headers = { "mcp-protocol-version": "2025-11-25" }
      const answer = yield* send(legacy(url, undefined, callTool(1, "steps", 1), headers))
      const events = Events.parseAll(answer.body)
      assert.deepStrictEqual(
        events.map(({ id, message }) => [id, message.id ?? message.params.progress]),
        [
          [undefined, 1],
          [undefined, 2],
          [undefined, 1]
        ]
      )
    })
  )

  // verifies: SH-07, BA-06
  it.scopedLive("takes batches where no header names another revision", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      const batch = { ...legacy(url, undefined, {}), body: '[{"jsonrpc":"2.0","id":1,"method":"ping"}]' }
      assert.deepStrictEqual(JSON.parse((yield* send(batch)).body), [{ jsonrpc: "2.0", id: 1, result: {} }])
      const headers = { ...batch.headers, "mcp-protocol-version": "2025-06-18" }
      assert.strictEqual((yield* send({ ...batch, headers })).status, 400)
    })
  )

  // verifies: SH-20, TRAP-22
  it.scopedLive("has no streams and no sessions to ask for", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      for (const method of ["GET", "DELETE"]) {
        const headers = { accept: "text/event-stream", "mcp-session-id": "any" }
        const answer = yield* send({ url, method, headers })
        assert.deepStrictEqual([answer.status, answer.headers.allow], [405, "POST, OPTIONS"])
      }
    })
  )

  // verifies: SH-05
  it.scopedLive("takes notifications with 202", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      const sent = yield* send(legacy(url, undefined, { method: "notifications/initialized" }))
      assert.deepStrictEqual([sent.status, sent.body], [202, ""])
    })
  )
})
