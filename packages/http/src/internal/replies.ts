/** The kinds of reply, each written at once. None touches a response that has begun or has lost its client. */
import { Buffer } from "node:buffer"
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { Reply } from "@pushbutton/server/Decision"
import type { Headers } from "../Admission.js"
import type { Response } from "./HttpRequest.js"
import type { Accepts } from "./mediaTypes.js"
import * as SseStream from "./SseStream.js"

export const json = (response: Response, status: number, headers: Headers, text: string): void =>
  whole(response, status, jsonType, headers, text)

const jsonType: Headers = ["Content-Type", "application/json"]

/** An event stream of one message, for clients that take nothing else. */
export const oneEvent = (response: Response, headers: Headers, text: string): void =>
  events(response, headers, [text])

/** The same for several messages. */
export const events = (response: Response, headers: Headers, texts: ReadonlyArray<string>): void =>
  wholeStream(response, headers, texts.map((text) => SseStream.event(text)).join(""))

/** A refusal is JSON whatever the client takes: its status already says that no stream follows. */
export const answer = (response: Response, accepts: Accepts, headers: Headers, reply: Reply): void => {
  if (accepts.json || reply.status !== 200) json(response, reply.status, headers, reply.text)
  else oneEvent(response, headers, reply.text)
}

/** An event stream that has ended, from what is written as events already. */
export const wholeStream = (response: Response, headers: Headers, text: string): void =>
  whole(response, 200, SseStream.headers, headers, text)

/**
 * An event stream without events. It ends a legacy request that its client cancelled: no response is due, but
 * the HTTP exchange needs one of the two reply types.
 */
export const noEvent = (response: Response, headers: Headers): void => wholeStream(response, headers, "")

export const accepted = (response: Response, headers: Headers): void => whole(response, 202, [], headers, "")

/** 204 has no length: it has no body by definition. */
export const noContent = (response: Response, headers: Headers): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(204, [...headers])
  response.end()
}

/**
 * A refusal as one JSON-RPC error, without an id where the request has none that is known. What a transport refuses
 * reads the same in both eras.
 */
export const errorText = (id: RequestId | undefined, error: ProtocolError.ProtocolError): string =>
  JsonRpc.encodeError(id, ProtocolError.toErrorObject(error, "modern"))

/** What a client that comes back for a response finds where that was too long to be kept for it. */
export const tooLongToKeep = (id: RequestId | undefined): string =>
  errorText(
    id,
    new ProtocolError.HandlerFailed({
      detail: "The response was too long to be kept for a client that comes back: keep the connection"
    })
  )

const whole = (response: Response, status: number, type: Headers, headers: Headers, text: string): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, [...type, ...headers, "Content-Length", String(Buffer.byteLength(text))])
  response.end(text)
}
