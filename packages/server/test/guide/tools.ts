/** The examples of docs/guide/tools.md. */
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import * as Tool from "@pushbutton/server/Tool"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

class NoSuchCity extends Data.TaggedError("NoSuchCity")<{ readonly city: string }> {
  override get message() {
    return `No city is called ${this.city}`
  }
}

const Forecast = Tool.make("forecast", {
  description: "The weather of tomorrow",
  input: Schema.Struct({
    city: Schema.String,
    days: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 7)), { exact: true })
  }),
  output: Schema.Struct({ sky: Schema.String }),
  annotations: { readOnlyHint: true },
  handler: ({ city }) =>
    city === "Ys" ? Effect.fail(new NoSuchCity({ city })) : Effect.succeed({ sky: "clear" })
})

const Lookup = Tool.fromJsonSchema("lookup", {
  inputSchema: {
    type: "object",
    properties: {
      code: { type: "string", pattern: "^[A-Z]{2}[0-9]+$" },
      near: { $ref: "#/$defs/point" }
    },
    oneOf: [{ required: ["code"] }, { required: ["near"] }],
    $defs: {
      point: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], items: false }
    },
    additionalProperties: false
  },
  outputSchema: { type: ["string", "null"] },
  handler: ({ code }) => Effect.succeed(typeof code === "string" ? `Station ${code}` : null)
})

const Query = Tool.make("query", {
  input: Schema.Struct({
    region: Schema.String.pipe(Tool.header("Region")),
    sql: Schema.String
  }),
  handler: ({ region }) => Effect.succeed(`No rows in ${region}`)
})

const Build = Tool.make("build", {
  input: Schema.Struct({ target: Schema.String }),
  handler: ({ target }) =>
    Effect.gen(function* () {
      yield* Progress.report({ progress: 1, total: 2, message: "compiling" })
      yield* Effect.logInfo("compiled").pipe(Effect.annotateLogs({ target, logger: "compiler" }))
      yield* Progress.report({ progress: 2, total: 2, message: "linking" })
      return `Built ${target}`
    })
})

export const Tools = McpServer.tools(Forecast, Lookup, Query, Build)
