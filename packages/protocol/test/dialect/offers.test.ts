import { assert, describe, it } from "@effect/vitest"
import * as Completion from "@pushbutton/protocol/Completion"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Json from "@pushbutton/protocol/Json"
import type { ProtocolVersion } from "@pushbutton/protocol/ProtocolVersion"
import { prompt, promptResult, readResult, resource, template } from "./offers.js"
import { published } from "./published.js"
import { hints, identity } from "./registry.js"

const versions: ReadonlyArray<ProtocolVersion> = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
  "2026-07-28"
]

describe("Dialect, of resources and prompts", () => {
  // verifies: EN-02, EN-03
  it("converts the content of messages as that of tool results", () => {
    const types = (version: ProtocolVersion) => {
      const { messages } = Dialect.forVersion(version).promptResult(promptResult, identity)
      return (Array.isArray(messages) ? messages : []).map(({ content }: JsonObject) =>
        Json.isObject(content) ? content["type"] : undefined
      )
    }
    const all = ["text", "image", "audio", "resource_link", "resource", "resource"]
    for (const version of ["2025-06-18", "2025-11-25", "2026-07-28"] as const) {
      assert.deepStrictEqual(types(version), all)
    }
    assert.deepStrictEqual(types("2025-03-26"), ["text", "image", "audio", "text", "resource", "resource"])
    assert.deepStrictEqual(types("2024-11-05"), ["text", "image", "resource", "text", "resource", "resource"])
  })

  it("keeps falsy members, and leaves absent ones out", () => {
    for (const version of versions) {
      const dialect = Dialect.forVersion(version)
      assert.deepStrictEqual(dialect.resource({ uri: "x:", name: "x", size: 0, description: "" }), {
        uri: "x:",
        name: "x",
        description: "",
        size: 0
      })
      assert.deepStrictEqual(dialect.prompt({ name: "x", arguments: [{ name: "a", required: false }] }), {
        name: "x",
        arguments: [{ name: "a", required: false }]
      })
    }
  })

  // verifies: EN-21, EN-22
  it("mends annotations that a client would refuse", () => {
    const annotations = { priority: 2, lastModified: "2025-01-12" }
    const sent = (version: ProtocolVersion) =>
      Dialect.forVersion(version).resource({ uri: "x:", name: "x", annotations })["annotations"]
    assert.deepStrictEqual(sent("2024-11-05"), { priority: 1 })
    assert.deepStrictEqual(sent("2025-11-25"), { priority: 1 })
    assert.deepStrictEqual(sent("2026-07-28"), { priority: 1, lastModified: "2025-01-12" })
  })

  it("hints at how long a reading may be kept, on the modern revision only", () => {
    const read = (version: ProtocolVersion) =>
      Dialect.forVersion(version).readResult({ contents: [] }, { ttlMs: 0, cacheScope: "private" }, identity)
    assert.deepInclude(read("2026-07-28"), { contents: [], ttlMs: 0, cacheScope: "private" })
    assert.deepStrictEqual(read("2025-11-25"), { contents: [] })
  })

  for (const version of versions) {
    const errors = published(version)
    const dialect = Dialect.forVersion(version)

    it(`fits the published schema of ${version}`, () => {
      const list = (key: string, item: JsonObject) => dialect.list(key, [item], "c", hints, identity)
      for (const [definition, value] of [
        ["ListResourcesResult", list("resources", dialect.resource(resource))],
        ["ListResourceTemplatesResult", list("resourceTemplates", dialect.resourceTemplate(template))],
        ["ListPromptsResult", list("prompts", dialect.prompt(prompt))],
        ["ReadResourceResult", dialect.readResult(readResult, hints, identity)],
        ["ReadResourceResult", dialect.readResult({ contents: [] }, hints, identity)],
        ["GetPromptResult", dialect.promptResult(promptResult, identity)],
        ["GetPromptResult", dialect.promptResult({ messages: [] }, identity)],
        ["CompleteResult", dialect.complete(Completion.result(["a"]), identity)],
        ["CompleteResult", dialect.complete(Completion.result([]), identity)]
      ] as const) {
        assert.deepStrictEqual(errors(definition, value), [], definition)
      }
    })
  }
})
