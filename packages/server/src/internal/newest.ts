/** Delivers what the allowance has room for at once, and of the rest the newest as soon as there is room again. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Allowance, type Limit } from "./allowance.js"

export class Newest<in out A> {
  private readonly deliver: (value: A) => Effect.Effect<void>
  private readonly beside: (effect: Effect.Effect<void>) => Effect.Effect<unknown>
  private readonly allowance: Allowance
  private held: { readonly value: A } | undefined

  constructor(
    limit: Limit,
    deliver: (value: A) => Effect.Effect<void>,
    beside: (effect: Effect.Effect<void>) => Effect.Effect<unknown>
  ) {
    this.deliver = deliver
    this.beside = beside
    this.allowance = new Allowance(limit)
  }

  offer(value: A): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const isWaiting = this.held !== undefined
      const wait = isWaiting ? 0 : this.allowance.take(now)
      if (!isWaiting && wait === 0) return this.deliver(value)
      this.held = { value }
      return isWaiting ? Effect.void : Effect.asVoid(this.beside(this.later(wait)))
    })
  }

  private later(wait: number): Effect.Effect<void> {
    const release = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const again = this.allowance.take(now)
      if (again > 0) return this.later(again)
      const { held } = this
      this.held = undefined
      return held === undefined ? Effect.void : this.deliver(held.value)
    })
    return Effect.delay(release, Duration.millis(wait))
  }
}
