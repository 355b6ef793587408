import { assert, describe, it } from "@effect/vitest"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { ProtocolVersion } from "@pushbutton/protocol/ProtocolVersion"
import { Ajv2020 } from "ajv/dist/2020.js"

const input = (version: ProtocolVersion, inputSchema: JsonObject) =>
  Dialect.forVersion(version).tool({ name: "t", inputSchema })["inputSchema"]

const output = (version: ProtocolVersion, outputSchema: JsonObject) =>
  Dialect.forVersion(version).tool({ name: "t", inputSchema: { type: "object" }, outputSchema })[
    "outputSchema"
  ]

const dialect = "https://json-schema.org/draft/2020-12/schema"

describe("input schemas", () => {
  const schema = {
    $schema: dialect,
    type: "object",
    properties: {
      any: true,
      none: false,
      build: { type: "string", "x-mcp-header": "Build" },
      inner: {
        type: "object",
        properties: {
          deep: { type: "string", "x-mcp-header": "Deep" },
          flag: true,
          "x-mcp-header": { type: "string" }
        }
      }
    },
    required: ["build"],
    additionalProperties: false,
    $defs: { x: { const: { "x-mcp-header": 1 } } }
  } as const

  const projected = {
    type: "object",
    properties: {
      any: {},
      none: { not: {} },
      build: { type: "string" },
      inner: {
        type: "object",
        properties: { deep: { type: "string" }, flag: true, "x-mcp-header": { type: "string" } }
      }
    },
    required: ["build"],
    additionalProperties: false,
    $defs: { x: { const: { "x-mcp-header": 1 } } }
  }

  it("go out whole in 2026-07-28", () => {
    assert.deepStrictEqual<unknown>(input("2026-07-28", schema), schema)
  })

  // verifies: EN-17, EN-19, EN-20, TO-09, TRAP-06, DL-46
  it("lose boolean properties, header annotations and, before 2025-11-25, the dialect", () => {
    assert.deepStrictEqual<unknown>(input("2025-11-25", schema), { $schema: dialect, ...projected })
    assert.deepStrictEqual<unknown>(input("2025-06-18", schema), projected)
    assert.deepStrictEqual<unknown>(input("2025-03-26", schema), projected)
    assert.deepStrictEqual<unknown>(input("2024-11-05", schema), projected)
  })

  it("keep a property named `__proto__`", () => {
    const hostile = JSON.parse('{"type":"object","properties":{"__proto__":true,"constructor":{}}}')
    for (const version of ["2024-11-05", "2025-11-25"] as const) {
      assert.strictEqual(
        JSON.stringify(input(version, hostile)),
        '{"type":"object","properties":{"__proto__":{},"constructor":{}}}'
      )
    }
  })
})

describe("output schemas", () => {
  const wrapping = ["2025-06-18", "2025-11-25"] as const

  // verifies: EN-18
  it("with an object root stay as they are", () => {
    for (const version of [...wrapping, "2026-07-28"] as const) {
      assert.deepStrictEqual<unknown>(output(version, { type: "object", properties: { a: {} } }), {
        type: "object",
        properties: { a: {} }
      })
    }
  })

  // verifies: EN-16, TO-08, TRAP-06
  it("with any other root are wrapped where the revision needs an object", () => {
    for (const root of [
      { type: "array" },
      { type: ["object", "null"] },
      {},
      { anyOf: [{ type: "object" }] }
    ]) {
      for (const version of wrapping) {
        assert.deepStrictEqual<unknown>(output(version, root), {
          type: "object",
          properties: { result: root },
          required: ["result"]
        })
      }
      assert.deepStrictEqual<unknown>(output("2026-07-28", root), root)
    }
  })

  it("do not touch the input schema when they are wrapped", () => {
    const tool = { name: "t", inputSchema: { type: "object" }, outputSchema: { type: "array" } }
    for (const version of wrapping) {
      assert.deepStrictEqual(Dialect.forVersion(version).tool(tool)["inputSchema"], { type: "object" })
    }
  })

  it("carry their dialect on the new root", () => {
    assert.deepStrictEqual<unknown>(output("2025-11-25", { $schema: dialect, type: "array" }), {
      $schema: dialect,
      type: "object",
      properties: { result: { type: "array" } },
      required: ["result"]
    })
    assert.notProperty(output("2025-06-18", { $schema: dialect, type: "array" }), "$schema")
  })

  // verifies: EN-14
  it("are left out before 2025-06-18", () => {
    for (const version of ["2024-11-05", "2025-03-26"] as const) {
      for (const type of ["object", "array"]) assert.strictEqual(output(version, { type }), undefined)
    }
  })

  it("have their references follow them, and nothing else that looks like one", () => {
    const schema = {
      $ref: "#/$defs/tree",
      $defs: {
        tree: { type: "array", items: { $ref: "#" }, contains: { $dynamicRef: "#/$defs/leaf" } },
        leaf: {
          $anchor: "leaf",
          const: { $ref: "#/$defs/tree" },
          enum: [{ $ref: "#" }],
          default: { $ref: "#" }
        },
        named: { $ref: "#leaf" },
        foreign: { $ref: "https://example.com/x#/y" },
        apart: { $id: "https://example.com/apart", items: { $ref: "#" } },
        anchored: { $id: "#here", items: { $ref: "#" } },
        object: { properties: { $ref: { type: "string" }, enum: { $ref: "#" } } }
      }
    }
    for (const version of wrapping) {
      assert.deepStrictEqual<unknown>(output(version, schema), {
        type: "object",
        properties: {
          result: {
            $ref: "#/properties/result/$defs/tree",
            $defs: {
              tree: {
                type: "array",
                items: { $ref: "#/properties/result" },
                contains: { $dynamicRef: "#/properties/result/$defs/leaf" }
              },
              leaf: {
                $anchor: "leaf",
                const: { $ref: "#/$defs/tree" },
                enum: [{ $ref: "#" }],
                default: { $ref: "#" }
              },
              named: { $ref: "#leaf" },
              foreign: { $ref: "https://example.com/x#/y" },
              apart: { $id: "https://example.com/apart", items: { $ref: "#" } },
              anchored: { $id: "#here", items: { $ref: "#/properties/result" } },
              object: { properties: { $ref: { type: "string" }, enum: { $ref: "#/properties/result" } } }
            }
          }
        },
        required: ["result"]
      })
    }
  })

  // verifies: TRAP-05
  it("accept a wrapped value exactly when they accepted the value", () => {
    const tree: JsonObject = {
      $schema: dialect,
      anyOf: [{ type: "integer" }, { type: "array", items: { $ref: "#" } }, { $ref: "#/$defs/named" }],
      $defs: { named: { type: "object", properties: { children: { $ref: "#" } }, required: ["children"] } }
    }
    const wrapped = output("2025-11-25", tree)
    assert.isObject(wrapped)
    const before = new Ajv2020({ strict: false }).compile(tree)
    const after = new Ajv2020({ strict: false }).compile(typeof wrapped === "object" ? { ...wrapped } : false)
    for (const value of [1, "x", [1, [2, []]], [1, ["x"]], { children: [1] }, { children: "x" }, {}, null]) {
      assert.strictEqual(after({ result: value }), before(value), JSON.stringify(value))
    }
    assert.isFalse(after({}))
  })
})
