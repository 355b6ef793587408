/** A server with default settings whose handlers count, wait and report as the tests need it. */
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import * as Prompt from "@pushbutton/server/Prompt"
import * as Resource from "@pushbutton/server/Resource"
import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"

const none = Schema.Struct({})

export const make = Effect.gen(function* () {
  const gate = yield* Deferred.make<void>()
  const called: Array<string> = []
  const call = (name: string) => Effect.sync(() => `call ${called.push(name)}`)

  const tools = McpServer.tools(
    Tool.make("none", { description: "Takes nothing", input: none, handler: () => call("none") }),
    Tool.make("optional", {
      description: "May take a text",
      input: Schema.Struct({ text: Schema.optional(Schema.String) }),
      handler: () => call("optional")
    }),
    Tool.make("required", {
      description: "Takes a text",
      input: Schema.Struct({ text: Schema.String }),
      handler: () => call("required")
    }),
    Tool.make("integer", {
      description: "Takes an integer",
      input: Schema.Struct({ count: Schema.Int }),
      handler: ({ count }) => Effect.succeed(String(count))
    }),
    Tool.fromJsonSchema("keys", {
      description: "Names its arguments",
      inputSchema: { type: "object" },
      handler: (args) => Effect.succeed(Object.keys(args).join(" "))
    }),
    Tool.make("steps", {
      description: "Reports its progress, one step twice, of an unknown total",
      input: none,
      handler: () =>
        Effect.as(
          Effect.forEach([1, 1, 2], (progress) => Progress.report({ progress }), { discard: true }),
          "done"
        )
    }),
    Tool.make("slow", {
      description: "Waits for the gate",
      input: none,
      handler: () => Effect.as(Deferred.await(gate), "slow")
    })
  )
  const resources = McpServer.resources(
    Resource.make("test://one", { name: "one", handler: () => Effect.succeed("1") }),
    Resource.template("test://{id}/more", { name: "more", handler: ({ id }) => Effect.succeed(id) })
  )
  const prompts = McpServer.prompts(
    Prompt.make("free", {
      arguments: [{ name: "tone" }],
      handler: ({ tone }) => Effect.succeed(tone === undefined ? "absent" : `<${tone}>`)
    })
  )
  return {
    layer: Layer.mergeAll(tools, resources, prompts).pipe(
      Layer.provideMerge(McpServer.layer({ name: "odd", version: "1.0.0" })),
      Layer.provideMerge(Logger.remove(Logger.defaultLogger)),
      Layer.orDie
    ),
    gate,
    /** The names of the tools whose handlers have run. */
    called
  }
})
