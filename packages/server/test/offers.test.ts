import { assert, describe, it } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Tool from "@pushbutton/server/Tool"
import { ToolRegistry } from "@pushbutton/server/ToolRegistry"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { modern, send } from "./support/conversation.js"

const request = (method: string) => ({ jsonrpc: "2.0", id: 1, method, params: modern() })

const body = (method: string) =>
  Effect.map(send(request(method)), (answer) => JSON.parse(JSON.stringify(answer?.body)))

describe("what a server offers", () => {
  it.effect("is announced from the first entry on, and stays announced when the last one leaves", () =>
    Effect.gen(function* () {
      assert.notProperty((yield* body("server/discover")).result.capabilities, "tools")
      assert.strictEqual((yield* body("tools/list")).error.code, -32601)
      const tool = Tool.make("passing", { input: Schema.Struct({}), handler: () => Effect.succeed("") })
      yield* Effect.scoped(Effect.flatMap(ToolRegistry, (registry) => registry.add([tool])))
      assert.property((yield* body("server/discover")).result.capabilities, "tools")
      assert.deepStrictEqual((yield* body("tools/list")).result.tools, [])
    }).pipe(Effect.provide(McpServer.layer({ name: "test", version: "1" })))
  )
})
