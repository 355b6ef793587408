import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import * as Elicitation from "@pushbutton/protocol/Elicitation"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import { jsonObject, jsonValue } from "./arbitraries/json.js"

const object = (properties: JsonObject, required?: ReadonlyArray<string>): JsonObject => ({
  type: "object",
  properties,
  ...(required === undefined ? {} : { required })
})

const titled = [
  { const: "a", title: "Option A" },
  { const: "b", title: "Option B" }
]

/** A JSON Schema of one field, and the field of the form. */
const fields: ReadonlyArray<readonly [string, JsonObject, JsonObject]> = [
  [
    "a string with everything",
    {
      type: "string",
      title: "Name",
      description: "d",
      default: "x",
      minLength: 1,
      maxLength: 9,
      format: "email",
      pattern: "^a"
    },
    {
      type: "string",
      title: "Name",
      description: "d",
      default: "x",
      minLength: 1,
      maxLength: 9,
      format: "email"
    }
  ],
  ["a format that forms lack", { type: "string", format: "uuid" }, { type: "string" }],
  [
    "a number with limits",
    { type: "number", minimum: 0, maximum: 1, exclusiveMinimum: 0, default: 0.5 },
    { type: "number", minimum: 0, maximum: 1, default: 0.5 }
  ],
  ["the title of an Effect filter", { type: "integer", title: "between(1, 5)" }, { type: "integer" }],
  ["a boolean", { type: "boolean", default: false }, { type: "boolean", default: false }],
  [
    "an enum",
    { type: "string", enum: ["a", "b"], default: "a" },
    { type: "string", enum: ["a", "b"], default: "a" }
  ],
  [
    "an enum with names beside it",
    { type: "string", enum: ["a"], enumNames: ["A"] },
    { type: "string", enum: ["a"], enumNames: ["A"] }
  ],
  ["titled choices", { type: "string", oneOf: titled }, { type: "string", oneOf: titled }],
  [
    "a union of literals of which one is titled",
    {
      anyOf: [
        { type: "string", enum: ["a"], title: "A" },
        { type: "string", enum: ["b"] }
      ]
    },
    {
      type: "string",
      oneOf: [
        { const: "a", title: "A" },
        { const: "b", title: "b" }
      ]
    }
  ],
  [
    "several of an enum",
    { type: "array", items: { type: "string", enum: ["a"] }, minItems: 1, maxItems: 2, uniqueItems: true },
    { type: "array", items: { type: "string", enum: ["a"] }, minItems: 1, maxItems: 2 }
  ],
  [
    "several of titled choices",
    { type: "array", items: { anyOf: titled }, default: ["a"] },
    { type: "array", items: { anyOf: titled }, default: ["a"] }
  ]
]

const impossible: ReadonlyArray<readonly [string, JsonValue]> = [
  ["a nested object", { type: "object", properties: {} }],
  ["a list of free strings", { type: "array", items: { type: "string" } }],
  ["a nullable string", { anyOf: [{ type: "string" }, { type: "null" }] }],
  ["anything", {}],
  ["a reference", { $ref: "#/$defs/X" }],
  ["no schema", true]
]

/** A field, a value, and whether it fits. */
const values: ReadonlyArray<readonly [JsonObject, JsonValue, boolean]> = [
  [{ type: "string" }, "", true],
  [{ type: "string" }, 0, false],
  [{ type: "string" }, null, false],
  [{ type: "string", minLength: 2, maxLength: 2 }, "😀😀", true],
  [{ type: "string", minLength: 2 }, "😀", false],
  [{ type: "string", maxLength: 1 }, "ab", false],
  [{ type: "string", format: "email" }, "a@b", true],
  [{ type: "string", format: "email" }, "a b@c", false],
  [{ type: "string", format: "uri" }, "urn:x", true],
  [{ type: "string", format: "uri" }, "x y:z", false],
  [{ type: "string", format: "date" }, "2024-02-29", true],
  [{ type: "string", format: "date" }, "2023-02-29", false],
  [{ type: "string", format: "date" }, "2024-13-01", false],
  [{ type: "string", format: "date" }, "2024-00-10", false],
  [{ type: "string", format: "date-time" }, "2024-02-29T23:59:60.5+01:00", true],
  [{ type: "string", format: "date-time" }, "2024-02-29T24:00:00Z", false],
  [{ type: "string", format: "date-time" }, "2024-02-29T10:00:00", false],
  [{ type: "number" }, 0.5, true],
  [{ type: "number" }, "1", false],
  [{ type: "number", minimum: 1 }, 1, true],
  [{ type: "number", minimum: 1 }, 0.9, false],
  [{ type: "integer" }, 1, true],
  [{ type: "integer" }, 1.5, false],
  [{ type: "integer", maximum: 5 }, 6, false],
  [{ type: "boolean" }, false, true],
  [{ type: "boolean" }, 0, false],
  [{ type: "string", enum: ["a"] }, "a", true],
  [{ type: "string", enum: ["a"] }, "b", false],
  [{ type: "string", oneOf: titled }, "b", true],
  [{ type: "string", oneOf: titled }, "Option B", false],
  [{ type: "array", items: { type: "string", enum: ["a", "b"] } }, [], true],
  [{ type: "array", items: { type: "string", enum: ["a", "b"] } }, ["a", "c"], false],
  [{ type: "array", items: { anyOf: titled }, minItems: 1 }, [], false],
  [{ type: "array", items: { anyOf: titled }, maxItems: 1 }, ["a", "b"], false],
  [{ type: "array", items: { anyOf: titled } }, "a", false]
]

