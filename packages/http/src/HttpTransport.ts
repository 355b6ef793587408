/**
 * Streamable HTTP for clients of every revision, on one URL: the endpoint as a Layer. It listens as long as the
 * layer lives; closing the layer drains it.
 */
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import { IdSource } from "@pushbutton/server/IdSource"
import * as InFlight from "@pushbutton/server/InFlight"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Admission from "./Admission.js"
import * as EventStore from "./EventStore.js"
import { Connections } from "./internal/Connections.js"
import * as Endpoint from "./internal/endpoint.js"
import * as GuardedStore from "./internal/guardedStore.js"
import type { HttpSession } from "./internal/HttpSession.js"
import * as Hosts from "./internal/hosts.js"
import * as HttpSse from "./internal/httpSse/endpoint.js"
import * as SsePaths from "./internal/httpSse/paths.js"
import * as NodeServer from "./internal/nodeServer.js"
import type { CallKey } from "./internal/RunningCalls.js"
import { SentAway } from "./internal/SentAway.js"
import * as Sessions from "./internal/Sessions.js"
import type { PrincipalOf, Shared } from "./internal/Shared.js"
import * as Shutdown from "./internal/shutdown.js"
import * as RandomIds from "./RandomIds.js"
import * as SystemRandom from "./SystemRandom.js"

export { isLoopback } from "./internal/hosts.js"
export type { SseOptions } from "./internal/httpSse/endpoint.js"
export { PathsCollide } from "./internal/httpSse/paths.js"
export { type Address, ListenFailed } from "./internal/nodeServer.js"

export class HttpTransport extends Context.Tag("@pushbutton/http/HttpTransport")<
  HttpTransport,
  {
    /** The address that was bound. */
    readonly address: NodeServer.Address
    /** Where clients on this machine reach the endpoint. */
    readonly url: string
    /** Where those of HTTP+SSE do, where that is served. */
    readonly sseUrl: string | undefined
  }
>() {}

export interface EndpointOptions {
  /** The address or name to bind; 127.0.0.1 when left out. */
  readonly host?: string | undefined
  /** 0 takes any free port. */
  readonly port: number
  /** `/mcp` when left out; served with and without a slash at its end. */
  readonly path?: string | undefined
  /**
   * The origins of web pages that may call, such as `https://app.example`. When left out, a server bound to
   * loopback allows loopback origins, any other server none. Requests without an Origin come from no web page.
   */
  readonly allowedOrigins?: ReadonlyArray<string> | undefined
  /**
   * Values of the Host header to serve: a name with any port, or a name and port. A server bound to loopback serves
   * loopback names besides and nothing else; any other server checks the Host only when this is given.
   */
  readonly allowedHosts?: ReadonlyArray<string> | undefined
  /** 4 MiB when left out. */
  readonly maxBodyBytes?: number | undefined
  /** Requests that may run at a time; 5,000 when left out. One more is answered with an error. */
  readonly maxRequests?: number | undefined
  /** The same for one session; 1,000 when left out. */
  readonly maxRequestsPerSession?: number | undefined
  /**
   * What may wait for a client that does not read its event stream, beside one message; 64 MiB when left out. Beyond,
   * the connection ends with what was sent, and so do the calls and sessions that end with their connection.
   */
  readonly maxUnreadBytes?: number | undefined
  /** How long running requests may take to end once the layer closes; 10 seconds when left out. */
  readonly drainGrace?: Duration.DurationInput | undefined
  /** How often open event streams carry a comment, for proxies that cut silent ones; 15 seconds when left out. */
  readonly keepAlive?: Duration.DurationInput | undefined
  /**
   * How clients are served that begin with `initialize`; `sessions` when left out. Without sessions each of their
   * requests is served by itself, as with replicas behind a balancer: nothing is asked of them, and they are told of no
   * changes, which their `initialize` says.
   */
  readonly legacy?: "sessions" | "stateless" | undefined
  /**
   * Who sends a request, as verified in front of this server, such as by a proxy that sets a header of its own and
   * strips it from what it receives. A session is found by whoever opened it and nobody else, and handlers are told.
   */
  readonly principalOf?: PrincipalOf | undefined
  /**
   * HTTP+SSE, the transport of 2024-11-05, on paths of its own; not served when left out, nor where no handshake revision
   * is. Its sessions end with their streams, and Streamable HTTP knows nothing of them.
   */
  readonly sse?: HttpSse.SseOptions | undefined
  /** Sessions of legacy clients at a time, and how long one outlives its last use: 10,000 and 30 minutes when left out. */
  readonly sessionCap?: number | undefined
  readonly sessionIdle?: Duration.DurationInput | undefined
}

