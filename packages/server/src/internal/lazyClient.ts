/** The client of a session for one request, made when the handler first asks: most handlers ask nothing. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { RandomBytes } from "../RandomBytes.js"
import type { Frame } from "./frame.js"
import type { SessionClient } from "./sessionClient.js"

export class LazyClient {
  private readonly make: (random: RandomBytes["Type"]) => SessionClient
  private readonly frame: Frame
  private made: SessionClient | undefined
  private isOver = false

  /** `frame` is that of the request's work. */
  constructor(make: (random: RandomBytes["Type"]) => SessionClient, frame: Frame) {
    this.make = make
    this.frame = frame
  }

  get client(): SessionClient {
    if (this.made !== undefined) return this.made
    const { services } = this.frame
    if (services === undefined) throw new Error("A client is asked outside of a request")
    this.made = this.make(Context.unsafeGet(services as Context.Context<RandomBytes>, RandomBytes))
    if (this.isOver) this.made.close()
    return this.made
  }

  /** What a stray fiber asks has no answer from now on. Gives what is left to do, undefined where nothing was asked. */
  end(): Effect.Effect<void> | undefined {
    this.isOver = true
    return this.made?.end
  }
}
