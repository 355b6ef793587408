/**
 * The sessions of legacy clients, under unguessable ids. An id that is unknown, ended, expired, evicted or somebody
 * else's is simply not found.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** What is kept here. */
export interface Session {
  readonly id: string
  /** Whose it is; nobody else finds it. */
  readonly principal: string | undefined
  readonly end: () => void
}

export interface Limits {
  /** At this many sessions, keeping one more ends the least recently used, one that is not held if there is any. */
  readonly cap: number
  /** How long a session outlives its last use. */
  readonly idleMillis: number
}

/** What a class of sessions needs besides. */
export interface Surroundings {
  readonly now: () => number
  /** Takes what a session has thrown when it ended; it is gone all the same. */
  readonly report: (defect: unknown) => void
}

interface Entry<S> {
  readonly session: S
  usedAt: number
  holds: number
}

export class Sessions<S extends Session> {
  private readonly limits: Limits
  private readonly surroundings: Surroundings
  /** In order of use: the first entry is the least recently used. */
  private readonly entries = new Map<string, Entry<S>>()

  constructor(limits: Limits, surroundings: Surroundings) {
    this.limits = limits
    this.surroundings = surroundings
  }

  /** Whatever takes it away again ends it. */
  keep(session: S): void {
    const now = this.surroundings.now()
    this.makeRoom(now)
    this.entries.set(session.id, { session, usedAt: now, holds: 0 })
  }

  /** The session of this caller; finding it counts as using it. */
  find(id: string, principal: string | undefined): S | undefined {
    const now = this.surroundings.now()
    const entry = this.live(id, principal, now)
    if (entry === undefined) return undefined
    this.use(entry, now)
    return entry.session
  }

  /** A request or stream of the session is open from here to its `release`: until then it does not expire. */
  hold(id: string): void {
    const entry = this.entries.get(id)
    if (entry !== undefined) entry.holds += 1
  }

  release(id: string): void {
    const entry = this.entries.get(id)
    if (entry === undefined) return
    entry.holds -= 1
    this.use(entry, this.surroundings.now())
  }

  /** False: this caller had no such session. */
  close(id: string, principal: string | undefined): boolean {
    const entry = this.live(id, principal, this.surroundings.now())
    if (entry !== undefined) this.end(entry)
    return entry !== undefined
  }

  all(): ReadonlyArray<S> {
    return Array.from(this.entries.values(), ({ session }) => session)
  }

  /** Ends those that nobody has used for too long. */
  expire(): void {
    this.expireAt(this.surroundings.now())
  }

  endAll(): void {
    for (const entry of Array.from(this.entries.values())) this.end(entry)
  }

  private use(entry: Entry<S>, now: number): void {
    const { id } = entry.session
    entry.usedAt = now
    this.entries.delete(id)
    this.entries.set(id, entry)
  }

  private end({ session }: Entry<S>): void {
    if (!this.entries.delete(session.id)) return
    try {
      session.end()
    } catch (defect) {
      this.surroundings.report(defect)
    }
  }

  private live(id: string, principal: string | undefined, now: number): Entry<S> | undefined {
    const entry = this.entries.get(id)
    if (entry === undefined || entry.session.principal !== principal) return undefined
    if (entry.holds > 0 || now - entry.usedAt < this.limits.idleMillis) return entry
    this.end(entry)
    return undefined
  }

  private expireAt(now: number): void {
    for (const entry of this.entries.values()) {
      if (now - entry.usedAt < this.limits.idleMillis) return
      if (entry.holds === 0) this.end(entry)
    }
  }

  private makeRoom(now: number): void {
    const { cap } = this.limits
    if (this.entries.size >= cap) this.expireAt(now)
    while (this.entries.size >= cap) {
      const victim = this.leastRecentlyUsed()
      if (victim === undefined) return
      this.end(victim)
    }
  }

  private leastRecentlyUsed(): Entry<S> | undefined {
    let oldest: Entry<S> | undefined
    for (const entry of this.entries.values()) {
      if (entry.holds === 0) return entry
      oldest ??= entry
    }
    return oldest
  }
}

export interface Options {
  readonly cap: number
  readonly idle: Duration.DurationInput
  readonly report: (defect: unknown) => void
}

/** A timer of more than 24 days never fires. */
const longestSweep = 3_600_000

/** One fiber ends those that have expired; closing the scope ends all. */
export const make = <S extends Session>({
  cap,
  idle,
  report
}: Options): Effect.Effect<Sessions<S>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const idleMillis = Duration.toMillis(idle)
    const sessions = new Sessions<S>(
      { cap, idleMillis },
      { now: () => clock.unsafeCurrentTimeMillis(), report }
    )
    const sweep = Effect.sync(() => sessions.expire()).pipe(
      Effect.catchAllCause((cause) => Effect.logError("Sessions could not be looked through", cause)),
      Effect.delay(Math.min(Math.max(1, idleMillis / 4), longestSweep)),
      Effect.forever
    )
    yield* Effect.addFinalizer(() => Effect.sync(() => sessions.endAll()))
    // A layer may be built where nothing can be interrupted; the sweep has to end with its scope all the same.
    yield* Effect.forkScoped(Effect.interruptible(sweep))
    return sessions
  })
