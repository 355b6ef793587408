import { assert, describe, it } from "@effect/vitest"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import { checkOf } from "./support/schema.js"

const result = (value: object) => ({ jsonrpc: "2.0", id: 1, result: value })

const listing = (tool: object) => result({ tools: [{ name: "t", inputSchema: { type: "object" }, ...tool }] })

const called = (block: object, more: object = {}) => result({ content: [block], ...more })

const text = { type: "text", text: "t" }

const progress = (params: object) => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken: 1, progress: 1, ...params }
})

/** A message that the second revision allows and the first does not. */
const cases: ReadonlyArray<
  readonly [what: string, tooOld: LegacyVersion, knows: LegacyVersion, message: object, method: string]
> = [
  ["annotations of a tool", "2024-11-05", "2025-03-26", listing({ annotations: {} }), "tools/list"],
  ["a title", "2025-03-26", "2025-06-18", listing({ title: "T" }), "tools/list"],
  ["icons", "2025-06-18", "2025-11-25", listing({ icons: [] }), "tools/list"],
  ["audio", "2024-11-05", "2025-03-26", called({ type: "audio", data: "", mimeType: "a/b" }), "tools/call"],
  [
    "a link",
    "2025-03-26",
    "2025-06-18",
    called({ type: "resource_link", uri: "u:", name: "n" }),
    "tools/call"
  ],
  ["structured content", "2025-03-26", "2025-06-18", called(text, { structuredContent: {} }), "tools/call"],
  ["a message of progress", "2024-11-05", "2025-03-26", progress({ message: "m" }), "tools/call"]
]

describe("the check of what a revision allows", () => {
  it.each(cases)("tells %s apart: not in %s, but in %s", (_, tooOld, knows, message, method) => {
    assert.isDefined(checkOf(tooOld)(message, method))
    assert.isUndefined(checkOf(knows)(message, method))
  })

  it("refuses what no handshake revision has", () => {
    const check = checkOf("2025-11-25")
    assert.isDefined(check(result({ resultType: "complete" }), "ping"))
    assert.isDefined(check(result({ tools: [], ttlMs: 0 }), "tools/list"))
    assert.isDefined(check({ ...result({}), more: 1 }, "ping"))
    assert.isDefined(check({ jsonrpc: "2.0", id: 1, method: "tools/list" }, undefined))
    assert.isDefined(check(result({}), undefined))
    assert.isDefined(check({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "" } }, undefined))
  })
})
