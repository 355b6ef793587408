/** Which request states have been used up, for servers that take each one once. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class RedeemedStates extends Context.Tag("@pushbutton/server/RedeemedStates")<
  RedeemedStates,
  {
    /** True for the first caller of an id and for no other. It need not be remembered beyond `expiresAt`. */
    readonly redeem: (id: string, expiresAt: number) => Effect.Effect<boolean>
  }
>() {}

/** Remembers in this process. Several replicas need a store that they share. */
export const layerMemory: Layer.Layer<RedeemedStates> = Layer.sync(RedeemedStates, () => {
  const expiries = new Map<string, number>()
  let sweepAt = 0
  const sweep = (now: number) => {
    if (now < sweepAt) return
    for (const [id, expiresAt] of expiries) if (expiresAt <= now) expiries.delete(id)
    sweepAt = now + 60_000
  }
  return RedeemedStates.of({
    redeem: (id, expiresAt) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        sweep(now)
        if (expiries.has(id)) return false
        expiries.set(id, expiresAt)
        return true
      })
  })
})
