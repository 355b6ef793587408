import { assert, describe, it, layer } from "@effect/vitest"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import { MissingRequiredClientCapability } from "@pushbutton/protocol/ProtocolError"
import type { Decision, Facts } from "@pushbutton/server/Decision"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Prompt from "@pushbutton/server/Prompt"
import { PromptRegistry } from "@pushbutton/server/PromptRegistry"
import * as Resource from "@pushbutton/server/Resource"
import { ResourceRegistry } from "@pushbutton/server/ResourceRegistry"
import * as Subscriptions from "@pushbutton/server/Subscriptions"
import * as Tool from "@pushbutton/server/Tool"
import { ToolRegistry } from "@pushbutton/server/ToolRegistry"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { modern, send, session } from "./support/conversation.js"
import { subscribe, summary } from "./support/subscriber.js"

const toolOf = (name: string, description = "") =>
  Tool.make(name, { description, input: Schema.Struct({}), handler: () => Effect.succeed("") })

const Server = Layer.provideMerge(
  McpServer.tools(toolOf("a")),
  McpServer.layer({ name: "test", version: "1", subscriptions: { maxPerPrincipal: 2 } })
)
const Bare = McpServer.layer({ name: "test", version: "1" })

const note = (uri: string) => Resource.make(uri, { name: uri, handler: () => Effect.succeed("") })
const prompt = (name: string) => Prompt.make(name, { handler: () => Effect.succeed("") })
const touch = Tool.make("touch", {
  input: Schema.Struct({}),
  handler: () =>
    Effect.forEach(["note:///a/1", "note:///b"], Subscriptions.resourceUpdated).pipe(Effect.as("touched"))
})
const Full = Layer.mergeAll(
  McpServer.tools(touch),
  McpServer.resources(note("note:///a")),
  McpServer.prompts(prompt("p"))
).pipe(Layer.provideMerge(Bare))

const decide = (message: object, facts: Partial<Facts> = {}) =>
  Effect.map(Dispatcher, (dispatcher) =>
    dispatcher.decide(JsonRpc.decode(JSON.stringify({ jsonrpc: "2.0", ...message })), {
      header: undefined,
      session: undefined,
      ...facts
    })
  )

const listen = (params: object, id: string | number = 1, facts: Partial<Facts> = {}) =>
  decide({ id, method: "subscriptions/listen", params: modern({ ...params }) }, facts)

const replyOf = (decision: Decision) => {
  if (decision._tag !== "Reply") return assert.fail(`${decision._tag} is no reply`)
  return { status: decision.reply.status, body: JSON.parse(decision.reply.text) }
}

const open = (decision: Decision) => {
  if (decision._tag !== "Listen") return assert.fail(`${decision._tag} is not Listen`)
  return subscribe(decision.listen.open)
}

layer(Server)("subscriptions/listen", (it) => {
  for (const id of [0, -1, 1234567890123, "0", ""]) {
    // verifies: SUB-08, SUB-05
    it.effect(
      `acknowledges the request ${JSON.stringify(id)} with what this server offers of the filter`,
      () =>
        Effect.gen(function* () {
          const subscriber = open(
            yield* listen(
              { notifications: { toolsListChanged: true, promptsListChanged: true, unknown: [1] } },
              id
            )
          )
          assert.deepStrictEqual(subscriber.messages, [
            {
              jsonrpc: "2.0",
              method: "notifications/subscriptions/acknowledged",
              params: {
                notifications: { toolsListChanged: true },
                _meta: { "io.modelcontextprotocol/subscriptionId": id }
              }
            }
          ])
          subscriber.subscription.close()
        })
    )
  }

  for (const params of [{}, { notifications: null }, { notifications: { toolsListChanged: 1 } }]) {
    it.effect(`refuses ${JSON.stringify(params)}`, () =>
      Effect.gen(function* () {
        const { body, status } = replyOf(yield* listen(params))
        assert.strictEqual(status, 200)
        assert.strictEqual(body.error.code, -32602)
        assert.strictEqual(body.id, 1)
      })
    )
  }

  it.effect("refuses one subscription too many of a caller, in words", () =>
    Effect.gen(function* () {
      const notifications = { toolsListChanged: true }
      const ada = { principal: "ada" }
      const first = open(yield* listen({ notifications }, 1, ada))
      const second = open(yield* listen({ notifications }, 2, ada))
      assert.deepStrictEqual(replyOf(yield* listen({ notifications }, 3, ada)).body.error, {
        code: -32603,
        message: "Too many subscriptions are open (limit 2): close one before opening another"
      })
      open(yield* listen({ notifications }, 4, { principal: "bob" })).subscription.close()
      first.subscription.close()
      open(yield* listen({ notifications }, 3, ada)).subscription.close()
      second.subscription.close()
    })
  )

  it.effect("is for modern clients alone: legacy sessions are told of changes without one", () =>
    Effect.gen(function* () {
      const discovered = replyOf(yield* decide({ id: 1, method: "server/discover", params: modern() }))
      assert.deepStrictEqual(discovered.body.result.capabilities, { tools: { listChanged: true } })
      const initialize = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "c", version: "1" }
      }
      const opened = yield* decide({ id: 1, method: "initialize", params: initialize })
      if (opened._tag !== "Open") return assert.fail(opened._tag)
      assert.deepStrictEqual(JSON.parse(opened.reply.text).result.capabilities, {
        tools: { listChanged: true }
      })
      const message = { id: 2, method: "subscriptions/listen", params: { notifications: {} } }
      const { body } = replyOf(yield* decide(message, { session: session("2025-11-25") }))
      assert.strictEqual(body.error.code, -32601)
    })
  )
})

