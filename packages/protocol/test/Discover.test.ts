import { assert, describe, it } from "@effect/vitest"
import * as Discover from "@pushbutton/protocol/Discover"

const server = {
  identity: { name: "s", version: "2" },
  capabilities: { tools: { listChanged: true }, extensions: { "com.example/x": {} } },
  hints: { ttlMs: 0, cacheScope: "public" }
} as const

describe("Discover", () => {
  it("lists modern versions only and puts the identity in `_meta`", () => {
    assert.strictEqual(
      JSON.stringify(Discover.result({ ...server, instructions: "press" })),
      JSON.stringify({
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: { listChanged: true }, extensions: { "com.example/x": {} } },
        instructions: "press",
        ttlMs: 0,
        cacheScope: "public",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "2" } }
      })
    )
  })

  it("leaves absent instructions out and keeps empty ones", () => {
    assert.notProperty(Discover.result({ ...server, instructions: undefined }), "instructions")
    assert.propertyVal(Discover.result({ ...server, instructions: "" }), "instructions", "")
  })
})
