/**
 * The reply to one running call: one JSON body, unless a notification has to go out first, which turns the reply
 * into an event stream that the response ends. Nothing follows the end.
 */
import * as Exchange from "./exchange.js"
import type { HttpSession } from "./HttpSession.js"
import { LazyStream } from "./LazyStream.js"
import type { Destination } from "./RunningCalls.js"
import * as Replies from "./replies.js"

export const make = (exchange: Exchange.Exchange, session: HttpSession | undefined): Destination => {
  const lazy = new LazyStream(exchange, session)
  return {
    outlet: lazy,
    settle: (reply) => {
      const stream = lazy.finish()
      if (stream !== undefined) stream.end(reply?.text, () => Replies.tooLongToKeep(exchange.id))
      else if (reply === undefined) Replies.noEvent(exchange.response, Exchange.headersOf(exchange))
      else Exchange.answer(exchange, reply)
    }
  }
}
