/** Progress of the request being served: `notifications/progress`, only when the client asked for it. */

import type { Dialect } from "@pushbutton/protocol/dialect/Dialect"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Effect from "effect/Effect"
import type { Outlet } from "./Decision.js"
import { type ProgressUpdate, RequestContext } from "./RequestContext.js"

/**
 * Tells the client how far its request has come. Does nothing when the request carried no progress token.
 * An update that does not rise above the last one is dropped: values have to increase with each notification
 * (2026-07-28, progress, Progress Flow: MUST). Completes when the client can take more.
 */
export const report = (update: ProgressUpdate): Effect.Effect<void, never, RequestContext> =>
  Effect.flatMap(RequestContext, (request) => request.progress(update))

/** `report` of this request as a plain function, for callbacks of code that knows nothing of requests. */
export const reporter: Effect.Effect<(update: ProgressUpdate) => Effect.Effect<void>, never, RequestContext> =
  Effect.map(RequestContext, (request) => request.progress)

const ignored = () => Effect.void

/** The reporter of one request. */
export const make = (
  token: string | number | undefined,
  dialect: Dialect,
  outlet: Outlet
): ((update: ProgressUpdate) => Effect.Effect<void>) => {
  if (token === undefined) return ignored
  let last = Number.NEGATIVE_INFINITY
  return (update) =>
    Effect.suspend(() => {
      if (!(update.progress > last)) return Effect.void
      last = update.progress
      const params = dialect.progress({
        progressToken: token,
        progress: update.progress,
        ...(update.total === undefined ? {} : { total: update.total }),
        ...(update.message === undefined ? {} : { message: update.message })
      })
      return outlet.notify(JsonRpc.encodeNotification("notifications/progress", params))
    })
}
