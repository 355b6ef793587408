/** Starts the transport for a test, on any free port. */
import * as DiagnosticsChannel from "node:diagnostics_channel"
import type * as Http from "node:http"
import type { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as IdSource from "@pushbutton/server/IdSource"
import * as McpServer from "@pushbutton/server/McpServer"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import type { Tool } from "@pushbutton/server/Tool"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as EventStore from "../../src/EventStore.js"
import * as HttpTransport from "../../src/HttpTransport.js"

export interface Started {
  readonly url: string
  readonly port: number
}

/** Serves until the scope closes. */
export const startWith = <E>(
  dispatcher: Layer.Layer<Dispatcher, E>,
  options: Partial<HttpTransport.Options> = {},
  store: Layer.Layer<EventStore.EventStore> = EventStore.layerMemory(options.events)
): Effect.Effect<Started, E | HttpTransport.ListenFailed, Scope.Scope> =>
  HttpTransport.layerWithStore({ port: 0, drainGrace: 0, ...options }).pipe(
    Layer.provide(dispatcher),
    Layer.provide(store),
    Layer.provide(IdSource.layerTest),
    Layer.build,
    Effect.map((context) => {
      const { address, url } = Context.get(context, HttpTransport.HttpTransport)
      return { url, port: address.port }
    })
  )

/** Serves tools with the real dispatcher. */
export const start = (
  tools: ReadonlyArray<Tool<RequestContext | Scope.Scope>>,
  options: Partial<HttpTransport.Options> = {}
) =>
  startWith(
    McpServer.tools(...tools).pipe(Layer.provideMerge(McpServer.layer({ name: "tests", version: "1.0.0" }))),
    options
  )

/** Runs an effect in a scope of its own, so that a test can close it. */
export const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const value = yield* Scope.extend(effect, scope)
    return { value, scope }
  })

const isStart = (
  message: unknown
): message is { request: Http.IncomingMessage; response: Http.ServerResponse } =>
  typeof message === "object" && message !== null && "request" in message && "response" in message

/** Completes when the server knows that the client of the request with this `x-marker` header is gone. */
export const connectionLost = (marker: string): Effect.Effect<Effect.Effect<void>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const lost = yield* Deferred.make<void>()
    const onStart = (message: unknown) => {
      if (!isStart(message) || message.request.headers["x-marker"] !== marker) return
      // Later than the listeners of the server.
      message.response.on("close", () => setImmediate(() => Deferred.unsafeDone(lost, Effect.void)))
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => DiagnosticsChannel.subscribe("http.server.request.start", onStart)),
      () => Effect.sync(() => DiagnosticsChannel.unsubscribe("http.server.request.start", onStart))
    )
    return Deferred.await(lost)
  })
