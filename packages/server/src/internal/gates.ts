import * as Effect from "effect/Effect"

/** One at a time for each key. */
export class Gates {
  private gates: Map<string, Effect.Semaphore> | undefined

  gate(key: string): Effect.Semaphore {
    this.gates ??= new Map()
    const existing = this.gates.get(key)
    if (existing !== undefined) return existing
    const gate = Effect.unsafeMakeSemaphore(1)
    this.gates.set(key, gate)
    return gate
  }
}
