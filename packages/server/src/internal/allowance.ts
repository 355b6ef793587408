/** How often something may happen: a number at once, and from then on one for each interval. */
import * as Duration from "effect/Duration"

export interface Limit {
  readonly burst: number
  readonly intervalMillis: number
}

export interface Options {
  readonly burst?: number | undefined
  readonly interval?: Duration.DurationInput | undefined
}

/** A hundred at once, then twenty a second, where nothing else is said. */
export const limit = ({ burst = 100, interval = "50 millis" }: Options = {}): Limit => ({
  burst: Math.max(1, burst),
  intervalMillis: Duration.toMillis(interval)
})

export class Allowance {
  private readonly limit: Limit
  /** When all that has happened would have happened at one per interval. */
  private due = Number.NEGATIVE_INFINITY

  constructor(limit: Limit) {
    this.limit = limit
  }

  /** Takes one, and gives 0; or takes none, and gives the milliseconds until there is one to take. */
  take(now: number): number {
    const { burst, intervalMillis } = this.limit
    const due = Math.max(this.due, now)
    const wait = due - now - (burst - 1) * intervalMillis
    if (wait > 0) return wait
    this.due = due + intervalMillis
    return 0
  }
}
