/** What a session's requests are to handlers, and what errors are to the transport. */
import { assert, describe, it } from "@effect/vitest"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import { LegacySession } from "@pushbutton/server/LegacySession"
import * as McpServer from "@pushbutton/server/McpServer"
import { RequestContext } from "@pushbutton/server/RequestContext"
import * as Resource from "@pushbutton/server/Resource"
import { Subscriptions } from "@pushbutton/server/Subscriptions"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { withHandler } from "./support/asking.js"
import { connect } from "./support/legacyClient.js"

describe("a request in a session", () => {
  for (const version of ["2024-11-05", "2025-06-18", "2025-11-25"] as const) {
    // verifies: EN-61
    it.effect(`of ${version} has its own metadata for the handler, without what is the protocol's`, () =>
      withHandler(
        Effect.map(RequestContext, ({ meta }) => JSON.stringify(meta)),
        Effect.gen(function* () {
          const client = yield* connect(version)
          const own = { progressToken: 1, "example.com/tenant": "a" }
          const _meta = { ...own, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } }
          const { reply } = yield* client.start("tools/call", { name: "t", _meta })
          assert.deepStrictEqual(JSON.parse((yield* reply)?.text ?? ""), own)
        })
      )
    )
  }

  const resources = McpServer.resources(
    Resource.make("note:///a", { name: "a", handler: () => Effect.succeed("") })
  ).pipe(
    Layer.provideMerge(McpServer.layer({ name: "test", version: "1", subscriptions: { maxResources: 1 } }))
  )

  it.effect("that subscribes to too much is answered, as any other", () =>
    Effect.gen(function* () {
      const { decide } = yield* Dispatcher
      const session = new LegacySession(
        { version: "2025-11-25", clientInfo: { name: "test", version: "1" }, clientCapabilities: {} },
        yield* Subscriptions
      )
      const subscribe = (uri: string) => {
        const message = { jsonrpc: "2.0", id: 1, method: "resources/subscribe", params: { uri } }
        return decide(JsonRpc.decode(JSON.stringify(message)), { header: () => undefined, session })
      }
      const [first, second] = [subscribe("note:///a"), subscribe("note:///b")]
      if (first._tag !== "Reply" || second._tag !== "Reply") return assert.fail("one was not answered")
      assert.deepStrictEqual([first.reply.status, second.reply.status], [200, 200])
      assert.deepStrictEqual(JSON.parse(second.reply.text).error, {
        code: -32602,
        message: "too many resources are subscribed to"
      })
    }).pipe(Effect.provide(resources))
  )
})
