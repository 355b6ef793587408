import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as JsonSchema from "@pushbutton/protocol/JsonSchema"
import * as ParamHeaders from "@pushbutton/protocol/ParamHeaders"
import { HeaderMismatch } from "@pushbutton/protocol/ProtocolError"
import { encodeSentinel } from "@pushbutton/protocol/RequestHeaders"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { jsonObject, jsonValue } from "./arbitraries/json.js"
import { jsonSchema } from "./arbitraries/jsonSchema.js"

const declared = (members: JsonObject) =>
  Either.flatMap(JsonSchema.read({ type: "object", ...members }, "object"), ParamHeaders.declared)

const annotated = (name: JsonValue, type: JsonValue = "string"): JsonObject => ({
  type,
  "x-mcp-header": name
})
const properties = (members: JsonObject): JsonObject => ({ properties: members })

describe("ParamHeaders", () => {
  describe("declared", () => {
    // verifies: HDR-33, P-66
    it("finds arguments through plain properties, however deep", () => {
      assertRight(
        declared(
          properties({
            region: annotated("Region"),
            retry: annotated("X-Retry!", "boolean"),
            where: { type: "object", properties: { "a/b~c": annotated("Zone", "integer") } },
            properties: { type: "object", properties: { properties: annotated("P") } }
          })
        ),
        [
          { header: "Mcp-Param-Region", path: ["region"], type: "string" },
          { header: "Mcp-Param-X-Retry!", path: ["retry"], type: "boolean" },
          { header: "Mcp-Param-Zone", path: ["where", "a/b~c"], type: "integer" },
          { header: "Mcp-Param-P", path: ["properties", "properties"], type: "string" }
        ]
      )
    })

    // verifies: P-66
    it("reads nothing out of data, or out of a property of that name", () => {
      assertRight(
        declared(
          properties({
            "x-mcp-header": { type: "string" },
            id: { type: "object", default: annotated(""), examples: [annotated("")], const: annotated("") }
          })
        ),
        []
      )
    })

    const misplaced: ReadonlyArray<readonly [string, JsonObject, string]> = [
      ["the top", { "x-mcp-header": "A" }, ""],
      ["items", properties({ list: { items: annotated("A") } }), "/properties/list/items"],
      [
        "prefixItems",
        properties({ list: { prefixItems: [annotated("A")] } }),
        "/properties/list/prefixItems/0"
      ],
      ["contains", properties({ list: { contains: annotated("A") } }), "/properties/list/contains"],
      ["additionalProperties", { additionalProperties: annotated("A") }, "/additionalProperties"],
      ["patternProperties", { patternProperties: { x: annotated("A") } }, "/patternProperties/x"],
      ["propertyNames", { propertyNames: annotated("A") }, "/propertyNames"],
      ["unevaluatedProperties", { unevaluatedProperties: annotated("A") }, "/unevaluatedProperties"],
      ["a property under oneOf", { oneOf: [properties({ a: annotated("A") })] }, "/oneOf/0/properties/a"],
      ["a property under anyOf", { anyOf: [properties({ a: annotated("A") })] }, "/anyOf/0/properties/a"],
      ["a property under allOf", { allOf: [properties({ a: annotated("A") })] }, "/allOf/0/properties/a"],
      ["a property under not", { not: properties({ a: annotated("A") }) }, "/not/properties/a"],
      ["a property under if", { if: properties({ a: annotated("A") }) }, "/if/properties/a"],
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      ["a property under then", { then: properties({ a: annotated("A") }) }, "/then/properties/a"],
      ["a property under else", { else: properties({ a: annotated("A") }) }, "/else/properties/a"],
      [
        "dependentSchemas",
        { dependentSchemas: { a: properties({ b: annotated("A") }) } },
        "/dependentSchemas/a/properties/b"
      ],
      ["a definition", { $defs: { a: annotated("A") } }, "/$defs/a"],
      [
        "a definition that is used",
        { $defs: { a: annotated("A") }, properties: { a: { $ref: "#/$defs/a" } } },
        "/$defs/a"
      ]
    ]
    for (const [place, members, pointer] of misplaced) {
      // verifies: HDR-33, HDR-34, P-66
      it(`refuses an annotation on ${place}`, () => {
        assertLeft(declared(members), {
          pointer: `${pointer}/x-mcp-header`,
          detail: "may only stand on a property that plain `properties` lead to from the top"
        })
      })
    }

    for (const type of ["number", "object", "array", "null", ["string", "null"], ["string"], undefined]) {
      // verifies: HDR-31, P-65
      it(`refuses the type ${JSON.stringify(type)}`, () => {
        const schema: JsonObject =
          type === undefined ? { "x-mcp-header": "A" } : { type, "x-mcp-header": "A" }
        assertLeft(declared(properties({ id: schema })), {
          pointer: "/properties/id/x-mcp-header",
          detail: 'needs a property whose type is "string", "integer" or "boolean"'
        })
      })
    }

    const names = [
      "",
      " ",
      "a b",
      "a:b",
      "a\r\nb",
      "a\n",
      "\u0000",
      "é",
      "a,b",
      "a/b",
      "(a)",
      7,
      null,
      true,
      ["A"],
      {}
    ]
    for (const name of names) {
      // verifies: HDR-27, HDR-28, HDR-29, P-65
      it(`refuses the name ${JSON.stringify(name)}`, () => {
        const problem = Either.getOrThrow(Either.flip(declared(properties({ id: annotated(name) }))))
        assert.strictEqual(problem.pointer, "/properties/id/x-mcp-header")
        assert.match(problem.detail, /^has to be a header token/)
      })
    }

    // verifies: HDR-30, P-65
    it("refuses two names that differ in case only", () => {
      const nested = { type: "object", properties: { b: annotated("REGION") } }
      assertLeft(declared(properties({ a: annotated("Region"), nested })), {
        pointer: "/properties/nested/properties/b/x-mcp-header",
        detail: "is used twice: REGION (header names ignore case)"
      })
    })

    it.prop("is total on any schema", [jsonSchema], ([schema]) => {
      const found = Either.flatMap(JsonSchema.read(schema, "object"), ParamHeaders.declared)
      if (Either.isRight(found)) for (const { path } of found.right) assert.isNotEmpty(path)
    })
  })

  describe("check", () => {
    const params: ReadonlyArray<ParamHeaders.ParamHeader> = [
      { header: "Mcp-Param-Text", path: ["text"], type: "string" },
      { header: "Mcp-Param-Count", path: ["in", "count"], type: "integer" },
      { header: "Mcp-Param-Flag", path: ["flag"], type: "boolean" }
    ]
    const check = (headers: Record<string, string>, args: JsonObject) => {
      const byName = new Map(Object.entries(headers).map(([name, value]) => [`mcp-param-${name}`, value]))
      return ParamHeaders.check((name) => byName.get(name), params, args)
    }

    const matching: ReadonlyArray<readonly [string, Record<string, string>, JsonObject]> = [
      ["nothing on either side", {}, {}],
      ["null without a header", {}, { text: null, in: { count: null } }],
      ["text as it is", { text: "eu west-1" }, { text: "eu west-1" }],
      ["text in surrounding blanks", { text: " \t eu \t" }, { text: "eu" }],
      ["encoded text", { text: "=?base64?SGVsbG8=?=" }, { text: "Hello" }],
      ["text that looks like Base64", { text: "SGVsbG8=" }, { text: "SGVsbG8=" }],
      ["text with one marker", { text: "=?base64?SGVsbG8=" }, { text: "=?base64?SGVsbG8=" }],
      [
        "an encoded sentinel",
        { text: encodeSentinel("=?base64?SGVsbG8=?=") },
        { text: "=?base64?SGVsbG8=?=" }
      ],
      ["empty text", { text: "" }, { text: "" }],
      ["an integer", { count: "42" }, { in: { count: 42 } }],
      ["an integer with a fraction of zero", { count: "42.0" }, { in: { count: 42 } }],
      ["an integer in blanks", { count: " 42 " }, { in: { count: 42 } }],
      ["a negative integer", { count: "-7" }, { in: { count: -7 } }],
      ["a negative zero", { count: "-0" }, { in: { count: 0 } }],
      ["the largest integer", { count: "9007199254740991" }, { in: { count: 9007199254740991 } }],
      ["true", { flag: "true" }, { flag: true }],
      ["false", { flag: "false" }, { flag: false }],
      ["a header nobody declares", { other: "\u00e9" }, {}],
      ["a value of another type, which is for validation", { count: "x" }, { in: { count: "x" } }],
      ["a fraction, which is for validation", {}, { in: { count: 1.5 } }],
      ["a path that leads through text", {}, { in: "count" }]
    ]
    for (const [what, headers, args] of matching) {
      // verifies: HDR-24, HDR-13, HDR-20, HDR-22, P-68
      it(`accepts ${what}`, () => assertRight(check(headers, args), undefined))
    }

    const different: ReadonlyArray<readonly [string, Record<string, string>, JsonObject, string, string]> = [
      ["a missing header", {}, { text: "eu" }, "Text", "is missing"],
      ["a missing header of empty text", {}, { text: "" }, "Text", "is missing"],
      ["a missing header of zero", {}, { in: { count: 0 } }, "Count", "is missing"],
      ["a missing header of false", {}, { flag: false }, "Flag", "is missing"],
      [
        "a header without an argument",
        { text: "eu" },
        {},
        "Text",
        "is present, but the argument it mirrors is not"
      ],
      [
        "a header of null",
        { text: "null" },
        { text: null },
        "Text",
        "is present, but the argument it mirrors is not"
      ],
      [
        "a header behind an inherited name",
        { count: "0" },
        { in: [] },
        "Count",
        "is present, but the argument it mirrors is not"
      ],
      ["other text", { text: "us" }, { text: "eu" }, "Text", "does not match the body"],
      ["text in another case", { text: "EU" }, { text: "eu" }, "Text", "does not match the body"],
      ["a header sent twice", { text: "eu, eu" }, { text: "eu" }, "Text", "does not match the body"],
      ["bad padding", { text: "=?base64?SGVsbG8?=" }, { text: "Hello" }, "Text", "is not valid Base64"],
      [
        "foreign characters",
        { text: "=?base64?SGVs!!!bG8=?=" },
        { text: "Hello" },
        "Text",
        "is not valid Base64"
      ],
      [
        "bytes that are no UTF-8",
        { text: "=?base64?/w==?=" },
        { text: "\ufffd" },
        "Text",
        "is not valid UTF-8"
      ],
      [
        "raw text beyond ASCII",
        { text: "\u00e9" },
        { text: "\u00e9" },
        "Text",
        "has characters outside visible ASCII"
      ],
      [
        "a malformed header, whatever the value",
        { count: "\u0001" },
        { in: { count: "x" } },
        "Count",
        "has characters outside visible ASCII"
      ],
      ["hexadecimal", { count: "0x2a" }, { in: { count: 42 } }, "Count", "does not match the body"],
      ["an exponent", { count: "1e3" }, { in: { count: 1000 } }, "Count", "does not match the body"],
      ["a plus sign", { count: "+42" }, { in: { count: 42 } }, "Count", "does not match the body"],
      ["a leading zero", { count: "042" }, { in: { count: 42 } }, "Count", "does not match the body"],
      ["a real fraction", { count: "42.5" }, { in: { count: 42 } }, "Count", "does not match the body"],
      ["an empty number", { count: "" }, { in: { count: 0 } }, "Count", "does not match the body"],
      [
        "an integer that is not exact",
        { count: "9007199254740992" },
        { in: { count: 9007199254740992 } },
        "Count",
        "does not match the body"
      ],
      ["a boolean in capitals", { flag: "True" }, { flag: true }, "Flag", "does not match the body"],
      ["a boolean as a number", { flag: "1" }, { flag: true }, "Flag", "does not match the body"]
    ]
    for (const [what, headers, args, name, detail] of different) {
      // verifies: HDR-18, HDR-20, HDR-21, HDR-32, P-68
      it(`refuses ${what}`, () => {
        assertLeft(check(headers, args), new HeaderMismatch({ header: `Mcp-Param-${name}`, detail }))
      })
    }

    it.prop(
      "accepts what a client encodes",
      [fc.string(), fc.maxSafeInteger(), fc.boolean()],
      ([text, count, flag]) => {
        const unpaired = /[\ud800-\udfff]/u.test(text)
        const headers = { text: encodeSentinel(text), count: String(count), flag: String(flag) }
        assert.strictEqual(Either.isRight(check(headers, { text, in: { count }, flag })), !unpaired)
      }
    )

    it.prop(
      "is total on any arguments and headers",
      [jsonObject, jsonValue, fc.string()],
      ([args, value, header]) => {
        check({ text: header, count: header }, { ...args, in: value })
      }
    )
  })
})
