/** Servers whose tools, resources and events a test controls. */
import type { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as McpServer from "@pushbutton/server/McpServer"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import * as Resource from "@pushbutton/server/Resource"
import type { Subscriptions } from "@pushbutton/server/Subscriptions"
import * as Tool from "@pushbutton/server/Tool"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"

const input = Schema.Struct({})

export const toolOf = (name: string, work: Effect.Effect<unknown, never, RequestContext> = Effect.void) =>
  Tool.make(name, { input, handler: () => Effect.as(work, name) })

export const build = (
  tools: ReadonlyArray<Tool.Tool<RequestContext>> = [toolOf("echo")],
  options: Partial<McpServer.Options> = {}
): Effect.Effect<Context.Context<Dispatcher | McpServer.Registries | Subscriptions>, never, Scope.Scope> =>
  Layer.build(
    Layer.mergeAll(
      McpServer.tools(...tools),
      McpServer.resources(
        Resource.make("note:///a/b", { name: "note", handler: () => Effect.succeed("text") })
      )
    ).pipe(
      Layer.orDie,
      Layer.provideMerge(
        McpServer.layer({ name: "test", version: "1", subscriptions: { window: "1 millis" }, ...options })
      )
    )
  )

/** Starts, and waits until the test lets it end; tells when it was interrupted. */
export const gated = (name: string) =>
  Effect.gen(function* () {
    const started = yield* Deferred.make<void>()
    const gate = yield* Deferred.make<void>()
    const interrupted = yield* Deferred.make<void>()
    const work = Effect.zipRight(Deferred.succeed(started, undefined), Deferred.await(gate))
    const tool = toolOf(
      name,
      Effect.onInterrupt(work, () => Deferred.succeed(interrupted, undefined))
    )
    return { tool, started, gate, interrupted }
  })

/** What the transport writes to its log. */
export const captureLogs = Effect.sync(() => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    lines.push(`${logLevel.label} ${Array.isArray(message) ? message.join(" ") : message}`)
  })
  return { lines, layer: Logger.replace(Logger.defaultLogger, logger) }
})
