/**
 * The HTTP sessions of legacy clients: what `initialize` settled, under an unguessable id. A port, so that several
 * replicas can share sessions. An id that is unknown, ended, expired or evicted is simply not found.
 */
import { IdSource } from "@pushbutton/server/IdSource"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

export class Sessions extends Context.Tag("@pushbutton/http/Sessions")<
  Sessions,
  {
    /** Keeps a session and gives its id. */
    readonly open: (session: LegacySession) => Effect.Effect<string>
    /** Finding a session counts as using it. */
    readonly find: (id: string) => Effect.Effect<Option.Option<LegacySession>>
    /** A request of the session runs from here to its `release`: until then the session does not expire. */
    readonly hold: (id: string) => Effect.Effect<void>
    readonly release: (id: string) => Effect.Effect<void>
    /** False: there was no such session. */
    readonly close: (id: string) => Effect.Effect<boolean>
  }
>() {}

export interface Options {
  /** At this many sessions, opening one more ends the least recently used, one without running requests if any. */
  readonly cap: number
  /** How long a session outlives its last use. */
  readonly idle: Duration.DurationInput
}

interface Entry {
  readonly session: LegacySession
  usedAt: number
  running: number
}

/** Keeps sessions in this process. There are no timers: sessions expire when somebody looks. */
export const layerMemory = (options: Options): Layer.Layer<Sessions, never, IdSource> =>
  Layer.effect(
    Sessions,
    Effect.map(IdSource, (ids) => make(ids, options))
  )

const make = (ids: IdSource["Type"], { cap, idle }: Options): Sessions["Type"] => {
  const idleMillis = Duration.toMillis(idle)
  // In order of use: the first entry is the least recently used.
  const entries = new Map<string, Entry>()

  const isExpired = (entry: Entry, now: number) => entry.running === 0 && now - entry.usedAt >= idleMillis

  const use = (id: string, entry: Entry, now: number) => {
    entry.usedAt = now
    entries.delete(id)
    entries.set(id, entry)
  }

  const live = (id: string, now: number): Entry | undefined => {
    const entry = entries.get(id)
    if (entry === undefined || !isExpired(entry, now)) return entry
    entries.delete(id)
    return undefined
  }

  const makeRoom = (now: number) => {
    for (const [id, entry] of entries) {
      if (isExpired(entry, now)) entries.delete(id)
      else if (entry.running === 0) break
    }
    while (entries.size >= cap && entries.size > 0) {
      const victim = leastRecentlyUsed(entries)
      if (victim !== undefined) entries.delete(victim)
    }
  }

  const change = (id: string, by: 1 | -1) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const entry = entries.get(id)
      if (entry === undefined) return
      entry.running += by
      use(id, entry, now)
    })

  return Sessions.of({
    open: (session) =>
      Effect.zipWith(ids.next, Clock.currentTimeMillis, (id, now) => {
        makeRoom(now)
        entries.set(id, { session, usedAt: now, running: 0 })
        return id
      }),
    find: (id) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const entry = live(id, now)
        if (entry === undefined) return Option.none()
        use(id, entry, now)
        return Option.some(entry.session)
      }),
    hold: (id) => change(id, 1),
    release: (id) => change(id, -1),
    close: (id) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const found = live(id, now) !== undefined
        entries.delete(id)
        return found
      })
  })
}

const leastRecentlyUsed = (entries: ReadonlyMap<string, Entry>): string | undefined => {
  let oldest: string | undefined
  for (const [id, entry] of entries) {
    if (entry.running === 0) return id
    oldest ??= id
  }
  return oldest
}
