import { assert, describe, it } from "@effect/vitest"
import type { ContentBlock } from "@pushbutton/protocol/Content"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as ProtocolVersion from "@pushbutton/protocol/ProtocolVersion"
import type { CallToolResult, Tool } from "@pushbutton/protocol/Tool"
import * as fc from "effect/FastCheck"
import { block } from "../arbitraries/content.js"
import { jsonObject, jsonValue } from "../arbitraries/json.js"
import { published } from "./published.js"
import { hints, identity } from "./registry.js"

const content: fc.Arbitrary<ReadonlyArray<ContentBlock>> = fc.array(block, { maxLength: 5 })

const result: fc.Arbitrary<CallToolResult> = fc.record(
  { content, structuredContent: jsonValue, isError: fc.boolean(), _meta: jsonObject },
  { requiredKeys: ["content"] }
)

const outputSchema = fc.constantFrom<JsonObject>(
  {},
  { type: "object" },
  { type: "array" },
  { $ref: "#/$defs/a" }
)

const untyped: Tool = { name: "t", inputSchema: { type: "object" } }
const typed: fc.Arbitrary<Tool> = outputSchema.map((schema) => ({ ...untyped, outputSchema: schema }))
const tool = fc.oneof(typed, fc.constant(untyped))

for (const version of [...ProtocolVersion.modernVersions, ...ProtocolVersion.legacyVersions]) {
  const errors = published(version)
  const dialect = Dialect.forVersion(version)

  describe(`whatever is given to ${version}`, () => {
    // verifies: EN-01, EN-02, EN-03, EN-07, TO-01
    it("fits its published schema as the result of a call", () => {
      fc.assert(
        fc.property(result, tool, (given, of) => {
          assert.deepStrictEqual(errors("CallToolResult", dialect.callToolResult(given, of, identity)), [])
        })
      )
    })

    // verifies: PR-01, PR-04
    it("fits its published schema as messages of a prompt", () => {
      fc.assert(
        fc.property(content, (blocks) => {
          const messages = blocks.map((one) => ({ role: "user" as const, content: one }))
          assert.deepStrictEqual(errors("GetPromptResult", dialect.promptResult({ messages }, identity)), [])
        })
      )
    })

    // verifies: EN-05, EN-14, EN-16, TRAP-04, TRAP-05
    it("has an object as structured content exactly where an output schema is listed, and text everywhere", () => {
      fc.assert(
        fc.property(jsonObject, typed, (value, of) => {
          const called = dialect.callToolResult({ content: [], structuredContent: value }, of, identity)
          assert.strictEqual("structuredContent" in called, "outputSchema" in dialect.tool(of))
          assert.deepStrictEqual(called["content"], [{ type: "text", text: JSON.stringify(value) }])
        })
      )
    })

    // verifies: EN-16, TRAP-06
    it("fits its published schema as a list of tools, whatever the output schema", () => {
      fc.assert(
        fc.property(tool, jsonObject, (of, schema) => {
          const tools = [
            dialect.tool(of),
            dialect.tool({ ...of, outputSchema: { ...schema, type: "array" } })
          ]
          const list = dialect.list("tools", tools, undefined, hints, identity)
          assert.deepStrictEqual(errors("ListToolsResult", list), [])
        })
      )
    })
  })
}
