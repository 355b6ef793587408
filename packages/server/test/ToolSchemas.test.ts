import { assert, describe, it } from "@effect/vitest"
import { isObject, type JsonObject } from "@pushbutton/protocol/Json"
import * as Tool from "@pushbutton/server/Tool"
import * as ToolRegistry from "@pushbutton/server/ToolRegistry"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const add = <R>(tool: Tool.Tool<R>) =>
  Effect.flatMap(
    Effect.sync(() => ToolRegistry.make()),
    (registry) => Effect.as(registry.add([tool]), registry)
  )

const raw = (inputSchema: JsonObject, outputSchema: JsonObject = {}) =>
  Tool.fromJsonSchema("t", { inputSchema, outputSchema, handler: () => Effect.succeed(null) })

const typed = <A, I>(input: Schema.Schema<A, I>) =>
  Tool.make("t", { input, handler: () => Effect.succeed("") })

const property = (schema: JsonObject): JsonObject => ({ type: "object", properties: { id: schema } })

const header = (name: string): JsonObject => ({ "x-mcp-header": name })

describe("the schemas of a registered tool", () => {
  const refused: ReadonlyArray<readonly [string, Tool.Tool<never>, string, RegExp]> = [
    [
      "an unsupported dialect",
      raw({ $schema: "http://json-schema.org/draft-04/schema#", type: "object" }),
      "inputSchema/$schema",
      /draft-04/
    ],
    ["an input that is no object", raw({ type: "array" }), "inputSchema/type", /"object"/],
    [
      "a keyword with a wrong value",
      raw(property({ type: "float" })),
      "inputSchema/properties/id/type",
      /string, number/
    ],
    [
      "a reference to the network",
      raw(property({ $ref: "https://a.example/s" })),
      "inputSchema/properties/id/$ref",
      /within it/
    ],
    [
      "an output with a reference to nothing",
      raw({ type: "object" }, { items: { $ref: "#/$defs/a" } }),
      "outputSchema/items/$ref",
      /no schema/
    ],
    [
      "a pattern without a time bound",
      raw(property({ pattern: "^(?!-)" })),
      "inputSchema/properties/id/pattern",
      /lookaround/
    ],
    [
      "such a pattern in the output",
      raw({ type: "object" }, { patternProperties: { "(a)\\1": {} } }),
      "outputSchema/patternProperties/(a)\\1",
      /backreference/
    ],
    [
      "a header of a number",
      raw(property({ type: "number", ...header("Id") })),
      "inputSchema/properties/id/x-mcp-header",
      /integer/
    ],
    [
      "a header without a name",
      raw(property({ type: "string", ...header("") })),
      "inputSchema/properties/id/x-mcp-header",
      /token/
    ],
    [
      "a header inside a list",
      raw(property({ items: { type: "string", ...header("Id") } })),
      "inputSchema/properties/id/items/x-mcp-header",
      /plain/
    ],
    [
      "a header of an Effect number",
      typed(Schema.Struct({ id: Schema.Number.pipe(Tool.header("Id")) })),
      "inputSchema/properties/id/x-mcp-header",
      /integer/
    ],
    [
      "a header of a nullable",
      typed(Schema.Struct({ id: Schema.NullOr(Schema.String).pipe(Tool.header("Id")) })),
      "inputSchema/properties/id/x-mcp-header",
      /integer/
    ],
    [
      "headers that differ in case only",
      typed(
        Schema.Struct({ a: Schema.String.pipe(Tool.header("Id")), b: Schema.String.pipe(Tool.header("ID")) })
      ),
      "inputSchema/properties/b/x-mcp-header",
      /twice/
    ]
  ]
  for (const [what, tool, at, detail] of refused) {
    // verifies: JSCH-06, JSCH-07, HDR-27, HDR-31, HDR-34, P-65, P-66
    it.scoped(`refuses ${what}, by the property`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(add(tool))
        assert.strictEqual(failure._tag, "InvalidTool")
        assert.strictEqual(failure.property, at)
        assert.match(failure.detail, detail)
        assert.strictEqual(failure.message, `Tool "t": ${at} ${failure.detail}`)
      })
    )
  }

  it.scoped("leaves regular expressions of Effect Schemas to Effect", () =>
    Effect.asVoid(add(typed(Schema.Struct({ id: Schema.String.pipe(Schema.pattern(/^(?!-)[\w-]+$/)) }))))
  )

  it.scoped("knows the headers of both kinds of tools", () =>
    Effect.gen(function* () {
      const input = Schema.Struct({
        region: Schema.String.pipe(Tool.header("Region")),
        where: Schema.Struct({
          zone: Schema.optionalWith(Schema.Int.pipe(Tool.header("Zone")), { exact: true })
        })
      })
      const one = yield* add(typed(input))
      const two = yield* add(raw(typed(input).definition.inputSchema))
      const expected = [
        { header: "Mcp-Param-Region", path: ["region"], type: "string" },
        { header: "Mcp-Param-Zone", path: ["where", "zone"], type: "integer" }
      ]
      assert.deepStrictEqual<unknown>(one.find("t")?.headers, expected)
      assert.deepStrictEqual<unknown>(two.find("t")?.headers, expected)
    })
  )
})

