import { assert, describe, it } from "@effect/vitest"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Json from "@pushbutton/protocol/Json"
import * as ProtocolVersion from "@pushbutton/protocol/ProtocolVersion"
import type { Tool } from "@pushbutton/protocol/Tool"
import { capabilities, hints, identity, progress, result, tool } from "./registry.js"

const versions: ReadonlyArray<ProtocolVersion.ProtocolVersion> = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28"
]

/** The members of an object, and those of objects inside unless the member is one of the opaque ones. */
const members = (value: JsonValue | undefined, opaque: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  if (Array.isArray(value)) return members(value[0], opaque)
  if (!Json.isObject(value)) return []
  return Object.entries(value)
    .flatMap(([key, inner]) =>
      opaque.includes(key) ? [key] : [key, ...members(inner, opaque).map((member) => `${key}.${member}`)]
    )
    .sort()
}

const checkMembers = (
  encoded: (dialect: Dialect.Dialect) => JsonObject,
  expected: { readonly [Version in ProtocolVersion.ProtocolVersion]: string },
  opaque: ReadonlyArray<string> = []
) => {
  for (const version of versions) {
    assert.deepStrictEqual(
      members(encoded(Dialect.forVersion(version)), opaque),
      expected[version].split(" ").sort(),
      version
    )
  }
}

