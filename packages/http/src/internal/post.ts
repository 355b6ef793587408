/**
 * One POST: its message is decoded, its session looked up, its decision carried out. What the body claims comes
 * before the session header, which a modern message has no use for.
 */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Negotiation from "@pushbutton/protocol/Negotiation"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { Call, Listen, SingleDecision } from "@pushbutton/server/Decision"
import { type Headers, namesModernVersion, namesUnknownVersion, unknownVersion } from "../Admission.js"
import * as BatchReply from "./batchReply.js"
import * as CallReply from "./callReply.js"
import * as Calls from "./calls.js"
import * as Exchange from "./exchange.js"
import type { HttpRequest } from "./HttpRequest.js"
import type { HttpSession } from "./HttpSession.js"
import * as ListenReply from "./listenReply.js"
import type { Accepts } from "./mediaTypes.js"
import type { Destination } from "./RunningCalls.js"
import * as Replies from "./replies.js"
import type * as Shared from "./Shared.js"
import * as SessionExchanges from "./sessionExchanges.js"

interface Post extends Exchange.Exchange {
  readonly message: JsonRpc.Incoming
}

/** Serves the message of a POST. */
export const serve = (
  shared: Shared.Shared,
  request: HttpRequest,
  accepts: Accepts,
  headers: Headers,
  text: string
): void => {
  const { header, response } = request
  const message = JsonRpc.decode(text)
  const post: Post = {
    shared,
    header,
    response,
    accepts,
    headers,
    principal: shared.principalOf?.(request),
    id: message._tag === "Request" ? message.id : undefined,
    message
  }
  const sessionId = shared.hasSessions ? header("mcp-session-id") : undefined
  if (isStateless(message, header)) Exchange.guarded(post, () => carryOut(post, undefined))
  else if (sessionId === undefined) Exchange.guarded(post, () => sessionless(post))
  else Exchange.withSession(post, sessionId, (session) => versionChecked(post, session))
}

/** A message that no session can be meant for, whatever its session header says (2026-07-28, streamable-http: SHOULD). */
const isStateless = (message: JsonRpc.Incoming, header: HttpRequest["header"]): boolean =>
  message._tag === "Malformed" ||
  (message._tag !== "Batch" && Negotiation.isModernClaim(message)) ||
  namesModernVersion(header)

/** A client that names a legacy revision where those have sessions has lost its own (2025-11-25, transports: SHOULD). */
const sessionless = (post: Post): void => {
  const { header, message, shared } = post
  const lacksSession = shared.hasSessions && header("mcp-protocol-version") !== undefined
  if (message._tag !== "Request" && lacksSession && !namesUnknownVersion(header))
    Exchange.refuse(post, 400, new ProtocolError.SessionRequired())
  else versionChecked(post, undefined)
}

/** Negotiation judges the version of a request. */
const versionChecked = (post: Post, session: HttpSession | undefined): void => {
  if (post.message._tag !== "Request" && namesUnknownVersion(post.header)) {
    const error = new ProtocolError.InvalidRequest({ detail: unknownVersion })
    Exchange.refuse(post, 400, error)
  } else carryOut(post, session)
}

const carryOut = (post: Post, session: HttpSession | undefined): void => {
  const { header, message, principal, response, shared } = post
  const { isSessionless } = shared
  const decision = shared.dispatcher.decide(message, {
    header,
    session: session?.legacy,
    isSessionless,
    principal
  })
  switch (decision._tag) {
    case "Reply":
      Exchange.answer(post, decision.reply)
      break
    case "Open":
      SessionExchanges.open(post, decision)
      break
    case "Call":
      startCall(post, decision.call, session)
      break
    case "Listen":
      startListening(post, decision.listen)
      break
    case "Cancel":
      Calls.cancel(shared, decision, session)
      Replies.accepted(response, Exchange.headersOf(post))
      break
    case "Accept":
      Replies.accepted(response, Exchange.headersOf(post))
      break
    case "Drop":
      Exchange.refuse(post, 400, decision.error)
      break
    case "Batch":
      startBatch(post, decision.decisions, session)
  }
}

const startCall = (post: Post, call: Call, session: HttpSession | undefined): void => {
  const { response, shared } = post
  const isModern = call.era === "modern"
  if (isModern && response.destroyed) return
  const reply = guardedReply(post, CallReply.make(post, session))
  if (session !== undefined) return session.start(call, reply)
  const key = Calls.startAlone(shared, call, reply)
  // A legacy client that leaves has not cancelled (2025-11-25, transports: SHOULD NOT); a modern one has (MUST).
  if (isModern && shared.inFlight.has(key)) response.on("close", () => void shared.inFlight.cancel(key))
}

/** A client that leaves has cancelled nothing: a batch is of a legacy revision. */
const startBatch = (
  post: Post,
  decisions: ReadonlyArray<SingleDecision>,
  session: HttpSession | undefined
): void => {
  const { response, shared } = post
  const reply = BatchReply.make(post, session, decisions)
  for (const decision of decisions)
    Calls.perform(shared, decision, session, guardedReply(post, reply.to(decision)))
  if (!reply.isDone) return
  const dropped = decisions.find((decision) => decision._tag === "Drop")
  if (dropped === undefined) Replies.accepted(response, Exchange.headersOf(post))
  else Exchange.refuse(post, 400, dropped.error)
}

const guardedReply = (post: Post, { outlet, settle }: Destination): Destination => ({
  outlet,
  settle: (reply) => Exchange.guarded(post, () => settle(reply))
})

const startListening = (post: Post, listen: Listen): void => {
  const { accepts, headers, response, shared } = post
  if (response.destroyed) return
  if (accepts.sse) ListenReply.start(shared, response, headers, listen)
  else
    Exchange.refuse(
      post,
      406,
      new ProtocolError.InvalidRequest({ detail: "Accept has to allow text/event-stream" })
    )
}
