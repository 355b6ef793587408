import { assert, describe, it } from "@effect/vitest"
import type { ContentBlock } from "@pushbutton/protocol/Content"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import type { JsonValue } from "@pushbutton/protocol/Json"
import type { ProtocolVersion } from "@pushbutton/protocol/ProtocolVersion"
import type { CallToolResult, Tool } from "@pushbutton/protocol/Tool"

const identity = { name: "s", version: "1" }
const plain: Tool = { name: "t", inputSchema: { type: "object" } }
const typed: Tool = { ...plain, outputSchema: { type: "object" } }
const untypedRoot: Tool = { ...plain, outputSchema: { type: "array" } }

const encode = (version: ProtocolVersion, result: CallToolResult, tool: Tool = plain) =>
  Dialect.forVersion(version).callToolResult(result, tool, identity)

const encodeBlock = (version: ProtocolVersion, block: ContentBlock) =>
  encode(version, { content: [{ type: "image", data: "", mimeType: "" }, block] })["content"]

const second = (content: JsonValue | undefined) => (Array.isArray(content) ? content[1] : undefined)

const legacy = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const
const all = [...legacy, "2026-07-28"] as const

describe("content of a call result", () => {
  // verifies: EN-02, TRAP-03, DC-08
  it("embeds audio as a resource for a client without audio blocks", () => {
    const block = encodeBlock("2024-11-05", { type: "audio", data: "AAAA", mimeType: "audio/wav" })
    assert.deepStrictEqual(second(block), {
      type: "resource",
      resource: { uri: "embedded:audio/1", mimeType: "audio/wav", blob: "AAAA" }
    })
  })

  // verifies: EN-03, TRAP-03, DC-08
  it("describes a resource link in text for a client without links", () => {
    const log = { type: "resource_link", uri: "file:///log", name: "log" } as const
    const titled = { ...log, title: "Log", mimeType: "text/plain", description: "What happened" }
    for (const version of ["2024-11-05", "2025-03-26"] as const) {
      assert.deepStrictEqual(second(encodeBlock(version, titled)), {
        type: "text",
        text: "Log: file:///log (text/plain)\nWhat happened"
      })
      assert.deepStrictEqual(second(encodeBlock(version, log)), { type: "text", text: "log: file:///log" })
    }
  })

  // verifies: EN-04
  it("puts a placeholder for a block type nobody knows", () => {
    const unknown: ContentBlock = JSON.parse('{"type":"hologram","data":"x"}')
    const nameless: ContentBlock = JSON.parse('{"data":"x"}')
    for (const version of all) {
      assert.deepStrictEqual(second(encodeBlock(version, unknown)), {
        type: "text",
        text: "[content of type hologram left out]"
      })
      assert.deepStrictEqual(second(encodeBlock(version, nameless)), {
        type: "text",
        text: "[content of type undefined left out]"
      })
    }
  })

  // verifies: EN-21
  it("keeps a priority within 0 and 1", () => {
    for (const [sent, written] of [
      [0, 0],
      [0.5, 0.5],
      [7, 1],
      [-1, 0],
      [Number.POSITIVE_INFINITY, 1]
    ] as const) {
      for (const version of all) {
        const block = encodeBlock(version, { type: "text", text: "", annotations: { priority: sent } })
        assert.deepStrictEqual(second(block), { type: "text", text: "", annotations: { priority: written } })
      }
    }
  })

  it("leaves out a priority that is no number", () => {
    for (const version of all) {
      const block = encodeBlock(version, { type: "text", text: "", annotations: { priority: Number.NaN } })
      assert.deepStrictEqual(second(block), { type: "text", text: "", annotations: {} })
    }
  })

  // verifies: EN-22
  it("writes `lastModified` for a legacy client only as a full date and time with a zone", () => {
    const written = (version: ProtocolVersion, lastModified: string) =>
      JSON.stringify(second(encodeBlock(version, { type: "text", text: "", annotations: { lastModified } })))
    for (const full of ["2025-01-12T15:00:58Z", "2025-01-12T15:00:58.123+02:00"]) {
      assert.include(written("2025-06-18", full), full)
      assert.include(written("2025-11-25", full), full)
      assert.notInclude(written("2024-11-05", full), full)
      assert.notInclude(written("2025-03-26", full), full)
    }
    for (const other of ["2025-01-12", "2025-01-12T15:00:58", "yesterday"]) {
      for (const version of legacy) assert.notInclude(written(version, other), other)
      assert.include(written("2026-07-28", other), other)
    }
  })

  // verifies: EN-07
  it("is always there, empty when the tool said nothing", () => {
    for (const version of all) assert.deepStrictEqual(encode(version, { content: [] })["content"], [])
  })
})

describe("structured content", () => {
  const text = (value: JsonValue) => ({ type: "text", text: JSON.stringify(value) })

  // verifies: P-84, TO-07, TRAP-04
  it("is repeated as text when there is no text block, in every revision", () => {
    for (const version of all) {
      for (const value of [{ a: 1 }, [], null, false, 0, ""]) {
        assert.deepStrictEqual(encode(version, { content: [], structuredContent: value })["content"], [
          text(value)
        ])
      }
    }
  })

  it("adds no text where the author wrote some, be it empty", () => {
    for (const version of all) {
      const content = [{ type: "text", text: "" }] as const
      assert.deepStrictEqual(encode(version, { content, structuredContent: { a: 1 } })["content"], content)
    }
  })

  // verifies: TRAP-04
  it("is repeated as text beside a link that turns into text", () => {
    const link = { type: "resource_link", uri: "file:///a", name: "a" } as const
    assert.deepStrictEqual(encode("2024-11-05", { content: [link], structuredContent: 1 })["content"], [
      { type: "text", text: "a: file:///a" },
      text(1)
    ])
  })

  const written = (version: ProtocolVersion, structuredContent: JsonValue, tool: Tool) =>
    encode(version, { content: [], structuredContent }, tool)["structuredContent"]

  // verifies: EN-05, DI-11
  it("is left out before 2025-06-18", () => {
    for (const version of ["2024-11-05", "2025-03-26"] as const) {
      for (const tool of [plain, typed, untypedRoot]) {
        assert.strictEqual(written(version, { a: 1 }, tool), undefined)
      }
    }
  })

  it("goes as it is in 2026-07-28, falsy values included", () => {
    for (const value of [{ a: 1 }, [], null, false, 0, ""]) {
      for (const tool of [plain, typed, untypedRoot]) {
        assert.deepStrictEqual(written("2026-07-28", value, tool), value)
      }
    }
    assert.notProperty(encode("2026-07-28", { content: [] }), "structuredContent")
  })

  // verifies: EN-06, TO-08
  it("is always an object between the two, wrapped by what the tool's schema says and not by the value", () => {
    for (const version of ["2025-06-18", "2025-11-25"] as const) {
      assert.deepStrictEqual(written(version, { a: 1 }, plain), { a: 1 })
      assert.deepStrictEqual(written(version, { a: 1 }, typed), { a: 1 })
      assert.deepStrictEqual(written(version, { a: 1 }, untypedRoot), { result: { a: 1 } })
      for (const value of [[], null, false, 0, ""]) {
        assert.deepStrictEqual(written(version, value, plain), { result: value })
        assert.deepStrictEqual(written(version, value, untypedRoot), { result: value })
        assert.strictEqual(written(version, value, typed), undefined)
      }
    }
  })
})
