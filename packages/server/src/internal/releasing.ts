/** How a handler ends the connection of its request, kept in the request context. */
import type * as Effect from "effect/Effect"

/** Not for authors: `Polling.release`. */
export const releasing: unique symbol = Symbol("@pushbutton/server/releasing")

export interface MayRelease {
  /** Missing where no connection can be ended without a loss. */
  readonly [releasing]?: ((retryMillis: number) => Effect.Effect<void>) | undefined
}
