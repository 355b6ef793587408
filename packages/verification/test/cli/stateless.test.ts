/** `pushbutton http --stateless`, through the binary. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { dataFolder } from "../support/buttons.js"

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "tests", version: "1" }
  }
}

const post = (url: string, message: object) =>
  Effect.promise(() =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(message)
    })
  )

describe("pushbutton http --stateless", () => {
  // verifies: DC-01
  it.scopedLive("serves clients with a handshake, and keeps no session for them", () =>
    Effect.gen(function* () {
      const { url } = yield* Binary.http(yield* dataFolder, ["--stateless"])
      const opened = yield* post(url, initialize)
      assert.strictEqual(opened.status, 200)
      assert.isNull(opened.headers.get("mcp-session-id"))
      const listed = yield* post(url, { jsonrpc: "2.0", id: 2, method: "tools/list" })
      assert.strictEqual(listed.status, 200)
      const got = yield* Effect.promise(() => fetch(url, { headers: { accept: "text/event-stream" } }))
      assert.strictEqual(got.status, 405)
    })
  )

  // verifies: DC-01
  it.scopedLive("is asked for: sessions are kept without it", () =>
    Effect.gen(function* () {
      const { url } = yield* Binary.http(yield* dataFolder)
      assert.isNotNull((yield* post(url, initialize)).headers.get("mcp-session-id"))
    })
  )

  it.scopedLive("is refused where it would change nothing", () =>
    Effect.gen(function* () {
      const options = ["--port", "0", "--stateless", "--modern-only"]
      const refused = yield* Binary.start(["http", "--dir", yield* dataFolder, ...options])
      assert.strictEqual((yield* refused.exited).code, 1)
      assert.include(refused.stderr(), "--modern-only")
    })
  )
})
