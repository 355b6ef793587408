import { assert, describe, it } from "@effect/vitest"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as ProtocolVersion from "@pushbutton/protocol/ProtocolVersion"
import type { Tool } from "@pushbutton/protocol/Tool"
import { capabilities, hints, identity, result, tool } from "./registry.js"

const versions: ReadonlyArray<ProtocolVersion.ProtocolVersion> = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28"
]

describe("Dialect", () => {
  it("is the one of the revision asked for", () => {
    for (const version of versions) assert.strictEqual(Dialect.forVersion(version).version, version)
  })

  // verifies: EN-32, PA-01
  it("leaves `nextCursor` out of the last page", () => {
    for (const version of versions) {
      const list = Dialect.forVersion(version).list("tools", [], undefined, hints, identity)
      assert.notProperty(list, "nextCursor", version)
      assert.deepStrictEqual(list["tools"], [])
    }
  })

  // verifies: CACHE-02, P-62
  it("writes hints as whole milliseconds that are not negative", () => {
    for (const [ttlMs, written] of [
      [0, 0],
      [1500.7, 1500],
      [-1, 0],
      [Number.NaN, 0],
      [Number.POSITIVE_INFINITY, 9007199254740991]
    ] as const) {
      const list = Dialect.forVersion("2026-07-28").list(
        "x",
        [],
        undefined,
        { ttlMs, cacheScope: "private" },
        identity
      )
      assert.strictEqual(list["ttlMs"], written)
      assert.strictEqual(list["cacheScope"], "private")
    }
  })

  describe("complete", () => {
    // verifies: EN-29, TRAP-02, TRAP-44
    it("gives a legacy client an empty result as `{}`, whatever stamps came along", () => {
      for (const version of ProtocolVersion.legacyVersions) {
        const { complete } = Dialect.forVersion(version)
        assert.deepStrictEqual(complete({}, identity), {})
        assert.deepStrictEqual(
          complete({ resultType: "complete", ttlMs: 1, cacheScope: "public", _meta: {} }, identity),
          {}
        )
      }
    })

    // verifies: META-10, CORE-10
    it("stamps a modern result with its type and the server's identity, over any that came along", () => {
      const { complete, implementation } = Dialect.forVersion("2026-07-28")
      const serverInfo = implementation(identity)
      assert.deepStrictEqual(complete({}, identity), {
        resultType: "complete",
        _meta: { "io.modelcontextprotocol/serverInfo": serverInfo }
      })
      assert.deepStrictEqual(
        complete(
          {
            a: null,
            resultType: "x",
            _meta: {
              "io.modelcontextprotocol/serverInfo": 1,
              "io.modelcontextprotocol/subscriptionId": 0,
              "com.example/n": false
            }
          },
          identity
        ),
        {
          resultType: "complete",
          a: null,
          _meta: {
            "io.modelcontextprotocol/serverInfo": serverInfo,
            "io.modelcontextprotocol/subscriptionId": 0,
            "com.example/n": false
          }
        }
      )
    })

    // verifies: EN-08, TRAP-44
    it("strips reserved `_meta` keys that a legacy revision does not define, and keeps the author's", () => {
      const _meta = {
        "io.modelcontextprotocol/serverInfo": {},
        "io.modelcontextprotocol/subscriptionId": 1,
        "io.modelcontextprotocol/related-task": { taskId: "t" },
        "io.modelcontextprotocol/model-immediate-response": "soon",
        "com.example/n": null
      }
      const strip = (version: ProtocolVersion.ProtocolVersion) =>
        Dialect.forVersion(version).complete({ _meta }, identity)["_meta"]
      assert.deepStrictEqual(strip("2024-11-05"), { "com.example/n": null })
      assert.deepStrictEqual(strip("2025-03-26"), { "com.example/n": null })
      assert.deepStrictEqual(strip("2025-06-18"), { "com.example/n": null })
      assert.deepStrictEqual(strip("2025-11-25"), {
        "io.modelcontextprotocol/related-task": { taskId: "t" },
        "io.modelcontextprotocol/model-immediate-response": "soon",
        "com.example/n": null
      })
    })

    it("keeps a member named `__proto__` a member", () => {
      const hostile: JsonObject = JSON.parse('{"__proto__":{"a":1},"_meta":{"__proto__":{"b":2}}}')
      for (const version of versions) {
        const encoded = JSON.stringify(Dialect.forVersion(version).complete(hostile, identity))
        assert.include(encoded, '"__proto__":{"a":1}', version)
        assert.include(encoded, '"__proto__":{"b":2}', version)
      }
    })
  })

  // verifies: EN-15, EN-31, TRAP-35
  it("leaves out members that no revision has, at every depth and in every item", () => {
    const icons = JSON.parse('[{"src":"a","x":1},{"src":"b","__proto__":{"x":1}}]')
    const annotations = JSON.parse('{"readOnlyHint":true,"x":1}')
    const open: Tool = JSON.parse(
      '{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"},"x":1}'
    )
    for (const version of ["2025-11-25", "2026-07-28"] as const) {
      assert.deepStrictEqual(Dialect.forVersion(version).tool({ ...open, icons, annotations }), {
        name: "t",
        inputSchema: { type: "object" },
        annotations: { readOnlyHint: true },
        icons: [{ src: "a" }, { src: "b" }]
      })
    }
  })

  // verifies: EN-10
  it("gives a tool's title to 2025-03-26 among the annotations, and never over one that is there", () => {
    const titled: Tool = { name: "t", title: "Title", inputSchema: { type: "object" } }
    const annotations = (version: ProtocolVersion.ProtocolVersion, tool: Tool) =>
      Dialect.forVersion(version).tool(tool)["annotations"]
    assert.deepStrictEqual(annotations("2025-03-26", titled), { title: "Title" })
    assert.deepStrictEqual(
      annotations("2025-03-26", { ...titled, annotations: { title: "", readOnlyHint: false } }),
      { title: "Title", readOnlyHint: false }
    )
    assert.deepStrictEqual(annotations("2025-03-26", { ...titled, annotations: { title: "Mine" } }), {
      title: "Mine"
    })
    assert.strictEqual(annotations("2024-11-05", titled), undefined)
    assert.strictEqual(annotations("2025-06-18", titled), undefined)
  })

  // verifies: EN-32, TRAP-32
  it("leaves out members that are null", () => {
    const open: Tool = JSON.parse(
      '{"name":"t","title":null,"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":null},"_meta":null}'
    )
    for (const version of versions) {
      const { annotations, ...encoded } = Dialect.forVersion(version).tool(open)
      assert.deepStrictEqual(encoded, { name: "t", inputSchema: { type: "object" } }, version)
      assert.deepStrictEqual<unknown>(annotations, version === "2024-11-05" ? undefined : {}, version)
    }
  })

  it("never changes what it encodes", () => {
    const before = JSON.stringify([tool, result, identity, capabilities])
    for (const version of versions) {
      const dialect = Dialect.forVersion(version)
      dialect.tool(tool)
      dialect.callToolResult(result, tool, identity)
      dialect.capabilities(capabilities)
    }
    assert.strictEqual(JSON.stringify([tool, result, identity, capabilities]), before)
  })
})
