/** How long something may take, where that can also be found out while it runs. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

export interface TimeLimit {
  readonly timeoutMillis: number
  /** Completes where the time is up before that. */
  readonly timeIsUp?: Effect.Effect<void> | undefined
}

/** None when its time is up: then it has been interrupted. */
export const within = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { timeIsUp, timeoutMillis }: TimeLimit
): Effect.Effect<Option.Option<A>, E, R> => {
  const timed = Effect.timeoutOption(effect, timeoutMillis)
  return timeIsUp === undefined ? timed : Effect.raceFirst(timed, Effect.as(timeIsUp, Option.none<A>()))
}
