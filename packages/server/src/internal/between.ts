/** What is set for the time of an effect and set back afterwards. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/**
 * To be run where nothing can be interrupted but what says so: what `Effect.acquireUseRelease` does to be safe anywhere
 * costs as much as the rest of a request.
 */
export const between = <A, E, R>(
  before: Effect.Effect<void>,
  effect: Effect.Effect<A, E, R>,
  after: (exit: Exit.Exit<A, E>) => Effect.Effect<void>
): Effect.Effect<A, E, R> =>
  Effect.zipRight(
    before,
    Effect.matchCauseEffect(effect, {
      onSuccess: (value) => Effect.as(after(Exit.succeed(value)), value),
      onFailure: (cause) => Effect.zipRight(after(Exit.failCause(cause)), Effect.failCause(cause))
    })
  )
