/**
 * What is taken at once and given back at once. `Effect.acquireRelease` compares all that the fiber knows then and now, for
 * effects that depend on it; a press takes several things, and none of them does.
 */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"

/** Held until the scope closes. Neither function may throw. */
export const hold = <A>(take: () => A, giveBack: (held: A) => void): Effect.Effect<A, never, Scope.Scope> =>
  Effect.uninterruptible(
    Effect.flatMap(Effect.scope, (scope) => {
      const held = take()
      return Effect.as(
        Scope.addFinalizer(
          scope,
          Effect.sync(() => giveBack(held))
        ),
        held
      )
    })
  )
