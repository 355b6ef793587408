/** Batches, which 2025-03-26 alone knows (basic/index: MUST be received there; other revisions: MUST NOT be sent). */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Negotiation from "@pushbutton/protocol/Negotiation"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as RequestHeaders from "@pushbutton/protocol/RequestHeaders"
import * as BatchReplies from "../BatchReplies.js"
import type { Decision, Facts, SingleDecision } from "../Decision.js"
import * as Malformed from "./malformed.js"
import * as Replies from "./reply.js"

/** Decides for each message on its own, unless the batch as a whole is not for this peer. */
export const decide = (
  { messages }: JsonRpc.Batch,
  facts: Facts,
  decideOne: (message: JsonRpc.Message) => Decision
): Decision => {
  const problem = problemOf(messages, facts)
  if (problem !== undefined) {
    return Malformed.withoutId(new ProtocolError.InvalidRequest({ detail: problem }), facts)
  }
  let room = BatchReplies.maxLength
  const decisions = messages.map((message): SingleDecision => {
    const decision = single(message, decideOne)
    if (decision._tag !== "Reply") return decision
    room -= decision.reply.text.length
    return room >= 0
      ? decision
      : refuse(message, new ProtocolError.BatchTooLong({ limit: BatchReplies.maxLength }))
  })
  return { _tag: "Batch", decisions }
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

/**
 * What is answered here has an id: an error without one is no message of this revision. Neither a session nor a
 * subscription is opened by what may be part of a batch.
 */
const single = (
  message: JsonRpc.Message,
  decideOne: (message: JsonRpc.Message) => Decision
): SingleDecision => {
  if (message._tag === "Malformed" && message.id === undefined) return { _tag: "Drop", error: message.error }
  const decision = decideOne(message)
  const isSingle = decision._tag !== "Open" && decision._tag !== "Listen" && decision._tag !== "Batch"
  return isSingle ? decision : refuse(message, new ProtocolError.InvalidRequest({ detail: notInBatch }))
}

const notInBatch = "This must not be part of a batch"

const refuse = (message: JsonRpc.Message, error: ProtocolError.ProtocolError): SingleDecision =>
  message._tag === "Request"
    ? { _tag: "Reply", reply: Replies.error(message.id, error, "legacy") }
    : { _tag: "Drop", error }