describe("Elicitation", () => {
  describe("formSchema", () => {
    for (const [name, schema, field] of fields) {
      // verifies: ELIC-07, ELIC-08, ELIC-09
      it(`asks for ${name}`, () =>
        assert.deepStrictEqual(
          Either.getOrThrow(Elicitation.formSchema(object({ field: schema }, ["field"]))),
          object({ field }, ["field"])
        ))
    }

    for (const [name, schema] of impossible) {
      it(`cannot ask for ${name}, and names the property`, () => {
        const form = Elicitation.formSchema(object({ fine: { type: "string" }, field: schema }))
        assert.match(Either.isLeft(form) ? form.left : "", /^property "field" is /)
      })
    }

    it("asks for nothing when there are no properties", () => {
      assertRight(Elicitation.formSchema({ type: "object", additionalProperties: false }), object({}))
    })

    it("refuses what is no object at the top", () => {
      assertLeft(Elicitation.formSchema({ type: "string" }), "has to be an object at the top")
    })

    it.prop("is total, and its forms ask for what they already are", [jsonObject], ([properties]) => {
      const form = Elicitation.formSchema(object(properties))
      if (Either.isRight(form)) assertRight(Elicitation.formSchema(form.right), form.right)
    })
  })

  describe("readContent", () => {
    for (const [field, value, fits] of values) {
      it(`${fits ? "takes" : "refuses"} ${JSON.stringify(value)} for ${JSON.stringify(field)}`, () => {
        const read = Elicitation.readContent(object({ field }, ["field"]), { field: value })
        if (fits)
          assert.strictEqual(JSON.stringify(Either.getOrThrow(read)), JSON.stringify({ field: value }))
        else assert.match(Either.isLeft(read) ? read.left : "", /^"field" (?:is|has) /)
      })
    }

    it("refuses what misses a required field, and takes what misses another", () => {
      const schema = object({ a: { type: "string" }, b: { type: "string" } }, ["a"])
      assertLeft(Elicitation.readContent(schema, { b: "x" }), '"a" is missing')
      assertRight(Elicitation.readContent(schema, { a: "x" }), { a: "x" })
    })

    it("drops what was not asked for", () => {
      const sent = JSON.parse('{"a":"x","b":1,"__proto__":{"admin":true}}')
      const read = Either.getOrThrow(Elicitation.readContent(object({ a: { type: "string" } }), sent))
      assert.deepStrictEqual(Object.entries(read), [["a", "x"]])
    })

    it.prop("is total", [jsonObject, jsonObject], ([properties, content]) => {
      const read = Elicitation.readContent(object(properties), content)
      if (Either.isRight(read))
        assert.isTrue(Object.keys(read.right).every((name) => Object.hasOwn(properties, name)))
    })
  })

  describe("readResult", () => {
    // verifies: ELIC-22
    it("reads the three actions", () => {
      assertRight(Elicitation.readResult({ action: "accept", content: { a: 1 } }), {
        action: "accept",
        content: { a: 1 }
      })
      assertRight(Elicitation.readResult({ action: "accept" }), { action: "accept", content: undefined })
      assertRight(Elicitation.readResult({ action: "decline", content: 1 }), { action: "decline" })
      assertRight(Elicitation.readResult({ action: "cancel" }), { action: "cancel" })
    })

    // verifies: ELIC-22
    it("refuses everything else", () => {
      for (const response of [
        null,
        12345,
        "accept",
        [],
        {},
        { action: "ok" },
        { action: "accept", content: [] }
      ]) {
        assert.isTrue(Either.isLeft(Elicitation.readResult(response)), JSON.stringify(response))
      }
    })

    it.prop("is total", [jsonValue], ([response]) => void Elicitation.readResult(response))
  })

  describe("isWebUrl", () => {
    // verifies: ELIC-11
    it("takes absolute web addresses", () => {
      for (const url of [
        "https://a.example",
        "http://localhost:3000/x?y=1#z",
        "https://[::1]/x",
        "HTTPS://a?b"
      ]) {
        assert.isTrue(Elicitation.isWebUrl(url), url)
      }
    })

    // verifies: ELIC-11
    it("refuses others, and those that carry credentials", () => {
      for (const url of [
        "",
        "a.example",
        "/x",
        "https://",
        "https:///x",
        "ftp://a.example",
        "javascript:alert(1)",
        "https://user:pass@a.example/",
        "https://a.example/x y",
        "https://a.example\\@b.example"
      ]) {
        assert.isFalse(Elicitation.isWebUrl(url), url)
      }
    })
  })
})
