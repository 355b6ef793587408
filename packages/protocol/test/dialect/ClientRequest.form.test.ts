import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import * as ClientRequest from "@pushbutton/protocol/dialect/ClientRequest"
import * as Elicitation from "@pushbutton/protocol/Elicitation"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Json from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { formSchema } from "../arbitraries/form.js"
import { published } from "./published.js"

type FormVersion = "2025-06-18" | "2025-11-25"

const encode = (version: FormVersion, schema: JsonObject) =>
  ClientRequest.encode(
    { version, capabilities: { elicitation: {} } },
    Elicitation.form("Please", schema),
    "e-1"
  )

const asked = (version: FormVersion, schema: JsonObject) => Either.getOrThrow(encode(version, schema))

const properties = (version: FormVersion, fields: JsonObject) => {
  const { params } = asked(version, { type: "object", properties: fields })
  const { requestedSchema } = params ?? {}
  return Json.isObject(requestedSchema) ? requestedSchema["properties"] : undefined
}

const labels = { title: "T", description: "D" }

/** Each kind of field with all that 2026-07-28 has for it, and some that no revision has. */
const fields = {
  text: {
    type: "string",
    ...labels,
    minLength: 1,
    maxLength: 9,
    format: "email",
    default: "a@b",
    pattern: "^a",
    "x-mcp-header": "X"
  },
  count: { type: "integer", ...labels, minimum: 0, maximum: 9, default: 0, multipleOf: 2 },
  yes: { type: "boolean", ...labels, default: false, const: true },
  plain: { type: "string", ...labels, enum: ["a", "b"], default: "a" },
  named: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"] },
  titled: {
    type: "string",
    ...labels,
    oneOf: [
      { const: "a", title: "A", description: "no" },
      { const: "b", title: "B" }
    ],
    default: "b"
  }
}

const lists = {
  plain: {
    type: "array",
    ...labels,
    items: { type: "string", enum: ["a", "b"] },
    maxItems: 1,
    default: ["b"]
  },
  titled: {
    type: "array",
    items: {
      anyOf: [
        { const: "a", title: "A" },
        { const: "b", title: "B" }
      ]
    },
    minItems: 1,
    uniqueItems: true
  }
}

describe("a form for 2025-06-18", () => {
  // verifies: EN-45, EN-48, EN-50, EN-51, EL-03, EL-04, TRAP-29
  it("has no mode, and no keyword that its schema lacks", () => {
    assert.deepStrictEqual(
      asked("2025-06-18", {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: { a: { type: "number" } },
        required: ["a", "b"],
        additionalProperties: false
      }).params,
      {
        message: "Please",
        requestedSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] }
      }
    )
    assert.deepStrictEqual(properties("2025-06-18", fields), {
      text: { type: "string", ...labels, minLength: 1, maxLength: 9, format: "email" },
      count: { type: "integer", ...labels, minimum: 0, maximum: 9 },
      yes: { type: "boolean", ...labels, default: false },
      plain: { type: "string", ...labels, enum: ["a", "b"] },
      named: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"] },
      titled: { type: "string", ...labels, enum: ["a", "b"], enumNames: ["A", "B"] }
    })
  })

  // verifies: EN-49, TRAP-29
  it("asks for a list of choices one by one", () => {
    assert.deepStrictEqual(properties("2025-06-18", lists), {
      "plain: a": { type: "boolean", title: "T: a", description: "D Choose at most 1." },
      "plain: b": { type: "boolean", title: "T: b", description: "D Choose at most 1.", default: true },
      "titled: a": { type: "boolean", title: "titled: A", description: "Choose at least 1." },
      "titled: b": { type: "boolean", title: "titled: B", description: "Choose at least 1." }
    })
  })

  // verifies: EN-49
  it("gives the choices back as a list, and nothing where none was made", () => {
    const schema = { type: "object", properties: { ...lists, x: { type: "string" } }, required: ["titled"] }
    const { params, readResult } = asked("2025-06-18", schema)
    assert.notProperty(params?.["requestedSchema"], "required")
    const read = (content: JsonObject) => readResult({ action: "accept", content })
    assertRight(read({ x: "y", "plain: a": true, "plain: b": false, "titled: b": true, "titled: a": true }), {
      action: "accept",
      content: { x: "y", plain: ["a"], titled: ["a", "b"] }
    })
    assertRight(read({ "plain: a": false }), { action: "accept", content: { titled: [] } })
    assertRight(readResult({ action: "decline" }), { action: "decline" })
  })

  // verifies: EN-52, EL-08
  it("takes no list for an answer", () => {
    assertLeft(
      asked("2025-06-18", { type: "object", properties: lists }).readResult({
        action: "accept",
        content: { plain: ["a"] }
      }),
      "content has a list, which revision 2025-06-18 does not have"
    )
  })

  it("is refused where two fields would have one name", () => {
    assertLeft(
      encode("2025-06-18", { type: "object", properties: { ...lists, "plain: a": { type: "string" } } }),
      "two fields have one name in the form of revision 2025-06-18"
    )
  })
})