describe("Tool.header", () => {
  const struct = <A, I>(id: Schema.Schema<A, I>) => Schema.Struct({ id })
  const published = <A, I>(schema: Schema.Schema<A, I>): unknown => {
    const { properties } = typed(schema).definition.inputSchema
    return isObject(properties) ? properties["id"] : undefined
  }

  const x = { "x-mcp-header": "Id" }
  const raw = { jsonSchema: x }
  const rows: ReadonlyArray<readonly [string, unknown, unknown]> = [
    ["text", published(struct(Schema.String.pipe(Tool.header("Id")))), { type: "string", ...x }],
    [
      "an integer",
      published(struct(Schema.Int.pipe(Tool.header("Id")))),
      { type: "integer", description: "an integer", title: "int", ...x }
    ],
    ["a flag", published(struct(Schema.Boolean.pipe(Tool.header("Id")))), { type: "boolean", ...x }],
    [
      "literals",
      published(struct(Schema.Literal("a", "b").pipe(Tool.header("Id")))),
      { type: "string", enum: ["a", "b"], ...x }
    ],
    [
      "a bounded text",
      published(struct(Schema.String.pipe(Schema.maxLength(3), Tool.header("Id")))),
      {
        type: "string",
        description: "a string at most 3 character(s) long",
        title: "maxLength(3)",
        maxLength: 3,
        ...x
      }
    ],
    [
      "an optional text",
      published(Schema.Struct({ id: Schema.optional(Schema.String.pipe(Tool.header("Id"))) })),
      { type: "string", ...x }
    ],
    [
      "an annotated text",
      published(struct(Schema.String.annotations({ description: "d", ...raw }))),
      { type: "string", description: "d", ...x }
    ],
    [
      "an annotated integer",
      published(struct(Schema.Int.annotations(raw))),
      { type: "integer", description: "an integer", title: "int", ...x }
    ],
    [
      "an annotated property",
      published(Schema.Struct({ id: Schema.propertySignature(Schema.String).annotations(raw) })),
      { type: "string", ...x }
    ],
    [
      "a date",
      published(struct(Schema.Date.pipe(Tool.header("Id")))),
      { type: "string", description: "a string to be decoded into a Date", ...x }
    ],
    [
      "a number in text",
      published(struct(Schema.NumberFromString.pipe(Schema.int(), Tool.header("Id")))),
      { type: "string", description: "a string to be decoded into a number", ...x }
    ]
  ]
  for (const [what, property, expected] of rows) {
    it(`keeps the annotation, and all else, of ${what}`, () => {
      assert.deepStrictEqual(property, expected)
    })
  }
})
