/**
 * One POST: its message is decoded, its session looked up, its decision carried out. What the body claims comes
 * before the session header, which a modern message has no use for.
 */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Negotiation from "@pushbutton/protocol/Negotiation"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { Call, Decision, Listen, Reply } from "@pushbutton/server/Decision"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { type Headers, namesModernVersion } from "../Admission.js"
import * as CallReply from "./callReply.js"
import type { HttpRequest, Response } from "./HttpRequest.js"
import * as ListenReply from "./listenReply.js"
import type { Accepts } from "./mediaTypes.js"
import * as Replies from "./replies.js"
import * as Shared from "./Shared.js"

interface Exchange {
  readonly shared: Shared.Shared
  readonly header: HttpRequest["header"]
  readonly response: Response
  readonly accepts: Accepts
  readonly headers: Headers
  readonly message: JsonRpc.Incoming
}

/** The legacy session a message came in. */
interface Peer {
  readonly sessionId: string
  readonly session: LegacySession
}

/** Serves the message of a POST. */
export const post = (
  shared: Shared.Shared,
  request: HttpRequest,
  accepts: Accepts,
  headers: Headers,
  text: string
): void => {
  const { header, response } = request
  const message = JsonRpc.decode(text)
  const exchange: Exchange = { shared, header, response, accepts, headers, message }
  const sessionId = header("mcp-session-id")
  if (sessionId === undefined || !shared.dispatcher.servesLegacy || isStateless(message, header))
    guarded(exchange, () => carryOut(exchange, undefined))
  else inSession(exchange, sessionId)
}

/** Ends a session and what runs in it. */
export const closeSession = (
  shared: Shared.Shared,
  response: Response,
  headers: Headers,
  sessionId: string
): void =>
  shared.run(shared.sessions.close(sessionId), (exit) =>
    Shared.guarded(shared, response, undefined, headers, () => {
      if (exit._tag === "Failure") Shared.fail(shared, response, undefined, headers, exit.cause)
      else if (!exit.value) sessionNotFound(response, undefined, Shared.replyHeaders(shared, headers))
      else {
        for (const key of shared.sessionRequests.all(sessionId)) shared.inFlight.cancel(key)
        Replies.noContent(response, Shared.replyHeaders(shared, headers))
      }
    })
  )

/** A message that no session can be meant for, whatever its session header says (2026-07-28, streamable-http: SHOULD). */
const isStateless = (message: JsonRpc.Incoming, header: HttpRequest["header"]): boolean =>
  message._tag === "Malformed" ||
  (message._tag !== "Batch" && Negotiation.isModernClaim(message)) ||
  namesModernVersion(header)

const inSession = (exchange: Exchange, sessionId: string): void =>
  withResult(exchange, exchange.shared.sessions.find(sessionId), (found) => {
    if (Option.isSome(found)) carryOut(exchange, { sessionId, session: found.value })
    else sessionNotFound(exchange.response, idOf(exchange), headersOf(exchange))
  })

const carryOut = (exchange: Exchange, peer: Peer | undefined): void => {
  const { header, message, response, shared } = exchange
  const decision = shared.dispatcher.decide(message, { header, session: peer?.session })
  switch (decision._tag) {
    case "Reply":
      answer(exchange, decision.reply)
      break
    case "Open":
      openSession(exchange, decision)
      break
    case "Call":
      startCall(exchange, decision.call, peer)
      break
    case "Listen":
      startListening(exchange, decision.listen)
      break
    case "Cancel":
      // A modern client cancels by leaving; there this notification is only taken.
      if (peer !== undefined) cancel(shared, peer.sessionId, decision)
      Replies.accepted(response, headersOf(exchange))
      break
    case "Accept":
    case "Batch":
      Replies.accepted(response, headersOf(exchange))
  }
}

