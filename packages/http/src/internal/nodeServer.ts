/**
 * The listener: the only module that knows node's HTTP server. It turns requests into `HttpRequest`s and owns what
 * is open. Malformed HTTP is answered by node itself (400, 408, 431), which then closes the connection.
 */
import { Buffer } from "node:buffer"
import * as Http from "node:http"
import * as Net from "node:net"
import { encodeError } from "@pushbutton/protocol/JsonRpc"
import { InvalidRequest, toErrorObject } from "@pushbutton/protocol/ProtocolError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import type { Headers } from "../Admission.js"
import * as ReadBody from "./body.js"
import type { Body, HttpRequest } from "./HttpRequest.js"
import type { Run } from "./Run.js"

/** The server cannot listen; `code` is the system's, such as EADDRINUSE, EACCES or ENOTFOUND. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{
  readonly host: string
  readonly port: number
  readonly code: string
  readonly message: string
}> {}

export interface Address {
  readonly host: string
  readonly port: number
}

export interface NodeServer {
  readonly address: Address
  /** Takes no more connections; those that are open stay. */
  readonly stopAccepting: Effect.Effect<void>
  /** Completes when every reply that has ended is with the system or has lost its client. */
  readonly flushed: Effect.Effect<void>
  readonly closeConnections: Effect.Effect<void>
}

/** Listens, and hands every request to the handler, which is made for the address that was bound. */
export const listen = (
  requested: Address,
  makeHandler: (bound: Address) => (request: HttpRequest) => void,
  onError: (error: Error) => void
): Effect.Effect<NodeServer, ListenFailed> =>
  Effect.async((resume) => {
    const server = Http.createServer(options)
    // By default headers beyond a count are dropped in silence, an Origin among them; their size is limited anyway.
    server.maxHeadersCount = 0
    const failed = (error: unknown) => resume(Effect.fail(listenFailed(requested, error)))
    server.once("error", failed)
    server.once("listening", () => {
      server.off("error", failed).on("error", onError)
      const bound = boundAddress(server, requested)
      const open = new Set<Http.ServerResponse>()
      server.on("request", onRequest(makeHandler(bound), open))
      resume(Effect.succeed(makeServer(server, bound, open)))
    })
    try {
      server.listen(requested.port, requested.host)
    } catch (error) {
      // A port out of range is thrown, not emitted.
      failed(error)
    }
  })

/** Runs effects for callbacks; `interrupt` ends those that still wait. */
export const makeRun: Effect.Effect<{ readonly run: Run; readonly interrupt: Effect.Effect<void> }> =
  Effect.map(Effect.runtime<never>(), (runtime) => {
    // The layer may be built where nothing can be interrupted; what runs here always can.
    const runFork = Runtime.runFork(
      Runtime.updateRuntimeFlags(runtime, RuntimeFlags.enable(RuntimeFlags.Interruption))
    )
    const waiting = new Set<Fiber.RuntimeFiber<unknown>>()
    const run: Run = (effect, done) => {
      const fiber = runFork(effect)
      const exit = fiber.unsafePoll()
      if (exit !== null) return done?.(exit)
      waiting.add(fiber)
      fiber.addObserver((later) => {
        waiting.delete(fiber)
        done?.(later)
      })
    }
    return { run, interrupt: Effect.suspend(() => Fiber.interruptAll(waiting)) }
  })

/**
 * A head may take 20 seconds and a whole request 60, a reply as long as it likes. Idle connections outlive the 60
 * seconds after which common proxies drop theirs, so that no proxy sends a request into a closing connection.
 */
const options: Http.ServerOptions = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 10_000,
  keepAlive: true,
  keepAliveInitialDelay: 30_000
}

const listenFailed = (requested: Address, error: unknown): ListenFailed => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN"
  return new ListenFailed({
    ...requested,
    code,
    message: error instanceof Error ? error.message : String(error)
  })
}

const boundAddress = (server: Http.Server, requested: Address): Address => {
  const address = server.address()
  return address === null || typeof address === "string"
    ? requested
    : { host: address.address, port: address.port }
}

