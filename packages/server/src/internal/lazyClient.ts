/** The client of a session for one request, made when the handler first asks: most handlers ask nothing. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { RandomBytes } from "../RandomBytes.js"
import type { SessionClient } from "./sessionClient.js"

export class LazyClient {
  private readonly make: (random: RandomBytes["Type"]) => SessionClient
  private made: SessionClient | undefined
  private services: Context.Context<never> | undefined
  private isOver = false

  constructor(make: (random: RandomBytes["Type"]) => SessionClient) {
    this.make = make
  }

  get client(): SessionClient {
    if (this.made !== undefined) return this.made
    if (this.services === undefined) throw new Error("A client is asked outside of a request")
    this.made = this.make(Context.unsafeGet(this.services, RandomBytes))
    if (this.isOver) this.made.close()
    return this.made
  }

  /** Asked for the length of the work that a request runs. What a stray fiber asks has no answer after that. */
  within<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | RandomBytes> {
    const known = Effect.withFiberRuntime<A, E, R | RandomBytes>((fiber) => {
      this.services = fiber.getFiberRef(FiberRef.currentContext)
      return work
    })
    return Effect.ensuring(
      known,
      Effect.suspend(() => {
        this.isOver = true
        return this.made === undefined ? Effect.void : this.made.end
      })
    )
  }
}
