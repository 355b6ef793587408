/** Progress of the request being served: `notifications/progress`, only when the client asked for it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { telling } from "./internal/telling.js"
import { type ProgressUpdate, RequestContext } from "./RequestContext.js"

export interface Options {
  /** Updates of one request that may follow each other at once; 100 when left out. */
  readonly burst?: number | undefined
  /** How often one more is sent from then on; every 50 milliseconds when left out. */
  readonly interval?: Duration.DurationInput | undefined
}

/**
 * Tells the client how far its request has come. Does nothing when the request carried no progress token.
 * An update that does not rise above the last one is dropped: values have to increase with each notification
 * (2026-07-28, progress, Progress Flow: MUST). Of updates that come too fast (`McpServer.Options.progress`) the newest
 * is sent when it may be, at the latest before the response. Completes when the client can take more.
 */
export const report = (update: ProgressUpdate): Effect.Effect<void, never, RequestContext> =>
  Effect.withFiberRuntime<void, never, RequestContext>((fiber) => {
    // One step instead of six, for handlers that report often. The type says that the context is there.
    const request = Context.unsafeGet(fiber.currentContext as Context.Context<RequestContext>, RequestContext)
    const tell = request[telling]
    if (tell === undefined) return request.progress(update)
    const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
    return tell(update, clock.unsafeCurrentTimeMillis()) ?? Effect.void
  })

/** `report` of this request as a plain function, for callbacks of code that knows nothing of requests. */
export const reporter: Effect.Effect<(update: ProgressUpdate) => Effect.Effect<void>, never, RequestContext> =
  Effect.map(RequestContext, (request) => request.progress)
