/** What single decisions come to: calls are started and cancelled, and their replies go where the caller says. */
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { Call, Decision, Outlet, Reply, SingleDecision } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"
import type { HttpSession } from "./HttpSession.js"
import * as Shared from "./Shared.js"

/** Where the reply to one request goes, and what precedes it. */
export interface Destination {
  readonly outlet: Outlet
  /** Called once for each request; undefined: it was cancelled, so no response is due. */
  readonly settle: (reply: Reply | undefined) => void
}

/** Carries a decision out; only requests settle. */
export const perform = (
  shared: Shared.Shared,
  decision: SingleDecision,
  session: HttpSession | undefined,
  destination: Destination
): void => {
  switch (decision._tag) {
    case "Reply":
      destination.settle(decision.reply)
      break
    case "Call":
      start(shared, decision.call, session, destination)
      break
    case "Cancel":
      cancel(shared, decision, session)
      break
    case "Accept":
  }
}

/** Gives the key of the call while it runs. */
export const start = (
  shared: Shared.Shared,
  call: Call,
  session: HttpSession | undefined,
  { outlet, settle }: Destination
): Shared.CallKey | undefined => {
  const key: Shared.CallKey = { id: call.id }
  if (session !== undefined && !session.enter(call.id, key)) {
    settle(call.refuse(new ProtocolError.RequestInFlight({ id: call.id })))
    return undefined
  }
  let isRunning = true
  let isHeld = false
  const leave = () => {
    isRunning = false
    if (session === undefined) return
    session.leave(call.id)
    if (isHeld) shared.run(shared.sessions.release(session.id), Shared.ignore)
  }
  try {
    shared.inFlight.start(key, call, outlet, (reply) => {
      leave()
      settle(reply)
    })
  } catch (defect) {
    leave()
    throw defect
  }
  if (!isRunning) return undefined
  if (session === undefined) return key
  isHeld = true
  shared.run(shared.sessions.hold(session.id), Shared.ignore)
  return key
}

/** A modern client cancels by leaving; outside of a session this notification is only taken. */
export const cancel = (
  shared: Shared.Shared,
  { id, reason }: Extract<Decision, { _tag: "Cancel" }>,
  session: HttpSession | undefined
): void => {
  const key = session?.find(id)
  if (key === undefined || !shared.inFlight.cancel(key)) return
  shared.run(Effect.logDebug("A request was cancelled by its client", { reason }), Shared.ignore)
}
