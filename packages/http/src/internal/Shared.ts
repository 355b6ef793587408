/** What the exchanges of one server share, and how an exchange that breaks is ended. */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { HeaderLookup } from "@pushbutton/protocol/RequestHeaders"
import type { Subscription } from "@pushbutton/server/Decision"
import type { Dispatcher } from "@pushbutton/server/Dispatcher"
import type { InFlight } from "@pushbutton/server/InFlight"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { Headers } from "../Admission.js"
import type { Sessions } from "../Sessions.js"
import type { Response } from "./HttpRequest.js"
import type { Host as SessionHost } from "./HttpSession.js"
import * as Replies from "./replies.js"
import type { SseStream } from "./SseStream.js"

/** Runs an effect; `done` is called once, before this returns when the effect has nothing to wait for. */
export type Run = <A>(effect: Effect.Effect<A>, done: (exit: Exit.Exit<A>) => void) => void

/** Names a call in flight by identity: the ids of different clients may be equal. */
export interface CallKey {
  readonly id: RequestId
}

/** Reads from a request who has been verified to send it. */
export type PrincipalOf = (request: { readonly header: HeaderLookup }) => string | undefined

export interface Shared {
  readonly dispatcher: Dispatcher["Type"]
  readonly sessions: Sessions["Type"]
  readonly inFlight: InFlight<CallKey>
  /** What sessions of Streamable HTTP share. */
  readonly sessionHost: SessionHost
  /** Whether legacy clients are served without sessions. */
  readonly isSessionless: boolean
  readonly hasSessions: boolean
  /** Who calls; undefined where nobody verifies that. */
  readonly principalOf: PrincipalOf | undefined
  /** The event streams that are open. */
  readonly streams: Set<SseStream>
  /** What ends as soon as the server drains: subscriptions, and what sessions of HTTP+SSE are told and asked. */
  readonly subscriptions: Set<Pick<Subscription, "end">>
  readonly run: Run
  isDraining: boolean
}

export const ignore = (): void => {}

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
  shared.run(Effect.logError("An HTTP exchange failed", cause), ignore)
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
