/**
 * The HTTP sessions of legacy clients: what `initialize` settled and what runs since, under an unguessable id. An id
 * that is unknown, ended, expired, evicted or somebody else's is simply not found.
 */
import { IdSource } from "@pushbutton/server/IdSource"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { HttpSession } from "./internal/HttpSession.js"

export class Sessions extends Context.Tag("@pushbutton/http/Sessions")<
  Sessions,
  {
    /** Keeps the session that is made for an id. Whatever takes it away again ends it. */
    readonly open: (make: (id: string) => HttpSession) => Effect.Effect<HttpSession>
    /** The session of this caller; finding it counts as using it. */
    readonly find: (id: string, principal: string | undefined) => Effect.Effect<Option.Option<HttpSession>>
    /** A request or stream of the session is open from here to its `release`: until then it does not expire. */
    readonly hold: (id: string) => Effect.Effect<void>
    readonly release: (id: string) => Effect.Effect<void>
    /** False: this caller had no such session. */
    readonly close: (id: string, principal: string | undefined) => Effect.Effect<boolean>
  }
>() {}

export interface Options {
  /** At this many sessions, opening one more ends the least recently used, one that is not held if there is any. */
  readonly cap: number
  /** How long a session outlives its last use. */
  readonly idle: Duration.DurationInput
}

interface Entry {
  readonly session: HttpSession
  usedAt: number
  holds: number
}

/** Keeps sessions in this process. One fiber ends those that have expired; closing the layer ends all. */
export const layerMemory = (options: Options): Layer.Layer<Sessions, never, IdSource> =>
  Layer.scoped(
    Sessions,
    Effect.flatMap(IdSource, (ids) => make(ids, options))
  )

const make = (
  ids: IdSource["Type"],
  { cap, idle }: Options
): Effect.Effect<Sessions["Type"], never, Scope.Scope> => {
  const idleMillis = Duration.toMillis(idle)
  // In order of use: the first entry is the least recently used.
  const entries = new Map<string, Entry>()

  const use = (id: string, entry: Entry, now: number) => {
    entry.usedAt = now
    entries.delete(id)
    entries.set(id, entry)
  }

  const end = (id: string, { session }: Entry) => {
    if (entries.delete(id)) session.end()
  }

  const live = (id: string, principal: string | undefined, now: number): Entry | undefined => {
    const entry = entries.get(id)
    if (entry === undefined || entry.session.legacy.principal !== principal) return undefined
    if (entry.holds > 0 || now - entry.usedAt < idleMillis) return entry
    end(id, entry)
    return undefined
  }

  const expire = (now: number) => {
    for (const [id, entry] of entries) {
      if (now - entry.usedAt < idleMillis) return
      if (entry.holds === 0) end(id, entry)
    }
  }

  const makeRoom = (now: number) => {
    if (entries.size >= cap) expire(now)
    while (entries.size >= cap && entries.size > 0) {
      const victim = leastRecentlyUsed(entries)
      if (victim !== undefined) end(...victim)
    }
  }

  const change = (id: string, by: 1 | -1) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const entry = entries.get(id)
      if (entry === undefined) return
      entry.holds += by
      use(id, entry, now)
    })

  const sweep = Effect.forever(
    Effect.zipRight(Effect.sleep(Math.max(1, idleMillis / 4)), Effect.map(Clock.currentTimeMillis, expire))
  )

  const sessions = Sessions.of({
    open: (make) =>
      Effect.zipWith(ids.next, Clock.currentTimeMillis, (id, now) => {
        makeRoom(now)
        const session = make(id)
        entries.set(id, { session, usedAt: now, holds: 0 })
        return session
      }),
    find: (id, principal) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const entry = live(id, principal, now)
        if (entry === undefined) return Option.none()
        use(id, entry, now)
        return Option.some(entry.session)
      }),
    hold: (id) => change(id, 1),
    release: (id) => change(id, -1),
    close: (id, principal) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const entry = live(id, principal, now)
        if (entry !== undefined) end(id, entry)
        return entry !== undefined
      })
  })
  const endAll = Effect.sync(() => {
    for (const [id, entry] of Array.from(entries)) end(id, entry)
  })
  return Effect.acquireRelease(Effect.succeed(sessions), () => endAll).pipe(
    // A layer may be built where nothing can be interrupted; the sweep has to end with its scope all the same.
    Effect.zipLeft(Effect.forkScoped(Effect.interruptible(sweep)))
  )
}

const leastRecentlyUsed = (entries: ReadonlyMap<string, Entry>): readonly [string, Entry] | undefined => {
  let oldest: readonly [string, Entry] | undefined
  for (const entry of entries) {
    if (entry[1].holds === 0) return entry
    oldest ??= entry
  }
  return oldest
}