export interface Options extends EndpointOptions {
  /** What is kept for legacy clients that come back for the rest of a stream. */
  readonly events?: EventStore.Options | undefined
}

/** Serves over HTTP, with the events of sessions kept in memory. */
export const layer = (options: Options): Layer.Layer<HttpTransport, NodeServer.ListenFailed, Dispatcher> =>
  layerWithStore(options).pipe(
    Layer.provide(EventStore.layerMemory(options.events)),
    Layer.provide(RandomIds.layer)
  )

/** Serves over HTTP, with the events of sessions kept by the `EventStore` at hand, and ids from the `IdSource`. */
export const layerWithStore = (
  options: EndpointOptions
): Layer.Layer<HttpTransport, NodeServer.ListenFailed, Dispatcher | EventStore.EventStore | IdSource> =>
  Layer.scoped(HttpTransport, make(options))

const make = (
  options: EndpointOptions
): Effect.Effect<
  HttpTransport["Type"],
  NodeServer.ListenFailed,
  Dispatcher | EventStore.EventStore | IdSource | Scope.Scope
> =>
  Effect.gen(function* () {
    const { host = "127.0.0.1", path = "/mcp", port } = options
    const { interrupt, run } = yield* NodeServer.makeRun
    const dispatcher = yield* Dispatcher
    const isSessionless = dispatcher.servesLegacy && options.legacy === "stateless"
    const hasSessions = dispatcher.servesLegacy && !isSessionless
    const inFlight = yield* Effect.provide(
      InFlight.make<CallKey>({ max: options.maxRequests, maxPerOwner: options.maxRequestsPerSession }),
      SystemRandom.layer
    )
    const sessions = yield* Sessions.make<HttpSession>({
      cap: options.sessionCap ?? 10_000,
      idle: options.sessionIdle ?? "30 minutes",
      report: (defect) => run(Effect.logError("A session ended with a defect", Cause.die(defect)))
    })
    let streamCount = 0
    const shared: Shared = {
      dispatcher,
      sessions,
      inFlight,
      ids: yield* IdSource,
      store: GuardedStore.make(yield* EventStore.EventStore, run),
      connections: new Connections({ maxUnreadBytes: options.maxUnreadBytes ?? 64 * 1024 * 1024, run }),
      sentAway: new SentAway(),
      nextStream: () => streamCount++,
      hold: (id) => sessions.hold(id),
      release: (id) => sessions.release(id),
      isSessionless,
      hasSessions,
      principalOf: options.principalOf,
      subscriptions: new Set(),
      run,
      isDraining: false
    }
    const sse = dispatcher.servesLegacy ? options.sse : undefined
    const ssePaths = sse && (yield* SsePaths.resolve(sse, path))
    const makeHandler = (bound: NodeServer.Address) => {
      const callers = {
        isLoopback: Hosts.isLoopback(bound.host),
        allowedOrigins: options.allowedOrigins,
        allowedHosts: options.allowedHosts ?? []
      }
      const maxBodyBytes = options.maxBodyBytes ?? 4 * 1024 * 1024
      const admit = Admission.make({ path, ...callers, hasSessions })
      const serve = Endpoint.make({ shared, admit, maxBodyBytes })
      return sse === undefined || ssePaths === undefined
        ? serve
        : HttpSse.beside(serve, { shared, sse, paths: ssePaths, callers, maxBodyBytes })
    }
    // Ahead of the server, so that streams are kept alive while that drains.
    yield* keepStreamsAlive(shared, options.keepAlive ?? "15 seconds")
    const server = yield* Effect.acquireRelease(
      NodeServer.listen({ host, port }, makeHandler, (error) =>
        run(Effect.logWarning("The HTTP listener reported an error", error), () => {})
      ),
      (listening) =>
        Effect.zipRight(Shutdown.make(shared, listening, options.drainGrace ?? "10 seconds"), interrupt)
    )
    return HttpTransport.of({
      address: server.address,
      url: urlOf(server.address, path),
      sseUrl: ssePaths && urlOf(server.address, ssePaths.path)
    })
  })

/** One timer for all streams. */
const keepStreamsAlive = (
  { connections }: Shared,
  interval: Duration.DurationInput
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.sync(() => connections.keepAlive()).pipe(
    Effect.catchAllCause((cause) => Effect.logError("Event streams could not be kept alive", cause)),
    // A zero would leave the process no time for anything else.
    Effect.delay(Duration.max(interval, "1 millis")),
    Effect.forever,
    // A layer may be built where nothing can be interrupted; this has to end with its scope all the same.
    Effect.interruptible,
    Effect.forkScoped,
    Effect.asVoid
  )

const urlOf = ({ host, port }: NodeServer.Address, path: string): string => {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host
  return `http://${name}:${port}${path.startsWith("/") ? path : `/${path}`}`
}
