/** The streams whose clients were told to come back for the rest, until they have. */
import * as Effect from "effect/Effect"

/** Clients that never come back are forgotten in the end; so are, beyond this many, those that were sent away first. */
const max = 10_000

export class SentAway {
  private readonly names = new Set<string>()
  private waiting: Array<() => void> = []

  get isEmpty(): boolean {
    return this.names.size === 0
  }

  add(name: string): void {
    this.names.add(name)
    if (this.names.size <= max) return
    for (const oldest of this.names) return this.remove(oldest)
  }

  /** The client is back, or there is nothing left to come back for. */
  remove(name: string): void {
    if (!this.names.delete(name) || !this.isEmpty) return
    const waiting = this.waiting
    this.waiting = []
    for (const resume of waiting) resume()
  }

  /** Completes when nobody is away. */
  readonly allBack: Effect.Effect<void> = Effect.async((resume) => {
    if (this.isEmpty) return resume(Effect.void)
    const back = () => resume(Effect.void)
    this.waiting.push(back)
    return Effect.sync(() => {
      this.waiting = this.waiting.filter((one) => one !== back)
    })
  })
}
