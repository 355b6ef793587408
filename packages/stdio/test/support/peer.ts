/** Peers on in-memory pipes, each with a transport of its own, all on one server. */
import { Buffer } from "node:buffer"
import { PassThrough } from "node:stream"
import type { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"

export type Id = string | number

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any shape, and a wrong look fails the test.
export type Json = any

export interface Peer {
  /** Writes texts and bytes as they are, and all else as JSON. */
  readonly write: (...sent: ReadonlyArray<unknown>) => Effect.Effect<void>
  readonly next: Effect.Effect<Json>
  /** The next message that answers this request; those before it are in `lines`. */
  readonly answerTo: (id: Id) => Effect.Effect<Json>
  /** All that was written to the peer so far, decoded. */
  readonly lines: ReadonlyArray<Json>
  readonly hangUp: Effect.Effect<void>
  readonly ended: Effect.Effect<void>
  /** Closes the transport from the server's side. */
  readonly close: Effect.Effect<void>
}

export const connect = (
  server: Context.Context<Dispatcher>,
  options: StdioTransport.Options = {}
): Effect.Effect<Peer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    const input = new PassThrough()
    const output = new PassThrough()
    const lines: Array<Json> = []
    const messages = yield* Queue.unbounded<Json>()
    let rest = ""
    output.setEncoding("utf8").on("data", (text: string) => {
      const parts = (rest + text).split("\n")
      rest = parts.pop() ?? ""
      for (const part of parts) {
        lines.push(JSON.parse(part))
        Queue.unsafeOffer(messages, JSON.parse(part))
      }
    })
    const transport = yield* Layer.buildWithScope(
      Layer.provide(StdioTransport.layer({ input, output, ...options }), Layer.succeedContext(server)),
      scope
    )
    const next = Queue.take(messages)
    return {
      write: (...sent) =>
        Effect.sync(() => {
          for (const one of sent) {
            input.write(typeof one === "string" || Buffer.isBuffer(one) ? one : JSON.stringify(one))
            input.write("\n")
          }
        }),
      next,
      answerTo: (id) => Effect.repeat(next, { until: (message) => message.id === id }),
      lines,
      hangUp: Effect.sync(() => void input.end()),
      ended: Context.get(transport, StdioTransport.StdioTransport).ended,
      close: Scope.close(scope, Exit.void)
    }
  })

/** A peer that has shaken hands; its first message answers that. */
export const connectLegacy = (
  server: Context.Context<Dispatcher>,
  version: string,
  options: StdioTransport.Options = {}
) =>
  Effect.gen(function* () {
    const peer = yield* connect(server, options)
    yield* peer.write(initialize(version), initialized)
    yield* peer.answerTo("init")
    return peer
  })

export const request = (id: Id, method: string, params?: object) => ({ jsonrpc: "2.0", id, method, params })
export const notification = (method: string, params?: object) => ({ jsonrpc: "2.0", method, params })

export const initialize = (protocolVersion: string, capabilities: object = {}, id: Id = "init") =>
  request(id, "initialize", { protocolVersion, capabilities, clientInfo: { name: "peer", version: "1" } })
export const initialized = notification("notifications/initialized")

export const cancel = (requestId: unknown) => notification("notifications/cancelled", { requestId })

/** A request of 2026-07-28. */
export const modern = (id: Id, method: string, params: object = {}, capabilities: object = {}) =>
  request(id, method, {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": capabilities
    }
  })

export const legacyVersions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const
