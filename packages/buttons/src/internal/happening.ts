/**
 * Something that happens once. To wait for it within a time is one effect without a fiber of its own, since every press
 * waits like that more than once.
 */
import * as Effect from "effect/Effect"

export interface Happening {
  readonly hasHappened: () => boolean
  readonly wait: Effect.Effect<void>
  /** Whether it happened within that time. */
  readonly waitAtMost: (millis: number) => Effect.Effect<boolean>
}

/** More is taken for nothing. */
const maxTimerMillis = 2_147_483_647

/** With the function that lets it happen. */
export const make = (): Happening & { readonly happen: () => void } => {
  let hasHappened = false
  const waiting = new Set<() => void>()
  const whenever = (act: () => void) => {
    if (hasHappened) act()
    else waiting.add(act)
    return () => waiting.delete(act)
  }
  return {
    happen: () => {
      hasHappened = true
      for (const act of [...waiting]) act()
      waiting.clear()
    },
    hasHappened: () => hasHappened,
    wait: Effect.async((resume) => {
      const leave = whenever(() => resume(Effect.void))
      return Effect.sync(leave)
    }),
    waitAtMost: (millis) =>
      Effect.async((resume) => {
        if (hasHappened) return resume(Effect.succeed(true))
        const timer = setTimeout(
          () => {
            leave()
            resume(Effect.succeed(false))
          },
          Math.min(millis, maxTimerMillis)
        )
        const leave = whenever(() => {
          clearTimeout(timer)
          resume(Effect.succeed(true))
        })
        return Effect.sync(() => {
          clearTimeout(timer)
          leave()
        })
      })
  }
}
