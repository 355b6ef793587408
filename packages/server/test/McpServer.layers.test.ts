/** One server of several layers, and several servers of layers that they share. */
import { assert, describe, it } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Prompt from "@pushbutton/server/Prompt"
import * as PromptRegistry from "@pushbutton/server/PromptRegistry"
import * as Resource from "@pushbutton/server/Resource"
import * as ResourceRegistry from "@pushbutton/server/ResourceRegistry"
import * as TaskStore from "@pushbutton/server/TaskStore"
import * as Tool from "@pushbutton/server/Tool"
import * as ToolRegistry from "@pushbutton/server/ToolRegistry"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

const options = { name: "test", version: "1" }

const offered = Layer.mergeAll(
  McpServer.tools(Tool.make("tool", { input: Schema.Struct({}), handler: () => Effect.succeed("") })),
  McpServer.resources(
    Resource.make("test:resource", { name: "resource", handler: () => Effect.succeed("") })
  ),
  McpServer.prompts(Prompt.make("prompt", { handler: () => Effect.succeed("") }))
)

const registries = Layer.mergeAll(ToolRegistry.layer, ResourceRegistry.layer, PromptRegistry.layer)

const names = (entries: ReadonlyArray<{ readonly definition: { readonly name: string } }>) =>
  entries.map(({ definition }) => definition.name)

describe("McpServer.layer", () => {
  it.scoped("has the registries of the layers that are built with it", () =>
    Effect.gen(function* () {
      const server = yield* Layer.build(
        Layer.merge(McpServer.layer(options), Layer.provide(offered, registries))
      )
      const tools = Context.get(server, ToolRegistry.ToolRegistry)
      const resources = Context.get(server, ResourceRegistry.ResourceRegistry)
      const prompts = Context.get(server, PromptRegistry.PromptRegistry)
      assert.deepStrictEqual(names(tools.tools()), ["tool"])
      assert.deepStrictEqual(names(resources.resources()), ["resource"])
      assert.deepStrictEqual(names(prompts.prompts()), ["prompt"])
    })
  )

  it.scoped("has registries of its own where it is built alone", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Effect.all([
        Layer.build(McpServer.layer(options)),
        Layer.build(McpServer.layer(options))
      ])
      assert.notStrictEqual(
        Context.get(one, ToolRegistry.ToolRegistry),
        Context.get(other, ToolRegistry.ToolRegistry)
      )
    })
  )

  it.effect("opens a store that servers share once, and closes it after the last of them", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const opened = Layer.scoped(
        TaskStore.TaskStore,
        Effect.acquireRelease(
          Effect.tap(TaskStore.makeMemory(), () => Effect.sync(() => void events.push("opened"))),
          () => Effect.sync(() => void events.push("closed"))
        )
      )
      // A layer of layers is shared as one.
      const store = Layer.suspend(() => Layer.fresh(opened))
      const servers = Layer.merge(
        McpServer.layer({ ...options, tasks: { store } }),
        McpServer.layer({ ...options, tasks: { store } })
      )
      yield* Effect.provide(
        Effect.sync(() => void events.push("served")),
        servers
      )
      assert.deepStrictEqual(events, ["opened", "served", "closed"])
    })
  )
})
