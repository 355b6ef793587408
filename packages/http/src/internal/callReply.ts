/**
 * The reply to one running call: one JSON body, unless a notification has to go out first, which turns the reply
 * into an event stream that the response ends. Nothing follows the end.
 */
import type { Reply } from "@pushbutton/server/Decision"
import type { Headers } from "../Admission.js"
import type { Response } from "./HttpRequest.js"
import { LazyStream, type Options } from "./LazyStream.js"
import type { Accepts } from "./mediaTypes.js"
import type { Destination } from "./RunningCalls.js"
import * as Replies from "./replies.js"

export const make = (options: Options): Destination => {
  const lazy = new LazyStream(options)
  return {
    outlet: lazy.outlet,
    settle: (reply) => {
      const { accepts, headers, response } = options
      const stream = lazy.finish()
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
