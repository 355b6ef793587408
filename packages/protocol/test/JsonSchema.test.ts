import { assert, describe, it } from "@effect/vitest"
import { assertLeft } from "@effect/vitest/utils"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as JsonSchema from "@pushbutton/protocol/JsonSchema"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Either from "effect/Either"
import { jsonSchema } from "./arbitraries/jsonSchema.js"

const draft07 = "http://json-schema.org/draft-07/schema#"
const draft2020 = "https://json-schema.org/draft/2020-12/schema"

const object = (members: JsonObject): JsonObject => ({ type: "object", ...members })
const property = (schema: JsonValue): JsonObject => object({ properties: { id: schema } })

const accepted = (schema: JsonObject) => Either.getOrThrow(JsonSchema.read(schema, "object"))

const nested = (depth: number): JsonObject =>
  JSON.parse(`{"type":"object","not":${"[".repeat(depth)}${"]".repeat(depth)}}`)

describe("JsonSchema", () => {
  describe("dialects", () => {
    for (const [what, $schema, dialect] of [
      ["no $schema", undefined, "2020-12"],
      ["2020-12", draft2020, "2020-12"],
      ["draft-07", draft07, "draft-07"],
      ["draft-07 without a fragment", "http://json-schema.org/draft-07/schema", "draft-07"]
    ] as const) {
      // verifies: JSCH-03, JSCH-01
      it(`takes ${what} for ${dialect}`, () => {
        const schema = object($schema === undefined ? {} : { $schema })
        assert.strictEqual(accepted(schema).dialect, dialect)
      })
    }

    for (const $schema of [
      "http://json-schema.org/draft-04/schema#",
      "https://json-schema.org/draft/2019-09/schema",
      "https://example.com/own",
      "",
      null,
      7
    ]) {
      // verifies: JSCH-05
      it(`refuses ${JSON.stringify($schema)} by name`, () => {
        assertLeft(JsonSchema.read(object({ $schema }), "object"), {
          pointer: "/$schema",
          detail: `names an unsupported dialect, ${JSON.stringify($schema)}: use JSON Schema 2020-12 or draft-07`
        })
      })
    }

    // verifies: JSCH-04
    it("reads arrays under items in draft-07 only", () => {
      const schema = property({ items: [{ type: "string" }] })
      assert.isTrue(Either.isRight(JsonSchema.read({ $schema: draft07, ...schema }, "object")))
      assertLeft(JsonSchema.read(schema, "object"), {
        pointer: "/properties/id/items",
        detail: "has to be a schema: an object, true or false"
      })
    })
  })

  describe("what cannot be served", () => {
    const rows: ReadonlyArray<readonly [string, JsonObject, string]> = [
      ["an input without a type", {}, "/type"],
      ["an input that may be something else", { type: ["object", "null"] }, "/type"],
      ["an input that is a list", { type: "array" }, "/type"],
      ["a type nobody knows", property({ type: "float" }), "/properties/id/type"],
      ["an empty list of types", property({ type: [] }), "/properties/id/type"],
      ["a schema that is text", property("string"), "/properties"],
      ["properties that are a list", object({ properties: [] }), "/properties"],
      ["required as a flag", property({ required: true }), "/properties/id/required"],
      ["a name required twice", object({ required: ["a", "a"] }), "/required"],
      [
        "an exclusive bound as a flag",
        property({ exclusiveMinimum: true }),
        "/properties/id/exclusiveMinimum"
      ],
      ["a negative length", property({ minLength: -1 }), "/properties/id/minLength"],
      ["a step of zero", property({ multipleOf: 0 }), "/properties/id/multipleOf"],
      ["an empty choice", property({ anyOf: [] }), "/properties/id/anyOf"],
      ["an enum without values", property({ enum: [] }), "/properties/id/enum"],
      ["a pattern that is none", property({ pattern: "(" }), "/properties/id/pattern"],
      ["a name pattern that is none", object({ patternProperties: { "[": {} } }), "/patternProperties/["],
      ["a part in another dialect", property({ $schema: draft07 }), "/properties/id/$schema"],
      ["a reference to the network", property({ $ref: "https://example.com/s.json" }), "/properties/id/$ref"],
      ["a reference to a file", property({ $ref: "other.json#/a" }), "/properties/id/$ref"],
      [
        "a dynamic reference outside",
        property({ $dynamicRef: "https://example.com/s#a" }),
        "/properties/id/$dynamicRef"
      ],
      ["a reference to the metaschema", property({ $ref: draft2020 }), "/properties/id/$ref"],
      ["a reference to nothing", property({ $ref: "#/$defs/gone" }), "/properties/id/$ref"],
      ["an anchor nobody set", property({ $ref: "#gone" }), "/properties/id/$ref"],
      [
        "a reference into data",
        property({ default: { a: {} }, $ref: "#/properties/id/default/a" }),
        "/properties/id/$ref"
      ],
      [
        "one anchor in two places",
        object({ $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } }),
        "/$defs/b/$anchor"
      ],
      ["a reference to itself", property({ $ref: "#/properties/id" }), "/properties/id"],
      [
        "a loop through a choice",
        object({ $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } } }),
        "/$defs/a/allOf/0"
      ],
      ["a name with a slash", object({ properties: { "a/b~": { type: 1 } } }), "/properties/a~1b~0/type"],
      ["too many levels", nested(JsonSchema.limits.depth), ""],
      [
        "too many schemas",
        object({ allOf: Array.from({ length: JsonSchema.limits.subschemas }, () => true) }),
        ""
      ],
      ["too much text", object({ description: "x".repeat(JsonSchema.limits.length) }), ""]
    ]
    for (const [what, schema, pointer] of rows) {
      // verifies: JSCH-11, JSCH-12, JSCH-13, JSCH-06, JSCH-07, TOOL-09
      it(`refuses ${what} at the place`, () => {
        const problem = Either.getOrThrow(Either.flip(JsonSchema.read(schema, "object")))
        assert.strictEqual(problem.pointer, pointer)
        assert.match(problem.detail, /^\w/)
      })
    }
  })

  // verifies: JSCH-14
  it("lets an output have any root", () => {
    for (const schema of [{}, { type: "array" }, { type: ["string", "null"] }, { const: 0 }]) {
      assert.isTrue(Either.isRight(JsonSchema.read(schema, "any")))
    }
  })

  it("never takes data for a schema", () => {
    const looksWrong = { $ref: "https://example.com/s", type: "float", "x-mcp-header": "" }
    const schema = property({
      default: looksWrong,
      const: looksWrong,
      enum: [looksWrong],
      examples: [looksWrong],
      "x-own": looksWrong
    })
    assert.deepStrictEqual([...accepted(schema).subschemas.keys()], ["", "/properties/id"])
  })

  it("knows a property called like a keyword from the keyword", () => {
    const schema = object({ properties: { $ref: { type: "string" }, items: { type: "array" }, type: true } })
    assert.deepStrictEqual(
      [...accepted(schema).subschemas.keys()],
      ["", "/properties/$ref", "/properties/items", "/properties/type"]
    )
  })

  describe("assertions", () => {
    const assertionsOf = (schema: JsonObject) => accepted(schema).assertions

    it("leave annotations and unknown keywords out", () => {
      assert.deepStrictEqual(
        assertionsOf(
          object({ title: "T", $comment: "c", nullable: true, id: 7, $async: true, minProperties: 1 })
        ),
        { type: "object", minProperties: 1 }
      )
    })

    it("resolve pointers, anchors, identifiers and dynamic references to definitions", () => {
      const leaf = { type: "string" } as const
      const schema = object({
        $id: "https://example.com/root",
        $defs: {
          "a b": { ...leaf, minLength: 1 },
          named: { ...leaf, $anchor: "here", minLength: 2 },
          dynamic: { ...leaf, $dynamicAnchor: "node", minLength: 3 },
          inner: { $id: "https://example.com/inner", $defs: { deep: { ...leaf, minLength: 4 } } }
        },
        properties: {
          pointer: { $ref: "#/$defs/a%20b" },
          anchor: { $ref: "#here" },
          dynamic: { $dynamicRef: "#node" },
          inner: { $ref: "https://example.com/inner#/$defs/deep" },
          anchors: { $ref: "#here", $dynamicRef: "#node" }
        }
      })
      assert.deepStrictEqual(assertionsOf(schema), {
        type: "object",
        properties: {
          pointer: { $ref: "#/$defs/0" },
          anchor: { $ref: "#/$defs/1" },
          dynamic: { $ref: "#/$defs/2" },
          inner: { $ref: "#/$defs/3" },
          anchors: { $ref: "#/$defs/1", allOf: [{ $ref: "#/$defs/2" }] }
        },
        $defs: {
          0: { type: "string", minLength: 1 },
          1: { type: "string", minLength: 2 },
          2: { type: "string", minLength: 3 },
          3: { type: "string", minLength: 4 }
        }
      })
    })

    it("drop what stands beside a reference in draft-07, and read its anchors", () => {
      const schema = object({
        $schema: draft07,
        definitions: { a: { $id: "#a", type: "string" } },
        properties: { id: { $ref: "#a", minLength: 5 } }
      })
      assert.deepStrictEqual(assertionsOf(schema), {
        type: "object",
        properties: { id: { $ref: "#/$defs/0" } },
        $defs: { 0: { type: "string" } }
      })
    })

    it("keep a recursive schema finite", () => {
      const schema = object({ properties: { child: { $ref: "#" } } })
      const node = object({ properties: { child: { $ref: "#/$defs/0" } } })
      assert.deepStrictEqual(assertionsOf(schema), { ...node, $defs: { 0: node } })
    })
  })

  // verifies: JSCH-06
  it.prop(
    "accepts only what is valid in its dialect, and asserts what a validator can compile",
    [jsonSchema],
    ([schema]) => {
      const read = JsonSchema.read(schema, "any")
      if (Either.isLeft(read)) return
      const metaschema = new Ajv2020({ strict: false, validateFormats: false })
      assert.isTrue(metaschema.validateSchema(schema), JSON.stringify(schema))
      new Ajv2020({ strict: false, validateSchema: false, meta: false }).compile(read.right.assertions)
    }
  )

  it.prop("is total on any schema, and says where and why in one clause", [jsonSchema], ([schema]) => {
    const read = JsonSchema.read(schema, "object")
    if (Either.isRight(read)) return
    assert.match(read.left.pointer, /^(\/.*)?$/s)
    assert.isBelow(read.left.detail.length, 250)
  })
})