describe("a form for 2025-11-25", () => {
  // verifies: EN-45, EN-51, EL-06
  it("has all that the revision knows, and nothing else", () => {
    const $schema = "https://json-schema.org/draft/2020-12/schema"
    assert.deepStrictEqual(
      asked("2025-11-25", { $schema, type: "object", properties: {}, additionalProperties: false }).params,
      {
        mode: "form",
        message: "Please",
        requestedSchema: { $schema, type: "object", properties: {} }
      }
    )
    assert.deepStrictEqual(properties("2025-11-25", { ...fields, ...lists }), {
      text: { type: "string", ...labels, minLength: 1, maxLength: 9, format: "email", default: "a@b" },
      count: { type: "integer", ...labels, minimum: 0, maximum: 9, default: 0 },
      yes: { type: "boolean", ...labels, default: false },
      named: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"] },
      plain: lists.plain,
      titled: { type: "array", items: lists.titled.items, minItems: 1 }
    })
    assert.deepStrictEqual(properties("2025-11-25", { plain: fields.plain, titled: fields.titled }), {
      plain: fields.plain,
      titled: {
        type: "string",
        ...labels,
        oneOf: [
          { const: "a", title: "A" },
          { const: "b", title: "B" }
        ],
        default: "b"
      }
    })
  })

  // verifies: EN-52, EL-08
  it("takes lists for answers", () => {
    const result = { action: "accept", content: { plain: ["a"] } }
    assertRight(asked("2025-11-25", { type: "object", properties: lists }).readResult(result), result)
  })
})

describe("a form for either revision", () => {
  const versions = ["2025-06-18", "2025-11-25"] as const

  it("is refused where a field is no field of a form", () => {
    for (const version of versions) {
      for (const field of [{ type: "object" }, {}, true, { type: "array", items: { type: "number" } }]) {
        assertLeft(
          encode(version, { type: "object", properties: { odd: field } }),
          `revision ${version} has no form for "odd"`
        )
      }
    }
  })

  it("leaves out a default that is no value of its field", () => {
    for (const version of versions) {
      for (const field of [
        { type: "boolean", default: "yes" },
        { type: "string", enum: ["a"], default: "b" },
        { type: "integer", default: 0.5 }
      ]) {
        const { default: _, ...rest } = field
        assert.deepStrictEqual(properties(version, { a: field }), { a: rest })
      }
    }
  })

  it("leaves out a format that forms do not have", () => {
    for (const version of versions) {
      assert.deepStrictEqual(properties(version, { a: { type: "string", format: "hostname" } }), {
        a: { type: "string" }
      })
    }
  })

  for (const version of versions) {
    const errors = published(version)
    const request = (params: JsonObject | undefined) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "elicitation/create",
      params: params ?? null
    })

    // verifies: EL-03, EL-04, EL-06
    it(`fits the published schema of ${version}, whatever schema it is made of`, () => {
      for (const some of [fields, lists]) {
        const { params } = asked(version, { type: "object", properties: some })
        assert.deepStrictEqual(errors("ElicitRequest", request(params)), [])
      }
      fc.assert(
        fc.property(formSchema, (schema) => {
          const { params } = asked(version, schema)
          assert.deepStrictEqual(errors("ElicitRequest", request(params)), [])
        })
      )
    })
  }
})
