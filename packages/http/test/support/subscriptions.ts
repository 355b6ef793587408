/** A server whose tools and events a test controls, and clients that listen to it. */
import * as McpServer from "@pushbutton/server/McpServer"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import { Subscriptions } from "@pushbutton/server/Subscriptions"
import * as Tool from "@pushbutton/server/Tool"
import { ToolRegistry } from "@pushbutton/server/ToolRegistry"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as HttpTransport from "../../src/HttpTransport.js"
import type { Sent } from "./client.js"
import { json, modernMeta } from "./messages.js"
import { startWith } from "./server.js"

export const toolOf = (name: string): Tool.Tool<never> =>
  Tool.make(name, { input: Schema.Struct({}), handler: () => Effect.succeed("") })

/** The member of filters that `publish` is about. */
const member = "topics"

/** Serves until the scope closes. Windows are short, so that nobody waits for them. */
export const serve = (
  tools: ReadonlyArray<Tool.Tool<RequestContext | Scope.Scope>>,
  options: Partial<HttpTransport.Options> = {},
  limits: McpServer.Options["subscriptions"] = {}
) =>
  Effect.gen(function* () {
    const server = yield* Layer.build(
      McpServer.tools(...tools).pipe(
        Layer.provideMerge(
          McpServer.layer({ name: "tests", version: "1", subscriptions: { window: "1 millis", ...limits } })
        )
      )
    )
    const subscriptions = Context.get(server, Subscriptions)
    yield* subscriptions.extend({ member, honour: (asked) => Either.right(asked) })
    const started = yield* startWith(Layer.succeedContext(server), options)
    return {
      ...started,
      subscriptions,
      registry: Context.get(server, ToolRegistry),
      publish: (key: string, text: string) =>
        subscriptions.publish({
          key,
          notice: { method: "notifications/topic", params: { key, text } },
          isFor: ({ extra }) => extra[member] === true
        })
    }
  })

export const listen = (
  url: string,
  id: number | string,
  notifications: object,
  headers: Record<string, string> = {}
): Sent => ({
  url,
  headers: {
    ...json,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "subscriptions/listen",
    ...headers
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "subscriptions/listen",
    params: { notifications, _meta: modernMeta() }
  })
})

/** The message of an event of a stream. */
export const messageOf = (event: string) => JSON.parse(event.replace("event: message\ndata: ", ""))
