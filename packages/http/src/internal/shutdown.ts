/** The end of a server, in order: stop accepting, end subscriptions, wait, interrupt, flush, close. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { NodeServer } from "./nodeServer.js"
import type { Shared } from "./Shared.js"

/** How long replies that are complete may take to leave. */
const flushGrace = "2 seconds"

/** Interrupting it, as a second signal does, ends the grace period and nothing else. */
export const make = (
  shared: Shared,
  server: NodeServer,
  grace: Duration.DurationInput
): Effect.Effect<void> => {
  const { inFlight, sentAway } = shared
  const begin = Effect.sync(() => {
    shared.isDraining = true
  })
  // A client that was sent away needs a connection to come back on.
  const stopAccepting = Effect.suspend(() => (sentAway.isEmpty ? server.stopAccepting : Effect.void))
  const endSubscriptions = Effect.sync(() => {
    for (const subscription of Array.from(shared.subscriptions)) subscription.end()
    for (const session of shared.sessions.all()) session.drain()
  })
  const allBack = Effect.interruptible(sentAway.allBack)
  const wait = Effect.flatMap(Clock.currentTimeMillis, (began) =>
    Effect.zipRight(
      inFlight.drain(grace),
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.timeoutOption(allBack, Duration.subtract(grace, Duration.millis(now - began)))
      )
    )
  )
  const endStreams = Effect.sync(() => shared.connections.end())
  const flush = Effect.timeoutOption(Effect.interruptible(server.flushed), flushGrace)
  return begin.pipe(
    Effect.zipRight(stopAccepting),
    Effect.zipRight(endSubscriptions),
    Effect.zipRight(wait),
    Effect.ensuring(server.stopAccepting),
    Effect.ensuring(endStreams),
    Effect.ensuring(flush),
    Effect.ensuring(server.closeConnections)
  )
}