describe("subscriptions/listen", () => {
  it.effect("is there where nothing changes, and ends at once", () =>
    Effect.gen(function* () {
      const subscriber = open(yield* listen({ notifications: { toolsListChanged: true } }))
      assert.deepStrictEqual(subscriber.messages.map(summary), ["subscriptions/acknowledged", "result"])
    }).pipe(Effect.provide(Bare))
  )

  // verifies: SUB-13, TOOL-07, P-89
  it.effect("tells when tools come, go and change, and not when they only move", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry
      const { messages } = open(yield* listen({ notifications: { toolsListChanged: true } }))
      const count = Effect.map(TestClock.adjust("100 millis"), () => messages.length - 1)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* registry.add([toolOf("b"), toolOf("c")])
          assert.strictEqual(yield* count, 1)
        })
      )
      assert.strictEqual(yield* count, 2)
      yield* Effect.scoped(registry.add([toolOf("b")]))
      assert.strictEqual(yield* count, 2)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* registry.add([toolOf("b", "described")])
          assert.strictEqual(yield* count, 3)
        })
      )
    }).pipe(Effect.provide(Server))
  )

  // verifies: SUB-13, RES-05, PROM-05, P-96
  it.scoped(
    "tells changes of resources, of templates and of prompts, and updates that a handler reports",
    () =>
      Effect.gen(function* () {
        const resources = yield* ResourceRegistry
        const prompts = yield* PromptRegistry
        const asked = {
          toolsListChanged: true,
          promptsListChanged: true,
          resourcesListChanged: true,
          resourceSubscriptions: ["note:///a"]
        }
        const { messages } = open(yield* listen({ notifications: asked }))
        assert.deepStrictEqual(messages[0]?.params?.["notifications"], asked)
        const told = Effect.map(TestClock.adjust("100 millis"), () => messages.splice(0).map(summary))
        yield* told
        yield* resources.add([note("note:///b")])
        assert.deepStrictEqual(yield* told, ["resources/list_changed"])
        yield* resources.add([
          Resource.template("note:///{id}", { name: "notes", handler: () => Effect.succeed("") })
        ])
        assert.deepStrictEqual(yield* told, ["resources/list_changed"])
        yield* prompts.add([prompt("q")])
        assert.deepStrictEqual(yield* told, ["prompts/list_changed"])
        yield* send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: modern({ name: "touch" }) })
        assert.deepStrictEqual(yield* told, ["resources/updated note:///a/1"])
      }).pipe(Effect.provide(Full))
  )

  it.scoped("grants members of an extension, or refuses as the extension says", () =>
    Effect.gen(function* () {
      const subscriptions = yield* Subscriptions.Subscriptions
      yield* subscriptions.extend({
        member: "taskIds",
        honour: (asked, { clientCapabilities, principal }) =>
          clientCapabilities["extensions"] === undefined
            ? Either.left(new MissingRequiredClientCapability({ required: { extensions: {} } }))
            : Either.right(principal === "ada" ? asked : undefined)
      })
      const capabilities = { "io.modelcontextprotocol/clientCapabilities": { extensions: {} } }
      const ask = (principal: string, meta: Record<string, unknown>) =>
        decide(
          {
            id: 1,
            method: "subscriptions/listen",
            params: modern({ notifications: { taskIds: ["t"] } }, meta)
          },
          { principal }
        )
      const granted = open(yield* ask("ada", capabilities))
      assert.deepStrictEqual(granted.messages[0]?.params?.["notifications"], { taskIds: ["t"] })
      const nothing = open(yield* ask("bob", capabilities))
      assert.deepStrictEqual(nothing.messages.map(summary), ["subscriptions/acknowledged", "result"])
      assert.strictEqual(replyOf(yield* ask("ada", {})).body.error.code, -32021)
    }).pipe(Effect.provide(Server))
  )
})
