import { assert, describe, it } from "@effect/vitest"
import * as Tool from "@pushbutton/server/Tool"
import type * as ToolResult from "@pushbutton/server/ToolResult"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"

const Greet = Tool.make("greet", {
  description: "Greets a person",
  input: Schema.Struct({
    name: Schema.String,
    times: Schema.optionalWith(Schema.Int.pipe(Schema.positive()), { exact: true })
  }),
  handler: ({ name, times }) => Effect.succeed(`Hello ${name}!`.repeat(times ?? 1))
})

const Add = Tool.make("add", {
  input: Schema.Struct({ a: Schema.Number, b: Schema.Number }),
  output: Schema.Struct({ sum: Schema.Number }),
  handler: ({ a, b }) => Effect.succeed({ sum: a + b })
})

const textOf = (result: ToolResult.ToolResult) =>
  result.content.map((block) => ("text" in block ? block.text : block.type))

describe("Tool", () => {
  it("publishes an input schema that stands alone", () => {
    assert.deepStrictEqual(Greet.definition.inputSchema, {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string" },
        times: { type: "integer", description: "a positive number", title: "positive", exclusiveMinimum: 0 }
      },
      additionalProperties: false
    })
  })

  it("publishes an object that takes nothing for an empty struct", () => {
    const tool = Tool.make("now", { input: Schema.Struct({}), handler: () => Effect.succeed("now") })
    assert.deepStrictEqual(tool.definition.inputSchema, { type: "object", additionalProperties: false })
  })

  // verifies: P-85, P-86
  it("inlines shared parts and leaves no $id or $schema", () => {
    const Point = Schema.Struct({ x: Schema.Number, y: Schema.Unknown }).annotations({ identifier: "Point" })
    const tool = Tool.make("line", {
      input: Schema.Struct({ from: Point, to: Point }),
      handler: () => Effect.succeed("")
    })
    const point = {
      type: "object",
      required: ["x", "y"],
      properties: { x: { type: "number" }, y: {} },
      additionalProperties: false
    }
    assert.deepStrictEqual(tool.definition.inputSchema, {
      type: "object",
      required: ["from", "to"],
      properties: { from: point, to: point },
      additionalProperties: false
    })
  })

  it("keeps a definition for a recursive part", () => {
    interface Tree {
      readonly children: ReadonlyArray<Tree>
    }
    const Tree: Schema.Schema<Tree> = Schema.Struct({
      children: Schema.Array(Schema.suspend((): Schema.Schema<Tree> => Tree))
    }).annotations({ identifier: "Tree" })
    const tool = Tool.make("grow", {
      input: Schema.Struct({ tree: Tree }),
      handler: () => Effect.succeed("")
    })
    const node = {
      type: "object",
      required: ["children"],
      properties: { children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
      additionalProperties: false
    }
    assert.deepStrictEqual(tool.definition.inputSchema, {
      type: "object",
      required: ["tree"],
      properties: { tree: node },
      additionalProperties: false,
      $defs: { Tree: node }
    })
  })

  // verifies: TOOL-17, P-81, TO-04, TO-05, DL-41, DC-06
  it.effect("names every bad argument in a result the model can read", () =>
    Effect.gen(function* () {
      const result = yield* Greet.call({ times: "twice", loud: true })
      assert.isTrue(result.isError)
      const [text] = textOf(result)
      assert.match(String(text), /^Invalid arguments:/)
      for (const field of ["name: is missing", "times: ", "loud: "]) assert.include(String(text), field)
    })
  )

  it.effect("refuses any argument where it takes none", () =>
    Effect.gen(function* () {
      const tool = Tool.make("now", { input: Schema.Struct({}), handler: () => Effect.succeed("now") })
      assert.deepStrictEqual(textOf(yield* tool.call({})), ["now"])
      assert.isTrue((yield* tool.call({ zone: "UTC" })).isError)
    })
  )

  // verifies: TOOL-27
  it.effect("repeats a typed value as JSON text", () =>
    Effect.gen(function* () {
      const result = yield* Add.call({ a: 1, b: 2 })
      assert.deepStrictEqual(result.structuredContent, { sum: 3 })
      assert.deepStrictEqual(textOf(result), ['{"sum":3}'])
      assert.isUndefined(result.isError)
    })
  )

  class NoSuchCity extends Data.TaggedError("NoSuchCity")<{ readonly city: string }> {
    override get message() {
      return `No city is called ${this.city}`
    }
  }
  class Busy extends Data.TaggedError("Busy")<{ readonly retryAfterMillis: number }> {}

  // verifies: TOOL-23, P-82
  it.effect("turns a typed failure into readable text", () =>
    Effect.gen(function* () {
      const fails = <E>(error: E) =>
        Tool.make("fails", { input: Schema.Struct({}), handler: () => Effect.fail(error) }).call({})
      assert.deepStrictEqual(textOf(yield* fails(new NoSuchCity({ city: "Ys" }))), ["No city is called Ys"])
      assert.deepStrictEqual(textOf(yield* fails(new Busy({ retryAfterMillis: 5 }))), [
        "Busy (retryAfterMillis: 5)"
      ])
      assert.deepStrictEqual(textOf(yield* fails("plain"))[0], "plain")
      assert.isTrue((yield* fails({})).isError)
    })
  )

  it.effect("leaves a throwing handler and a value that breaks its own schema to the server as defects", () =>
    Effect.gen(function* () {
      const throws = Tool.make("throws", {
        input: Schema.Struct({}),
        handler: (): Effect.Effect<string> => {
          throw new Error("boom")
        }
      })
      const lies = Tool.make("lies", {
        input: Schema.Struct({}),
        output: Schema.Struct({ sum: Schema.Number.pipe(Schema.positive()) }),
        handler: () => Effect.succeed({ sum: -1 })
      })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(throws.call({}))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(lies.call({}))))
    })
  )
})
