/** How callbacks run effects. */
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"

/** Runs an effect; `done` is called once, before this returns when the effect has nothing to wait for. */
export type Run = <A>(effect: Effect.Effect<A>, done?: (exit: Exit.Exit<A>) => void) => void
