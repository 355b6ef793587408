/** Batches, which 2025-03-26 alone knows (basic/index: MUST be received there; other revisions: MUST NOT be sent). */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Negotiation from "@pushbutton/protocol/Negotiation"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as RequestHeaders from "@pushbutton/protocol/RequestHeaders"
import type { Decision, Facts, SingleDecision } from "../Decision.js"
import * as Replies from "./reply.js"

/** Decides for each message on its own, unless the batch as a whole is not for this peer. */
export const decide = (
  { messages }: JsonRpc.Batch,
  facts: Facts,
  decideOne: (message: JsonRpc.Message) => Decision
): Decision => {
  const problem = problemOf(messages, facts)
  if (problem !== undefined) {
    const error = new ProtocolError.InvalidRequest({ detail: problem })
    return Replies.answer({
      ...Replies.error(undefined, error, facts.session === undefined ? "modern" : "legacy"),
      status: 400
    })
  }
  return { _tag: "Batch", decisions: messages.map((message) => single(message, decideOne(message))) }
}

const problemOf = (messages: ReadonlyArray<JsonRpc.Message>, facts: Facts): string | undefined => {
  if (!knowsBatches(facts)) return "A message must be one object: batches are a feature of 2025-03-26 alone"
  if (messages.length === 0) return "A batch must hold a message"
  if (messages.length > JsonRpc.maxBatch)
    return `A batch must not hold more than ${JsonRpc.maxBatch} messages`
  if (messages.some(Negotiation.isModernClaim)) return "A message of 2026-07-28 must not be part of a batch"
  if (messages.some((message) => message._tag === "Request" && message.method === "initialize"))
    return "initialize must not be part of a batch"
  return undefined
}

/** Without a session, a request that names no revision counts as one of 2025-03-26 (2025-06-18, transports: SHOULD). */
const knowsBatches = ({ header, isSessionless, session }: Facts): boolean => {
  if (session !== undefined) return session.version === "2025-03-26"
  if (isSessionless !== true) return false
  const named = header?.(RequestHeaders.protocolVersion.toLowerCase())
  return named === undefined || RequestHeaders.trim(named) === "2025-03-26"
}

/** Neither a session nor a subscription is opened by what may be part of a batch. */
const single = (message: JsonRpc.Message, decision: Decision): SingleDecision => {
  switch (decision._tag) {
    case "Open":
    case "Listen":
    case "Batch":
      return {
        _tag: "Reply",
        reply: Replies.error(
          message._tag === "Request" ? message.id : undefined,
          new ProtocolError.InvalidRequest({ detail: "This must not be part of a batch" }),
          "legacy"
        )
      }
    default:
      return decision
  }
}
