/** `--modern-only`, through the binary. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { dataFolder } from "../support/buttons.js"
import { initialize, modern } from "../support/messages.js"
import * as RawHttp from "../support/rawHttp.js"
import * as RawStdio from "../support/rawStdio.js"

const refusal = {
  code: -32022,
  message: "Unsupported protocol version: 2025-11-25 (supported: 2026-07-28)",
  data: { supported: ["2026-07-28"], requested: "2025-11-25" }
}

describe("pushbutton --modern-only", () => {
  // verifies: VER-11
  it.scopedLive("refuses initialize on stdio, and serves 2026-07-28", () =>
    Effect.gen(function* () {
      const raw = yield* RawStdio.open(yield* dataFolder, ["--modern-only"])
      yield* raw.send(initialize(1), modern(2, "tools/list"))
      assert.deepStrictEqual((yield* raw.responseTo(1)).error, refusal)
      assert.property(yield* raw.responseTo(2), "result")
    })
  )

  // verifies: VER-11, VER-12
  it.scopedLive("refuses initialize over HTTP, and serves 2026-07-28", () =>
    Effect.gen(function* () {
      const { url } = yield* Binary.http(yield* dataFolder, ["--modern-only"])
      const refused = yield* RawHttp.post(url, { body: initialize(1) })
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual(refused.body.error, refusal)
      assert.isNull(refused.headers.get("mcp-session-id"))
      const served = yield* RawHttp.post(url, { body: modern(2, "tools/list") })
      assert.strictEqual(served.status, 200)
    })
  )
})
