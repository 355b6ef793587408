/**
 * An author's work that may be over as soon as it has begun: most handlers that wait for nothing give `Effect.succeed`.
 * Then no fiber has to be made to find that out.
 */
import * as Effect from "effect/Effect"
import * as Effectable from "effect/Effectable"
import * as Exit from "effect/Exit"

/** An effect like any other, run once or many times, that can be begun outside of a fiber besides. */
class Immediate<A, E, R> extends Effectable.Class<A, E, R> {
  readonly begin: () => Effect.Effect<A, E, R>

  constructor(begin: () => Effect.Effect<A, E, R>) {
    super()
    this.begin = begin
  }

  commit(): Effect.Effect<A, E, R> {
    return this.begin()
  }
}

/** The same as `Effect.suspend`, for work that `begin` may begin. */
export const suspend = <A, E, R>(begin: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  new Immediate(begin)

/** What is left to run of it, which is a value where it is over. A defect of the author's is one of what is left. */
export const begin = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  if (!(effect instanceof Immediate)) return effect
  try {
    return effect.begin()
  } catch (defect) {
    return Effect.die(defect)
  }
}

/** By its operation: an author's class of errors, which are effects too, may have any tag. */
export const isOver = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Success<A, E> =>
  Exit.isExit(effect) && effect._op === "Success"

/** Begins with the first. */
export const flatMap = <A, E, R, B, E2, R2>(
  first: Effect.Effect<A, E, R>,
  next: (value: A) => Effect.Effect<B, E2, R2>
): Effect.Effect<B, E | E2, R | R2> =>
  suspend(() => {
    const begun = begin(first)
    return isOver(begun) ? begin(next(begun.value)) : Effect.flatMap(begun, next)
  })

/** Begins with the first. */
export const matchEffect = <A, E, R, B, E2, R2, B2, E3, R3>(
  first: Effect.Effect<A, E, R>,
  options: {
    readonly onSuccess: (value: A) => Effect.Effect<B, E2, R2>
    readonly onFailure: (error: E) => Effect.Effect<B2, E3, R3>
  }
): Effect.Effect<B | B2, E2 | E3, R | R2 | R3> =>
  suspend(() => {
    const begun = begin(first)
    return isOver(begun) ? begin(options.onSuccess(begun.value)) : Effect.matchEffect(begun, options)
  })
