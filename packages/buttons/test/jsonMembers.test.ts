import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as JsonMembers from "../src/internal/jsonMembers.js"

const edits = { mcp_enabled: true, updated_at: "now" }

describe("jsonMembers", () => {
  it.each([
    [
      '{\n  "mcp_enabled": false,\n  "big": 12345678901234567890\n}',
      '{\n  "mcp_enabled": true,\n  "big": 12345678901234567890,\n  "updated_at": "now"\n}'
    ],
    [
      '{"a":{"mcp_enabled":false},"mcp_enabled":null}',
      '{"a":{"mcp_enabled":false},"mcp_enabled":true,"updated_at":"now"}'
    ],
    [
      '{"mcp_enabled":false,"mcp_enabled":[1,{}] }',
      '{"mcp_enabled":true,"mcp_enabled":true,"updated_at":"now" }'
    ],
    [
      '{"s":"}\\"\\\\","updated_at" : "then" }\n',
      '{"s":"}\\"\\\\","updated_at" : "now","mcp_enabled": true }\n'
    ],
    ["{}", '{\n  "mcp_enabled": true,\n  "updated_at": "now"\n}']
  ])("sets members of %j and leaves the rest as it is", (text, expected) => {
    const edited = JsonMembers.set(text, edits)
    assert.deepStrictEqual(JSON.parse(edited), JSON.parse(expected))
    assert.strictEqual(
      edited.replace(/"updated_at": ?"now"/, ""),
      expected.replace(/"updated_at": ?"now"/, "")
    )
  })

  it("does to any object what the same on its value does", () => {
    const object = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom("mcp_enabled", "updated_at")),
      fc.json().map((text): unknown => JSON.parse(text))
    )
    const space = fc.constantFrom(0, 2, "\t")
    fc.assert(
      fc.property(object, space, (value, indent) => {
        const edited = JsonMembers.set(JSON.stringify(value, null, indent), edits)
        assert.deepStrictEqual(JSON.parse(edited), JSON.parse(JSON.stringify({ ...value, ...edits })))
      })
    )
  })
})
