/**
 * Lets a client of 2025-11-25 poll for the response of a long call instead of keeping a connection open (SEP-1699).
 * Later revisions have tasks for that.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { releasing } from "./internal/releasing.js"
import { RequestContext } from "./RequestContext.js"

export interface Release {
  /** How long the client is asked to wait until it comes back; in whole milliseconds, up to 24 days. */
  readonly retryAfter: Duration.DurationInput
}

/**
 * Ends the connection that waits for the response, while the call goes on; its client comes back for what follows,
 * within the bounds of the transport's event store. Does nothing where there is no such connection, or where a client
 * could not come back: on stdio, on other revisions, and without sessions.
 */
export const release = ({ retryAfter }: Release): Effect.Effect<void, never, RequestContext> =>
  Effect.flatMap(
    RequestContext,
    (request) => request[releasing]?.(toRetry(Duration.toMillis(retryAfter))) ?? Effect.void
  )

/** Clients wait with a timer, and the timers of many wait no longer than this. */
const maxRetry = 2 ** 31 - 1

const toRetry = (millis: number): number => Math.min(Math.ceil(millis), maxRetry)