const makeServer = (server: Http.Server, address: Address, open: Set<Http.ServerResponse>): NodeServer => ({
  address,
  // The HTTP server's own close also destroys connections whose last reply is still on its way out.
  stopAccepting: Effect.sync(() => void Net.Server.prototype.close.call(server)),
  flushed: Effect.async<void>((resume) => {
    const ended = Array.from(open).filter((response) => response.writableEnded)
    let left = ended.length
    const closed = () => {
      left--
      if (left === 0) resume(Effect.void)
    }
    for (const response of ended) response.once("close", closed)
    if (left === 0) resume(Effect.void)
  }),
  closeConnections: Effect.sync(() => {
    server.close()
    server.closeIdleConnections()
    server.closeAllConnections()
  })
})

const onRequest = (handle: (request: HttpRequest) => void, open: Set<Http.ServerResponse>) => {
  function closed(this: Http.ServerResponse) {
    open.delete(this)
  }
  return (incoming: Http.IncomingMessage, response: Http.ServerResponse) => {
    open.add(response)
    response.on("close", closed).on("error", ignore)
    if (hasTwoHosts(incoming.rawHeaders)) {
      return decline(incoming, response, 400, ["Connection", "close"], twoHosts)
    }
    handle(new NodeRequest(incoming, response))
  }
}

class NodeRequest implements HttpRequest {
  readonly response: Http.ServerResponse
  private readonly incoming: Http.IncomingMessage

  constructor(incoming: Http.IncomingMessage, response: Http.ServerResponse) {
    this.incoming = incoming
    this.response = response
  }

  get header(): HttpRequest["header"] {
    const { headers } = this.incoming
    return (name) => {
      const value = headers[name]
      return typeof value === "string" ? value : undefined
    }
  }

  get method(): string {
    return this.incoming.method ?? ""
  }

  get target(): string {
    return this.incoming.url ?? ""
  }

  readBody(limitBytes: number, done: (body: Body) => void): void {
    ReadBody.read(this.incoming, declaredBytes(this.incoming), limitBytes, done)
  }

  decline(status: number, headers: Headers, text: string): void {
    decline(this.incoming, this.response, status, headers, text)
  }
}

/** RFC 9112, Request Target: a request with more than one Host is refused (MUST); the first would win otherwise. */
const hasTwoHosts = (rawHeaders: ReadonlyArray<string>): boolean => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === "host") count++
  }
  return count > 1
}

const twoHosts = encodeError(
  undefined,
  toErrorObject(new InvalidRequest({ detail: "Host header is there more than once" }), "modern")
)

/** A write after the end of a response is no event: its `close` tells all there is to know. */
const ignore = () => {}

/** 0 where the request does not say. */
const declaredBytes = (incoming: Http.IncomingMessage): number =>
  Number(incoming.headers["content-length"] ?? 0)

/** Up to this many bytes of unread body are thrown away to keep the connection. */
const skippedBytes = 64 * 1024

const lingerMillis = 2000

const decline = (
  incoming: Http.IncomingMessage,
  response: Http.ServerResponse,
  status: number,
  own: Headers,
  text: string
): void => {
  if (response.headersSent || response.destroyed) return
  const isLong =
    !incoming.complete &&
    (incoming.headers["transfer-encoding"] !== undefined || declaredBytes(incoming) > skippedBytes)
  const head = ["Content-Type", "application/json", "Content-Length", String(Buffer.byteLength(text)), ...own]
  if (isLong && !own.includes("Connection")) head.push("Connection", "close")
  response.writeHead(status, head)
  if (!isLong) {
    response.end(text)
    return
  }
  // Closing on a client that is still sending resets the connection, and the reply is lost with it. So the reply
  // goes out whole, and the connection closes when the client has left or has had the time to read.
  incoming.pause()
  response.write(text)
  const linger = setTimeout(() => response.end(), lingerMillis).unref()
  response.once("close", () => clearTimeout(linger))
}
