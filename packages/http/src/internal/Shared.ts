/** What the exchanges of one server share, and how an exchange that breaks is ended. */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { HeaderLookup } from "@pushbutton/protocol/RequestHeaders"
import type { Subscription } from "@pushbutton/server/Decision"
import type { Dispatcher } from "@pushbutton/server/Dispatcher"
import type { IdSource } from "@pushbutton/server/IdSource"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Headers } from "../Admission.js"
import type { Response } from "./HttpRequest.js"
import type { HttpSession } from "./HttpSession.js"
import type { Run } from "./Run.js"
import * as Replies from "./replies.js"
import type { SessionServices } from "./SessionServices.js"
import type { Sessions } from "./Sessions.js"

/** Reads from a request who has been verified to send it. */
export type PrincipalOf = (request: { readonly header: HeaderLookup }) => string | undefined

export interface Shared extends SessionServices {
  readonly dispatcher: Dispatcher["Type"]
  /** Those of Streamable HTTP. */
  readonly sessions: Sessions<HttpSession>
  readonly ids: IdSource["Type"]
  /** Whether legacy clients are served without sessions. */
  readonly isSessionless: boolean
  readonly hasSessions: boolean
  /** Who calls; undefined where nobody verifies that. */
  readonly principalOf: PrincipalOf | undefined
  /** What ends as soon as the server drains: subscriptions, and what sessions of HTTP+SSE are told and asked. */
  readonly subscriptions: Set<Pick<Subscription, "end">>
  readonly run: Run
  isDraining: boolean
}

/** The headers of a reply that begins at this moment: a server that drains keeps no connection. */
export const replyHeaders = (shared: Shared, headers: Headers): Headers =>
  shared.isDraining ? [...headers, "Connection", "close"] : headers

/** Ends an exchange after a defect: an internal error when nothing was sent, else a cut connection. Never throws. */
export const fail = (
  shared: Shared,
  response: Response,
  id: RequestId | undefined,
  headers: Headers,
  cause: Cause.Cause<unknown>
): void => {
  shared.run(Effect.logError("An HTTP exchange failed", cause))
  if (response.headersSent) {
    response.destroy()
    return
  }
  try {
    Replies.json(
      response,
      500,
      replyHeaders(shared, headers),
      Replies.errorText(id, new ProtocolError.InternalError())
    )
  } catch {
    // Not even the error could be written, so the connection is all that is left to end.
    response.destroy()
  }
}

/** Takes one step of an exchange; a defect ends the exchange and nothing else. */
export const guarded = (
  shared: Shared,
  response: Response,
  id: RequestId | undefined,
  headers: Headers,
  step: () => void
): void => {
  try {
    step()
  } catch (defect) {
    fail(shared, response, id, headers, Cause.die(defect))
  }
}
