/** One HTTP exchange: what is known of it, and how a step of it fails. */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { Reply } from "@pushbutton/server/Decision"
import type * as Cause from "effect/Cause"
import type { Headers } from "../Admission.js"
import type { HttpRequest, Response } from "./HttpRequest.js"
import type { HttpSession } from "./HttpSession.js"
import type { Accepts } from "./mediaTypes.js"
import * as Replies from "./replies.js"
import * as Shared from "./Shared.js"

export interface Exchange {
  readonly shared: Shared.Shared
  readonly header: HttpRequest["header"]
  readonly response: Response
  readonly accepts: Accepts
  readonly headers: Headers
  readonly principal: string | undefined
  /** Of the request that is answered, where there is one. */
  readonly id: RequestId | undefined
}

export const headersOf = ({ headers, shared }: Exchange): Headers => Shared.replyHeaders(shared, headers)

export const answer = (exchange: Exchange, reply: Reply, own?: Headers): void => {
  const headers = headersOf(exchange)
  Replies.answer(
    exchange.response,
    exchange.accepts,
    own === undefined ? headers : [...headers, ...own],
    reply
  )
}

export const refuse = (exchange: Exchange, status: number, error: ProtocolError.ProtocolError): void =>
  Replies.json(exchange.response, status, headersOf(exchange), Replies.errorText(exchange.id, error))

export const sessionNotFound = (exchange: Exchange): void => {
  const error = new ProtocolError.SessionNotFound()
  refuse(exchange, ProtocolError.toHttpStatus(error, "legacy"), error)
}

/** Goes on in the session of this id, if the caller has it. */
export const withSession = (
  exchange: Exchange,
  sessionId: string,
  next: (session: HttpSession) => void
): void =>
  guarded(exchange, () => {
    const session = exchange.shared.sessions.find(sessionId, exchange.principal)
    if (session === undefined) sessionNotFound(exchange)
    else next(session)
  })

export const fail = (exchange: Exchange, cause: Cause.Cause<unknown>): void =>
  Shared.fail(exchange.shared, exchange.response, exchange.id, exchange.headers, cause)

/** Takes a step; a defect of it ends the exchange. */
export const guarded = (exchange: Exchange, step: () => void): void =>
  Shared.guarded(exchange.shared, exchange.response, exchange.id, exchange.headers, step)