describe("Dialect", () => {
  it("is the one of the revision asked for", () => {
    for (const version of versions) assert.strictEqual(Dialect.forVersion(version).version, version)
  })

  it("pins the members of a tool", () => {
    const hinted =
      "name description inputSchema annotations annotations.title annotations.readOnlyHint annotations.destructiveHint annotations.idempotentHint annotations.openWorldHint"
    const since2025 = `${hinted} title outputSchema _meta`
    const withIcons = `${since2025} icons icons.src icons.mimeType icons.sizes icons.theme`
    checkMembers(
      (dialect) => dialect.tool(tool),
      {
        "2024-11-05": "name description inputSchema",
        "2025-03-26": hinted,
        "2025-06-18": since2025,
        "2025-11-25": withIcons,
        "2026-07-28": withIcons
      },
      ["inputSchema", "outputSchema", "_meta"]
    )
  })

  it("pins the members of an implementation", () => {
    const full =
      "name title version description websiteUrl icons icons.src icons.mimeType icons.sizes icons.theme"
    checkMembers((dialect) => dialect.implementation(identity), {
      "2024-11-05": "name version",
      "2025-03-26": "name version",
      "2025-06-18": "name title version",
      "2025-11-25": full,
      "2026-07-28": full
    })
  })

  it("pins the members of capabilities", () => {
    const first =
      "experimental logging prompts prompts.listChanged resources resources.subscribe resources.listChanged tools tools.listChanged"
    checkMembers(
      (dialect) => dialect.capabilities(capabilities),
      {
        "2024-11-05": first,
        "2025-03-26": `${first} completions`,
        "2025-06-18": `${first} completions`,
        "2025-11-25": `${first} completions`,
        "2026-07-28": `${first} completions extensions`
      },
      ["experimental", "extensions"]
    )
  })

  // verifies: PROG-12
  it("pins the members of progress", () => {
    const full = "progressToken progress total message"
    checkMembers((dialect) => dialect.progress(progress), {
      "2024-11-05": "progressToken progress total",
      "2025-03-26": full,
      "2025-06-18": full,
      "2025-11-25": full,
      "2026-07-28": full
    })
  })

  it("pins the members of a call result", () => {
    checkMembers(
      (dialect) => dialect.callToolResult(result, tool, identity),
      {
        "2024-11-05": "content isError _meta",
        "2025-03-26": "content isError _meta",
        "2025-06-18": "content isError _meta structuredContent",
        "2025-11-25": "content isError _meta structuredContent",
        "2026-07-28": "content isError _meta structuredContent resultType"
      },
      ["content", "_meta", "structuredContent"]
    )
  })

  it("pins the members of each kind of content block", () => {
    const expected: { readonly [Version in ProtocolVersion.ProtocolVersion]: ReadonlyArray<string> } = {
      "2024-11-05": [
        "text: annotations annotations.audience annotations.priority text type",
        "image: annotations annotations.audience annotations.priority data mimeType type",
        "resource: annotations annotations.audience annotations.priority resource resource.blob resource.mimeType resource.uri type",
        "text: annotations annotations.audience annotations.priority text type",
        "resource: annotations annotations.audience annotations.priority resource resource.mimeType resource.text resource.uri type",
        "resource: resource resource.blob resource.mimeType resource.uri type"
      ],
      "2025-03-26": [
        "text: annotations annotations.audience annotations.priority text type",
        "image: annotations annotations.audience annotations.priority data mimeType type",
        "audio: annotations annotations.audience annotations.priority data mimeType type",
        "text: annotations annotations.audience annotations.priority text type",
        "resource: annotations annotations.audience annotations.priority resource resource.mimeType resource.text resource.uri type",
        "resource: resource resource.blob resource.mimeType resource.uri type"
      ],
      "2025-06-18": [
        "text: _meta annotations annotations.audience annotations.lastModified annotations.priority text type",
        "image: _meta annotations annotations.audience annotations.lastModified annotations.priority data mimeType type",
        "audio: _meta annotations annotations.audience annotations.lastModified annotations.priority data mimeType type",
        "resource_link: _meta annotations annotations.audience annotations.lastModified annotations.priority description mimeType name size title type uri",
        "resource: _meta annotations annotations.audience annotations.lastModified annotations.priority resource resource._meta resource.mimeType resource.text resource.uri type",
        "resource: resource resource._meta resource.blob resource.mimeType resource.uri type"
      ],
      "2025-11-25": [
        "text: _meta annotations annotations.audience annotations.lastModified annotations.priority text type",
        "image: _meta annotations annotations.audience annotations.lastModified annotations.priority data mimeType type",
        "audio: _meta annotations annotations.audience annotations.lastModified annotations.priority data mimeType type",
        "resource_link: _meta annotations annotations.audience annotations.lastModified annotations.priority description icons icons.mimeType icons.sizes icons.src icons.theme mimeType name size title type uri",
        "resource: _meta annotations annotations.audience annotations.lastModified annotations.priority resource resource._meta resource.mimeType resource.text resource.uri type",
        "resource: resource resource._meta resource.blob resource.mimeType resource.uri type"
      ],
      "2026-07-28": [
        "text: _meta annotations annotations.audience annotations.lastModified annotations.priority text type",
        "image: _meta annotations annotations.audience annotations.lastModified annotations.priority data mimeType type",
        "audio: _meta annotations annotations.audience annotations.lastModified annotations.priority data mimeType type",
        "resource_link: _meta annotations annotations.audience annotations.lastModified annotations.priority description icons icons.mimeType icons.sizes icons.src icons.theme mimeType name size title type uri",
        "resource: _meta annotations annotations.audience annotations.lastModified annotations.priority resource resource._meta resource.mimeType resource.text resource.uri type",
        "resource: resource resource._meta resource.blob resource.mimeType resource.uri type"
      ]
    }
    for (const version of versions) {
      const { content } = Dialect.forVersion(version).callToolResult(result, tool, identity)
      const found = (Array.isArray(content) ? content : []).map(
        (block: JsonObject) => `${block["type"]}: ${members(block, ["_meta"]).join(" ")}`
      )
      assert.deepStrictEqual(found, expected[version], version)
    }
  })

  it("pins the members of a list", () => {
    checkMembers(
      (dialect) => dialect.list("tools", [], "c", hints, identity),
      {
        "2024-11-05": "tools nextCursor",
        "2025-03-26": "tools nextCursor",
        "2025-06-18": "tools nextCursor",
        "2025-11-25": "tools nextCursor",
        "2026-07-28": "tools nextCursor ttlMs cacheScope resultType _meta"
      },
      ["_meta"]
    )
  })

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
