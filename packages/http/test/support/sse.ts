/** Clients of HTTP+SSE, as far as a test needs them. */
import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Client from "./client.js"
import type { Json } from "./json.js"

export interface SseClient {
  /** What the `endpoint` event names, as it was sent, and the URL that it is. */
  readonly reference: string
  readonly messages: string
  /** Posts a message, or a text as it is. */
  readonly post: (message: unknown, headers?: Record<string, string>) => Effect.Effect<Client.Answer, Error>
  /** Posts messages in turn, each of which has to be accepted. */
  readonly tell: (...messages: ReadonlyArray<unknown>) => Effect.Effect<void, Error>
  /** The next message on the stream. */
  readonly next: Effect.Effect<Json>
  readonly answerTo: (id: string | number) => Effect.Effect<Json>
  /** All messages that were taken so far. */
  readonly taken: ReadonlyArray<Json>
  /** Completes when the server has ended the stream. */
  readonly ended: Effect.Effect<string>
  readonly response: IncomingMessage
}

/** `own` headers go with all requests; the marker goes with the stream. */
export const connect = (
  url: string,
  own: Record<string, string> = {},
  marker = ""
): Effect.Effect<SseClient, Error, Scope.Scope> =>
  Effect.gen(function* () {
    const {
      next: event,
      response,
      rest
    } = yield* Client.stream({
      url,
      method: "GET",
      headers: { accept: "text/event-stream", "x-marker": marker, ...own }
    })
    const [kind, data = ""] = (yield* event).split("\ndata: ")
    if (kind !== "event: endpoint") return yield* Effect.dieMessage(`the first event is ${kind}`)
    const messages = new URL(data, url).href
    const taken: Array<Json> = []
    const post: SseClient["post"] = (message, headers = {}) =>
      Client.send({
        url: messages,
        headers: { "content-type": "application/json", ...own, ...headers },
        body: typeof message === "string" ? message : JSON.stringify(message)
      })
    const next = Effect.map(Effect.repeat(event, { until: (text) => !text.startsWith(":") }), (text) => {
      const [name, json = ""] = text.split("\ndata: ")
      if (name !== "event: message") throw new Error(`a strange event: ${text}`)
      taken.push(JSON.parse(json))
      return taken.at(-1)
    })
    return {
      reference: data,
      messages,
      post,
      tell: (...sent) =>
        Effect.forEach(
          sent,
          (message) =>
            Effect.filterOrDieMessage(
              post(message),
              ({ status }) => status === 202,
              "a message was not accepted"
            ),
          { discard: true }
        ),
      next,
      answerTo: (id) => Effect.repeat(next, { until: (message) => message.id === id }),
      taken,
      ended: rest,
      response
    }
  })

/** A client that has shaken hands. */
export const connectLegacy = (
  url: string,
  version = "2024-11-05",
  capabilities: object = {},
  own: Record<string, string> = {},
  marker = ""
) =>
  Effect.gen(function* () {
    const client = yield* connect(url, own, marker)
    yield* client.tell(initialize(version, capabilities), notification("notifications/initialized"))
    yield* client.answerTo("init")
    return client
  })

export const request = (id: string | number, method: string, params?: object) => ({
  jsonrpc: "2.0",
  id,
  method,
  params
})
export const notification = (method: string, params?: object) => ({ jsonrpc: "2.0", method, params })
export const initialize = (protocolVersion: string, capabilities: object = {}) =>
  request("init", "initialize", { protocolVersion, capabilities, clientInfo: { name: "peer", version: "1" } })
export const cancel = (requestId: unknown) => notification("notifications/cancelled", { requestId })
export const call = (id: string | number, name: string, args: object = {}, meta?: object) =>
  request(id, "tools/call", { name, arguments: args, ...(meta && { _meta: meta }) })
