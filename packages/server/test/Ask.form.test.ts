/** Forms from Effect Schemas: what is asked, and what a handler gets. */
import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Form from "../src/internal/form.js"
import { accept, answering, call } from "./support/client.js"
import { quiet } from "./support/logs.js"

const Titled = Schema.Union(
  Schema.Literal("a").annotations({ title: "Option A" }),
  Schema.Literal("b").annotations({ title: "Option B" })
)
const titled = [
  { const: "a", title: "Option A" },
  { const: "b", title: "Option B" }
]

/** Asks with the schema; gives the schema as it was sent, and the outcomes of the answers. */
const asking = (ask: Ask.Ask<unknown>, ...answers: ReadonlyArray<object>) => {
  const seen: Array<unknown> = []
  const handler = () =>
    Effect.map(ask, (outcome) => {
      seen.push(outcome._tag === "Accepted" ? outcome.content : outcome._tag)
      return "done"
    })
  const server = Layer.provideMerge(
    McpServer.tools(Tool.make("t", { input: Schema.Struct({}), handler })),
    McpServer.layer({ name: "test", version: "1" })
  )
  return Effect.gen(function* () {
    const asked = yield* call("t")
    for (const content of answers) yield* call("t", answering(asked, { form: accept(content) }))
    const params = asked.inputRequests["form"]?.params
    const { requestedSchema } = JSON.parse(JSON.stringify(params ?? {}))
    return { requestedSchema, seen }
  }).pipe(Effect.provide(server), Effect.provide(quiet))
}

const fields: ReadonlyArray<readonly [string, Ask.Ask<unknown>, object]> = [
  [
    "a string with a default",
    form(Schema.String.annotations({ title: "Name", default: "John Doe" })),
    { type: "string", title: "Name", default: "John Doe" }
  ],
  [
    "an integer with limits",
    form(Schema.Int.pipe(Schema.between(1, 5)).annotations({ default: 3 })),
    { type: "integer", minimum: 1, maximum: 5, default: 3, description: "a number between 1 and 5" }
  ],
  ["a number", form(Schema.Number.annotations({ default: 95.5 })), { type: "number", default: 95.5 }],
  ["a boolean", form(Schema.Boolean.annotations({ default: true })), { type: "boolean", default: true }],
  [
    "literals",
    form(Schema.Literal("x", "y").annotations({ default: "x" })),
    { type: "string", enum: ["x", "y"], default: "x" }
  ],
  ["titled literals", form(Titled), { type: "string", oneOf: titled }],
  [
    "several literals",
    form(Schema.Array(Schema.Literal("x", "y"))),
    { type: "array", items: { type: "string", enum: ["x", "y"] } }
  ],
  ["several titled literals", form(Schema.Array(Titled)), { type: "array", items: { anyOf: titled } }],
  [
    "an Effect enum",
    form(Schema.Enums({ Apple: "apple", Pear: "pear" })),
    {
      type: "string",
      oneOf: [
        { const: "apple", title: "Apple" },
        { const: "pear", title: "Pear" }
      ]
    }
  ],
  [
    "a format",
    form(Schema.String.annotations({ jsonSchema: { type: "string", format: "email" } })),
    { type: "string", format: "email" }
  ]
]

function form<A, I>(schema: Schema.Schema<A, I>): Ask.Ask<{ readonly field: A }> {
  return Ask.form("form", { message: "?", schema: Schema.Struct({ field: schema }) })
}

describe("Ask.form", () => {
  it("works out the form of a Schema once, however often it is asked for", () => {
    const schema = Schema.Struct({ name: Schema.String })
    const [one, other] = [Form.of(schema), Form.of(schema)]
    assert.strictEqual(one.schema, other.schema)
    assert.notStrictEqual(Form.of(Schema.Struct({ name: Schema.String })).schema, one.schema)
  })

  for (const [name, ask, field] of fields) {
    it.effect(`asks for ${name}`, () =>
      Effect.gen(function* () {
        const { requestedSchema } = yield* asking(ask)
        assert.deepStrictEqual(requestedSchema, {
          type: "object",
          properties: { field },
          required: ["field"]
        })
      })
    )
  }

  it.effect("asks for optional fields without requiring them", () =>
    Effect.gen(function* () {
      const Note = Schema.Struct({ note: Schema.optional(Schema.String) })
      const { requestedSchema, seen } = yield* asking(
        Ask.form("form", { message: "?", schema: Note }),
        {},
        { note: "x" }
      )
      assert.deepStrictEqual(requestedSchema, { type: "object", properties: { note: { type: "string" } } })
      assert.deepStrictEqual(seen, [{}, { note: "x" }])
    })
  )

  it.effect("gives what the schema decodes to", () =>
    Effect.gen(function* () {
      const { seen } = yield* asking(form(Schema.NumberFromString), { field: "12" }, { field: "twelve" })
      assert.deepStrictEqual(seen, [{ field: 12 }])
    })
  )

  // verifies: ELIC-23
  it.effect("checks what a form cannot say", () =>
    Effect.gen(function* () {
      const { seen } = yield* asking(
        form(Schema.String.pipe(Schema.pattern(/^a/))),
        { field: "b" },
        { field: "ab" }
      )
      assert.deepStrictEqual(seen, [{ field: "ab" }])
    })
  )

  it.effect("takes a form as it is sent, and gives the content as it came", () =>
    Effect.gen(function* () {
      const schema = {
        type: "object",
        properties: {
          legacy: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"] },
          several: { type: "array", items: { anyOf: titled }, minItems: 1 },
          age: { type: "integer", minimum: 0 }
        },
        required: ["legacy"]
      } as const
      const { requestedSchema, seen } = yield* asking(
        Ask.form("form", { message: "?", schema }),
        { legacy: "c" },
        { legacy: "a", several: [] },
        { legacy: "a", several: ["b"], age: 1, other: 1 }
      )
      assert.deepStrictEqual(requestedSchema, schema)
      assert.deepStrictEqual(seen, [{ legacy: "a", several: ["b"], age: 1 }])
    })
  )
})
