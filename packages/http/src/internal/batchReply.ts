/**
 * The reply to a batch of 2025-03-26: one array of responses, unless something has to go out ahead of them. Then each
 * response is an event of its own, sent as soon as it is there, and the last one ends the stream.
 */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import { BatchReplies } from "@pushbutton/server/BatchReplies"
import type { SingleDecision } from "@pushbutton/server/Decision"
import * as Exchange from "./exchange.js"
import type { HttpSession } from "./HttpSession.js"
import { LazyStream } from "./LazyStream.js"
import type { Destination } from "./RunningCalls.js"
import * as Replies from "./replies.js"

export interface BatchReply {
  /** Whether nothing is to be answered. */
  readonly isDone: boolean
  /** Where the reply goes that one of the decisions comes to. */
  readonly to: (decision: SingleDecision) => Destination
}

export const make = (
  exchange: Exchange.Exchange,
  session: HttpSession | undefined,
  decisions: ReadonlyArray<SingleDecision>
): BatchReply => {
  const replies = new BatchReplies(decisions)

  const lazy = new LazyStream(exchange, session, (stream) => {
    for (const text of replies.take()) stream.add(text)
  })

  const end = () => {
    const { accepts, response } = exchange
    const headers = Exchange.headersOf(exchange)
    const stream = lazy.finish()
    if (stream !== undefined) return stream.end()
    const texts = replies.take()
    if (texts.length === 0) Replies.noEvent(response, headers)
    else if (accepts.json) Replies.json(response, 200, headers, JsonRpc.encodeBatch(texts))
    else Replies.events(response, headers, texts)
  }

  return {
    isDone: replies.isDone,
    to: (decision) => ({
      outlet: lazy,
      settle: (reply) => {
        const { opened } = lazy
        replies.settle(decision, reply)
        for (const text of opened === undefined ? [] : replies.take()) opened?.add(text, insteadOf(decision))
        if (replies.isDone) end()
      }
    })
  }
}

const insteadOf = (decision: SingleDecision): (() => string) | undefined =>
  decision._tag === "Call" ? () => Replies.tooLongToKeep(decision.call.id) : undefined
