/** What single decisions come to: calls are started and cancelled, and their replies go where the caller says. */
import type { Call, Decision, SingleDecision } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"
import type { CallKey, Destination, RunningCalls } from "./RunningCalls.js"
import type * as Shared from "./Shared.js"

/** What runs in a session. */
export type Running = Pick<RunningCalls, "start" | "cancel">

/** Carries a decision out; only requests settle. Without `running` calls are on their own. */
export const perform = (
  shared: Shared.Shared,
  decision: SingleDecision,
  running: Running | undefined,
  destination: Destination
): void => {
  switch (decision._tag) {
    case "Reply":
      destination.settle(decision.reply)
      break
    case "Call":
      if (running === undefined) startAlone(shared, decision.call, destination)
      else running.start(decision.call, destination)
      break
    case "Cancel":
      cancel(shared, decision, running)
      break
    case "Drop":
      shared.run(Effect.logWarning("Input was dropped, since no request could be answered", decision.error))
      break
    case "Accept":
  }
}

/** Starts a call that belongs to no session. */
export const startAlone = (
  { inFlight }: Shared.Shared,
  call: Call,
  { outlet, settle }: Destination
): CallKey => {
  const key: CallKey = { id: call.id }
  inFlight.start(key, call, outlet, settle)
  return key
}

/** A modern client cancels by leaving; outside of a session this notification is only taken. */
export const cancel = (
  shared: Shared.Shared,
  { id, reason }: Extract<Decision, { _tag: "Cancel" }>,
  running: Running | undefined
): void => {
  if (running?.cancel(id) === true)
    shared.run(Effect.logDebug("A request was cancelled by its client", { reason }))
}
