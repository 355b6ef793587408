/** Servers of one handler, for tests of what handlers ask. */
import * as McpServer from "@pushbutton/server/McpServer"
import * as Prompt from "@pushbutton/server/Prompt"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import * as Resource from "@pushbutton/server/Resource"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { quiet } from "./logs.js"

export type Handler = Effect.Effect<string, unknown, RequestContext | Scope.Scope>

/** The handler as the tool `t`, the prompt `p` and the resource `test://r`. */
const offering = (handler: Handler) =>
  Layer.mergeAll(
    McpServer.tools(Tool.make("t", { input: Schema.Struct({}), handler: () => handler })),
    McpServer.prompts(Prompt.make("p", { handler: () => handler })),
    McpServer.resources(Resource.make("test://r", { name: "r", handler: () => handler }))
  )

type Server = Layer.Layer.Success<ReturnType<typeof McpServer.layer>>

/** Runs a client against what is offered. */
export const withServer = <A, E, R, Invalid>(
  offered: Layer.Layer<never, Invalid, McpServer.Registries>,
  client: Effect.Effect<A, E, R | Server>,
  options: Partial<McpServer.Options> = {}
) =>
  client.pipe(
    Effect.provide(
      offered.pipe(
        Layer.provideMerge(McpServer.layer({ name: "test", version: "1", ...options })),
        Layer.orDie
      )
    ),
    Effect.provide(quiet),
    Effect.scoped
  )

export const withHandler = <A, E, R>(
  handler: Handler,
  client: Effect.Effect<A, E, R | Server>,
  options: Partial<McpServer.Options> = {}
) => withServer(offering(handler), client, options)
