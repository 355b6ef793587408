/**
 * The reply to one running call: one JSON body, unless a notification has to go out first, which turns the reply
 * into an event stream that the response ends. Nothing follows the end.
 */
import type { Outlet, Reply } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"
import type { Headers } from "../Admission.js"
import type { Response } from "./HttpRequest.js"
import type { Accepts } from "./mediaTypes.js"
import * as Replies from "./replies.js"
import * as SseStream from "./SseStream.js"

export interface CallReply {
  readonly outlet: Outlet
  /** Undefined: cancelled, so the exchange ends without a response. */
  readonly end: (reply: Reply | undefined) => void
}

export interface Options {
  readonly response: Response
  readonly accepts: Accepts
  /** Read when the reply begins. */
  readonly headers: () => Headers
  /** The open streams of this server. */
  readonly streams: Set<SseStream.SseStream>
}

export const make = ({ accepts, headers, response, streams }: Options): CallReply => {
  let stream: SseStream.SseStream | undefined
  let isEnded = false

  const open = (): SseStream.SseStream => {
    const opened = SseStream.open(response, headers(), () => streams.delete(opened))
    streams.add(opened)
    return opened
  }

  return {
    outlet: {
      notify: (message) =>
        Effect.suspend(() => {
          // A client that takes no event stream still gets its response.
          if (isEnded || !accepts.sse || response.destroyed) return Effect.void
          stream ??= open()
          return stream.send(message)
        })
    },
    end: (reply) => {
      if (isEnded) return
      isEnded = true
      if (stream !== undefined) stream.end(reply?.text)
      else if (reply === undefined) Replies.noEvent(response, headers())
      else answer(response, accepts, headers(), reply)
    }
  }
}

/** A refusal is JSON whatever the client takes: its status already says that no stream follows. */
export const answer = (response: Response, accepts: Accepts, headers: Headers, reply: Reply): void => {
  if (accepts.json || reply.status !== 200) Replies.json(response, reply.status, headers, reply.text)
  else Replies.oneEvent(response, headers, reply.text)
}
