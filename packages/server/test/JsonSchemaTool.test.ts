import { assert, describe, it } from "@effect/vitest"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Tool from "@pushbutton/server/Tool"
import * as ToolResult from "@pushbutton/server/ToolResult"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Schema from "effect/Schema"

const draft07 = "http://json-schema.org/draft-07/schema#"

/** Repeats what it was given. */
const taking = (inputSchema: JsonObject) =>
  Tool.fromJsonSchema("echo", { inputSchema, handler: (args) => Effect.succeed(JSON.stringify(args)) })

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more
})

const call = (inputSchema: JsonObject, args: JsonObject) => taking(inputSchema).call(args)
const accepts = (inputSchema: JsonObject, args: JsonObject) =>
  Effect.map(call(inputSchema, args), (result) => result.isError !== true)

const textOf = (result: ToolResult.ToolResult) => {
  const [block] = result.content
  return block !== undefined && "text" in block ? block.text : ""
}

const linesOf = (inputSchema: JsonObject, args: JsonObject) =>
  Effect.map(call(inputSchema, args), (result) => {
    assert.isTrue(result.isError)
    const [title, ...lines] = textOf(result).split("\n")
    assert.strictEqual(title, "Invalid arguments:")
    return lines
  })

describe("Tool.fromJsonSchema", () => {
  it("publishes the schemas as they are", () => {
    const inputSchema = { $schema: draft07, type: "object", "x-own": [1], properties: { a: true } }
    const outputSchema = { type: "array", items: { $ref: "#/$defs/a" }, $defs: { a: {} } }
    const tool = Tool.fromJsonSchema("t", {
      title: "T",
      inputSchema,
      outputSchema,
      handler: () => Effect.succeed([])
    })
    assert.deepStrictEqual<unknown>(tool.definition, { name: "t", title: "T", inputSchema, outputSchema })
  })

  it.effect("gives the handler the arguments as they were sent", () =>
    Effect.gen(function* () {
      const schema = object({ a: { type: "string", default: "x" }, n: { type: "integer" } })
      const args = JSON.parse('{"n":42.0,"more":{"__proto__":1}}')
      assert.strictEqual(textOf(yield* call(schema, args)), '{"n":42,"more":{"__proto__":1}}')
    })
  )

  // verifies: TOOL-17, P-81, TO-04, TO-05
  it.effect("names every bad argument in one result", () =>
    Effect.gen(function* () {
      const schema = object(
        {
          name: { type: "string", minLength: 2 },
          times: { type: ["integer", "null"], minimum: 1 },
          env: { enum: ["staging", "prod"] },
          kind: { const: "a" },
          where: object({ zone: { type: "string", pattern: "^[a-z]+$" } }, { required: ["zone", "city"] }),
          tags: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 1 },
          "a/b": { type: "boolean" }
        },
        { required: ["name", "size"], additionalProperties: false, dependentRequired: { env: ["region"] } }
      )
      const lines = yield* linesOf(schema, {
        name: "x",
        times: 0,
        env: "dev",
        kind: "b",
        where: { zone: "A1" },
        tags: [
          { b: 1, a: 2 },
          { a: 2, b: 1 }
        ],
        "a/b": "yes",
        loud: true
      })
      assert.sameMembers(lines, [
        "- size: is missing",
        "- loud: is unexpected",
        '- region: is missing, and "env" needs it',
        '- name: Must NOT have fewer than 2 characters, actual "x"',
        "- times: Must be >= 1, actual 0",
        '- env: Expected one of "staging", "prod", actual "dev"',
        '- kind: Expected "a", actual "b"',
        "- where.city: is missing",
        '- where.zone: Must match pattern "^[a-z]+$", actual "A1"',
        "- tags: Must NOT have more than 1 items, actual an array of 2",
        "- tags: Expected different items, actual an array of 2",
        "- tags.0: Expected string, actual an object",
        "- tags.1: Expected string, actual an object",
        '- a/b: Expected boolean, actual "yes"'
      ])
    })
  )

  it.effect("never repeats much of a value, a name or a list", () =>
    Effect.gen(function* () {
      const long = "x".repeat(5_000)
      const strings = object({ a: { type: "integer" } }, { additionalProperties: { type: "integer" } })
      for (const args of [{ a: long }, { [long]: "no" }, { a: { [long]: long } }]) {
        const [line] = yield* linesOf(strings, args)
        assert.isBelow(line?.length ?? 0, 250)
      }
      const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`n${index}`, "no"]))
      const lines = yield* linesOf(strings, many)
      assert.strictEqual(lines.length, 21)
      assert.strictEqual(lines[20], "- and 30 more")
    })
  )

  it.effect("never repeats much of a value to a tool of an Effect Schema either", () =>
    Effect.gen(function* () {
      const tool = Tool.make("t", {
        input: Schema.Struct({ a: Schema.Int }),
        handler: () => Effect.succeed("")
      })
      const result = yield* tool.call({ a: "x".repeat(5_000) })
      assert.match(textOf(result), /- a: Expected .*number, actual "x{98}…$/)
    })
  )

  describe("dialects", () => {
    const rows: ReadonlyArray<readonly [string, JsonObject, JsonObject, boolean]> = [
      [
        "prefixItems",
        object({ a: { prefixItems: [{ type: "string" }], items: false } }),
        { a: ["x", 1] },
        false
      ],
      [
        "no prefixItems in draft-07",
        { $schema: draft07, ...object({ a: { prefixItems: [{ type: "string" }] } }) },
        { a: [1] },
        true
      ],
      [
        "arrays under items in draft-07",
        { $schema: draft07, ...object({ a: { items: [{ type: "string" }] } }) },
        { a: [1] },
        false
      ],
      [
        "keywords beside a reference",
        object({ a: { $ref: "#/$defs/s", minLength: 2 } }, { $defs: { s: { type: "string" } } }),
        { a: "x" },
        false
      ],
      [
        "none of them in draft-07",
        {
          $schema: draft07,
          ...object(
            { a: { $ref: "#/definitions/s", minLength: 2 } },
            { definitions: { s: { type: "string" } } }
          )
        },
        { a: "x" },
        true
      ],
      [
        "unevaluatedProperties",
        { type: "object", allOf: [object({ a: true })], unevaluatedProperties: false },
        { a: 1, b: 1 },
        false
      ],
      [
        "what is evaluated",
        { type: "object", allOf: [object({ a: true })], unevaluatedProperties: false },
        { a: 1 },
        true
      ],
      ["dependentSchemas", { type: "object", dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, false],
      ["conditions", { type: "object", if: { required: ["a"] }, else: { required: ["b"] } }, {}, false],
      [
        "formats as annotations",
        object({ a: { type: "string", format: "date-time" } }),
        { a: "no date" },
        true
      ],
      ["formats nobody knows", object({ a: { type: "string", format: "colour" } }), { a: "no colour" }, true],
      [
        "no keyword of other vocabularies",
        object({ a: { type: "string", nullable: true } }),
        { a: null },
        false
      ],
      ["inherited names as absent", { type: "object", required: ["toString"] }, {}, false],
      ["tenths", object({ a: { multipleOf: 0.01 } }), { a: 19.99 }, true],
      ["large prices", object({ a: { multipleOf: 0.01 } }), { a: 1234567.89 }, true],
      ["a price too fine", object({ a: { multipleOf: 0.01 } }), { a: 1111.111 }, false],
      ["a number too large to be exact", object({ a: { multipleOf: 2 } }), { a: JSON.parse("1e400") }, false],
      ["a tiny divisor", object({ a: { multipleOf: 1e-7 } }), { a: 0.07 }, true],
      [
        "dynamic references",
        object({ a: { $dynamicRef: "#s" } }, { $defs: { s: { $dynamicAnchor: "s", type: "string" } } }),
        { a: 1 },
        false
      ],
      ["recursion", object({ a: { $ref: "#" }, b: { type: "string" } }), { a: { a: { a: { b: 1 } } } }, false]
    ]
    for (const [what, schema, args, expected] of rows) {
      // verifies: JSCH-04, TO-14
      it.effect(`follows the dialect in ${what}`, () =>
        Effect.gen(function* () {
          assert.strictEqual(yield* accepts(schema, args), expected)
        })
      )
    }
  })

  it.effect("keeps two tools with the same identifiers apart", () =>
    Effect.gen(function* () {
      const of = (type: string) => object({ a: { $ref: "S" } }, { $defs: { s: { $id: "S", type } } })
      assert.isTrue(yield* accepts(of("string"), { a: "x" }))
      assert.isFalse(yield* accepts(of("integer"), { a: "x" }))
    })
  )

  describe("limits", () => {
    const node = {
      type: "object",
      properties: { next: { anyOf: [{ $ref: "#/$defs/n" }, { $ref: "#/$defs/n" }] } }
    }
    const chain = (depth: number): JsonObject => (depth === 0 ? { next: "no" } : { next: chain(depth - 1) })

    // verifies: JSCH-12
    it.effect("ends a check that doubles with every level", () =>
      Effect.gen(function* () {
        const schema = object({ next: { $ref: "#/$defs/n" } }, { $defs: { n: node } })
        assert.isTrue(yield* accepts(schema, { next: {} }))
        assert.deepStrictEqual(yield* linesOf(schema, { next: chain(120) }), [
          "- The value takes too many steps to check: send a smaller or a flatter one"
        ])
        assert.isTrue(yield* accepts(schema, { next: {} }))
      })
    )

    // verifies: JSCH-12
    it.effect("checks a pattern in linear time", () =>
      Effect.gen(function* () {
        const schema = object({ a: { pattern: "^(a+)+$" } })
        assert.isTrue(yield* accepts(schema, { a: "a".repeat(50_000) }))
        assert.isFalse(yield* accepts(schema, { a: `${"a".repeat(50_000)}!` }))
      })
    )

    it.effect("reports one problem of a value that is too large for all", () =>
      Effect.gen(function* () {
        const schema = object({ a: { type: "array", items: { type: "string" } } })
        const lines = yield* linesOf(schema, { a: Array.from({ length: 20_000 }, () => 1) })
        assert.deepStrictEqual(lines, ["- a.0: Expected string, actual 1"])
      })
    )

    it.effect("finds duplicates in a long list of objects", () =>
      Effect.gen(function* () {
        const schema = object({ a: { type: "array", uniqueItems: true } })
        const items = Array.from({ length: 50_000 }, (_, id) => ({ id }))
        assert.isTrue(yield* accepts(schema, { a: items }))
        assert.isFalse(yield* accepts(schema, { a: [...items, { id: 7 }] }))
      })
    )
  })

  describe("structured values", () => {
    const answering = (outputSchema: JsonObject, value: JsonValue | ToolResult.ToolResult) =>
      Tool.fromJsonSchema("t", {
        inputSchema: { type: "object" },
        outputSchema,
        handler: () => Effect.succeed(value)
      }).call({})

    for (const value of [null, false, 0, "", [], {}, [null], { a: null }, "text", 1.5]) {
      // verifies: TOOL-27, TOOL-25
      it.effect(`carries ${JSON.stringify(value)}, and repeats it as text`, () =>
        Effect.gen(function* () {
          const result = yield* answering({}, value)
          assert.isTrue("structuredContent" in result)
          assert.deepStrictEqual(result.structuredContent, value)
          assert.strictEqual(textOf(result), JSON.stringify(value))
        })
      )
    }

    const kept = ToolResult.content("done", { structured: 1 })
    const failed = ToolResult.error("no", { structured: "not a number" })
    // verifies: P-82, TO-06
    it.effect("lets whole results through that conform or failed", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* answering({ type: "number" }, kept), kept)
        assert.strictEqual(yield* answering({ type: "number" }, failed), failed)
      })
    )

    const broken: ReadonlyArray<readonly [string, JsonValue | ToolResult.ToolResult]> = [
      ["another type", "1"],
      ["null", null],
      ["a result without a value", ToolResult.content("done")],
      ["a result with another value", ToolResult.content("done", { structured: "1" })]
    ]
    for (const [what, value] of broken) {
      // verifies: TOOL-25, P-83, TO-06
      it.effect(`makes a success with ${what} a defect`, () =>
        Effect.gen(function* () {
          assert.isTrue(Exit.isFailure(yield* Effect.exit(answering({ type: "number" }, value))))
        })
      )
    }

    // verifies: TOOL-25, P-83
    it.effect("holds tools of an Effect Schema to their output too", () =>
      Effect.gen(function* () {
        const answering = (result: ToolResult.ToolResult) =>
          Tool.make("t", {
            input: Schema.Struct({}),
            output: Schema.Struct({ sum: Schema.Number }),
            handler: (): Effect.Effect<ToolResult.ToolResult> => Effect.succeed(result)
          }).call({})
        const whole = ToolResult.content("3", { structured: { sum: 3 } })
        assert.strictEqual(yield* answering(whole), whole)
        for (const structured of [undefined, null, { sum: "3" }, { sum: 3, more: 1 }]) {
          const exit = yield* Effect.exit(answering(ToolResult.content("3", { structured })))
          assert.isTrue(Exit.isFailure(exit))
        }
      })
    )
  })

  // verifies: TOOL-23
  it.effect("turns a typed failure of the handler into a result", () =>
    Effect.gen(function* () {
      class Full extends Data.TaggedError("Full")<{ readonly disk: string }> {}
      const tool = Tool.fromJsonSchema("t", {
        inputSchema: { type: "object" },
        handler: () => Effect.fail(new Full({ disk: "a" }))
      })
      const result = yield* tool.call({})
      assert.isTrue(result.isError)
      assert.strictEqual(textOf(result), "Full (disk: a)")
    })
  )

  describe("beside Effect Schema", () => {
    const field = fc.constantFrom(
      ...[
        Schema.String,
        Schema.Int,
        Schema.Number,
        Schema.Boolean,
        Schema.Literal("a", "b"),
        Schema.NullOr(Schema.String)
      ],
      ...[
        Schema.Array(Schema.Int),
        Schema.String.pipe(Schema.minLength(2)),
        Schema.Int.pipe(Schema.between(1, 3))
      ]
    )
    const names = ["a", "b", "c"]
    const fields = fc.dictionary(fc.constantFrom(...names), fc.tuple(field, fc.boolean()))
    const value = fc.oneof(
      fc.constantFrom<JsonValue>("a", "b", "", "text", 0, 1, 2.5, -3, true, null, [1], ["a"], [], {}),
      fc.integer()
    )
    const args = fc.dictionary(fc.constantFrom(...names, "d"), value)

    it.effect.prop("accepts the same arguments by either way", [fields, args], ([shape, sent]) =>
      Effect.gen(function* () {
        const input = Schema.Struct(
          Object.fromEntries(
            Object.entries(shape).map(([name, [schema, isOptional]]) => [
              name,
              isOptional ? Schema.optionalWith(schema, { exact: true }) : schema
            ])
          )
        )
        const typed = Tool.make("t", { input, handler: () => Effect.succeed("") })
        const raw = taking(typed.definition.inputSchema)
        const [first, second] = [yield* typed.call(sent), yield* raw.call(sent)]
        assert.strictEqual(
          second.isError,
          first.isError,
          JSON.stringify([typed.definition.inputSchema, sent])
        )
      })
    )
  })
})