const openSession = (exchange: Exchange, { reply, session }: Extract<Decision, { _tag: "Open" }>): void =>
  withResult(exchange, exchange.shared.sessions.open(session), (sessionId) =>
    answer(exchange, reply, ["Mcp-Session-Id", sessionId])
  )

const cancel = (
  shared: Shared.Shared,
  sessionId: string,
  { id, reason }: Extract<Decision, { _tag: "Cancel" }>
): void => {
  const key = shared.sessionRequests.find(sessionId, id)
  if (key === undefined || !shared.inFlight.cancel(key)) return
  shared.run(Effect.logDebug("A request was cancelled by its client", { reason }), Shared.ignore)
}

const startCall = (exchange: Exchange, call: Call, peer: Peer | undefined): void => {
  const { accepts, response, shared } = exchange
  const isModern = call.era === "modern"
  if (isModern && response.destroyed) return
  const key: Shared.CallKey = { id: call.id }
  if (peer !== undefined && !shared.sessionRequests.enter(peer.sessionId, call.id, key)) {
    answer(exchange, call.refuse(new ProtocolError.RequestInFlight({ id: call.id })))
    return
  }
  const reply = CallReply.make({
    response,
    accepts,
    headers: () => headersOf(exchange),
    streams: shared.streams
  })
  let isRunning = true
  let isHeld = false
  const leave = () => {
    isRunning = false
    if (peer === undefined) return
    shared.sessionRequests.leave(peer.sessionId, call.id)
    if (isHeld) shared.run(shared.sessions.release(peer.sessionId), Shared.ignore)
  }
  const settle = (outcome: Reply | undefined) => {
    leave()
    guarded(exchange, () => reply.end(outcome))
  }
  try {
    shared.inFlight.start(key, call, reply.outlet, settle)
  } catch (defect) {
    leave()
    throw defect
  }
  if (!isRunning) return
  // A legacy client that leaves has not cancelled (2025-11-25, transports: SHOULD NOT); a modern one has (MUST).
  if (isModern) response.on("close", () => void shared.inFlight.cancel(key))
  if (peer === undefined) return
  isHeld = true
  shared.run(shared.sessions.hold(peer.sessionId), Shared.ignore)
}

const startListening = ({ accepts, headers, response, shared }: Exchange, listen: Listen): void => {
  if (response.destroyed) return
  if (accepts.sse) return ListenReply.start(shared, response, headers, listen)
  const error = new ProtocolError.InvalidRequest({ detail: "Accept has to allow text/event-stream" })
  Replies.json(response, 406, Shared.replyHeaders(shared, headers), Replies.errorText(listen.id, error))
}

const answer = (exchange: Exchange, reply: Reply, own: Headers = []): void =>
  CallReply.answer(exchange.response, exchange.accepts, [...headersOf(exchange), ...own], reply)

const sessionNotFound = (response: Response, id: JsonRpc.RequestId | undefined, headers: Headers): void => {
  const error = new ProtocolError.SessionNotFound()
  Replies.json(response, ProtocolError.toHttpStatus(error, "legacy"), headers, Replies.errorText(id, error))
}

const headersOf = ({ headers, shared }: Exchange): Headers => Shared.replyHeaders(shared, headers)

const idOf = ({ message }: Exchange): JsonRpc.RequestId | undefined =>
  message._tag === "Request" ? message.id : undefined

/** Goes on with what an effect gives; a failure of it, or of what follows, ends the exchange. */
const withResult = <A>(exchange: Exchange, effect: Effect.Effect<A>, next: (value: A) => void): void =>
  exchange.shared.run(effect, (exit: Exit.Exit<A>) =>
    exit._tag === "Success"
      ? guarded(exchange, () => next(exit.value))
      : Shared.fail(exchange.shared, exchange.response, idOf(exchange), exchange.headers, exit.cause)
  )

const guarded = (exchange: Exchange, step: () => void): void =>
  Shared.guarded(exchange.shared, exchange.response, idOf(exchange), exchange.headers, step)
