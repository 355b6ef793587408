/** How a handler lets its call become a task, kept in the request context. */
import type * as Effect from "effect/Effect"

/** Not for authors: `Tasks.detach`. */
export const detaching: unique symbol = Symbol("@pushbutton/server/detaching")

export interface MayDetach {
  /** Whether the call is a task from here on. Missing where none can come of it. */
  readonly [detaching]?: Effect.Effect<boolean>
}
