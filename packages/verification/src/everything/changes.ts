/** Tools that change what the server offers, so that subscribers have something to be told. */
import * as Prompt from "@pushbutton/server/Prompt"
import { PromptRegistry } from "@pushbutton/server/PromptRegistry"
import * as Subscriptions from "@pushbutton/server/Subscriptions"
import * as Tool from "@pushbutton/server/Tool"
import { ToolRegistry } from "@pushbutton/server/ToolRegistry"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as ScopedRef from "effect/ScopedRef"

const nothing = Schema.Struct({})

const description = (count: number) => `Has been changed ${count} times`

const changingTool = (count: number) =>
  Tool.make("test_changing_tool", {
    description: description(count),
    input: nothing,
    handler: () => Effect.succeed(description(count))
  })

const changingPrompt = (count: number) =>
  Prompt.make("test_changing_prompt", {
    description: description(count),
    handler: () => Effect.succeed(description(count))
  })

/** Registers for a count, starting with 0; the effect it gives puts the next one in its place. */
const renewable = <E>(register: (count: number) => Effect.Effect<void, E, Scope.Scope>) =>
  Effect.map(
    ScopedRef.fromAcquire(Effect.as(register(0), 0)),
    (ref): Effect.Effect<void, E> =>
      Effect.flatMap(ScopedRef.get(ref), (count) =>
        ScopedRef.set(ref, Effect.as(register(count + 1), count + 1))
      )
  )

const trigger = <E, R>(name: string, what: string, change: Effect.Effect<void, E, R>) =>
  Tool.make(name, {
    description: `Changes ${what}`,
    input: nothing,
    handler: () => Effect.as(change, `Changed ${what}.`)
  })

const make = Effect.gen(function* () {
  const tools = yield* ToolRegistry
  const prompts = yield* PromptRegistry
  const changeTool = yield* renewable((count) => tools.add([changingTool(count)]))
  const changePrompt = yield* renewable((count) => prompts.add([changingPrompt(count)]))
  yield* tools.add([
    trigger("test_trigger_tool_change", "the list of tools", changeTool),
    trigger("test_trigger_prompt_change", "the list of prompts", changePrompt),
    trigger(
      "test_trigger_resource_update",
      "the watched resource",
      Subscriptions.resourceUpdated("test://watched-resource")
    )
  ])
})

export const layer = Layer.scopedDiscard(make)
