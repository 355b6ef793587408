/**
 * Sends one request to addresses that were checked before, and to no other. It follows nothing, asks no proxy, and keeps
 * no connection.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Exchange from "../internal/httpExchange.js"
import type { Origin } from "./Origin.js"

export interface HttpRequest {
  readonly origin: Origin
  readonly method: string
  /** With its query, encoded. */
  readonly path: string
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body?: string | undefined
}

export interface HttpHead {
  readonly status: number
  readonly statusText: string
  readonly location: string | undefined
  readonly contentType: string | undefined
}

export interface Sending {
  readonly request: HttpRequest
  /** Tried in this order until one can be connected to. */
  readonly addresses: ReadonlyArray<string>
  /** Called once; whether the body is wanted. */
  readonly onHead: (head: HttpHead) => boolean
  /** Called for the decoded body; whether more of it is wanted. */
  readonly onBody: (chunk: Uint8Array) => boolean
}

/** No whole answer came. */
export class HttpUnreachable extends Data.TaggedError("HttpUnreachable")<{
  /** Such as `ECONNREFUSED`. */
  readonly code: string
}> {}

export class HttpClient extends Context.Tag("@pushbutton/buttons/http/HttpClient")<
  HttpClient,
  {
    /** Completes when no more is wanted or sent. However it ends, its connection is closed by then. */
    readonly send: (sending: Sending) => Effect.Effect<void, HttpUnreachable>
  }
>() {}

export interface Options {
  /** PEM certificates to trust in place of the system's. */
  readonly certificateAuthorities?: string | undefined
}

/** HTTP/1.1, also over TLS, where the certificate must be trusted and be that of the host's name. */
export const ofNode = (options: Options = {}): HttpClient["Type"] =>
  HttpClient.of({
    send: (sending) =>
      Exchange.send(sending, options.certificateAuthorities, (code) => new HttpUnreachable({ code }))
  })

export const layerTest = (
  send: (sending: Sending) => Effect.Effect<void, HttpUnreachable>
): Layer.Layer<HttpClient> => Layer.succeed(HttpClient, HttpClient.of({ send }))
