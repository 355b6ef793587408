/**
 * What the event streams of legacy sessions have sent, for clients that come back with `Last-Event-ID`. A port, so that
 * the bounds can be others; it answers at once, since a session and its streams live in one process, and must not throw.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { Chain, type Link } from "./internal/Chain.js"

/** An event of a stream; a stream counts its events from 0 on. */
export interface Position {
  readonly sessionId: string
  readonly stream: string
  readonly number: number
}

export interface Event {
  readonly number: number
  /** The message; empty for an event that only told its id. */
  readonly message: string
}

export class EventStore extends Context.Tag("@pushbutton/http/EventStore")<
  EventStore,
  {
    /**
     * Keeps an event, for as long as there is room. False: it cannot be kept, so that its stream cannot be resumed before
     * it, unless another message is appended at its position next.
     */
    readonly append: (at: Position, message: string) => boolean
    /** What came later on that stream, in order; undefined when the event is not known, or not all that followed it is. */
    readonly after: (at: Position) => ReadonlyArray<Event> | undefined
    /** Drops all that is kept of a session. */
    readonly forget: (sessionId: string) => void
  }
>() {}

/** Lengths count UTF-16 units, and 100 more for each event. */
export interface Options {
  /** Events kept of one session, the oldest dropped first; 1,000 when left out. */
  readonly maxEvents?: number | undefined
  /** Their length; 1,048,576 when left out. A longer event is not kept, so that its stream cannot be resumed before it. */
  readonly maxSessionLength?: number | undefined
  /** The length of all that is kept, the oldest dropped first; 67,108,864 when left out. */
  readonly maxLength?: number | undefined
}

export const layerMemory = (options: Options = {}): Layer.Layer<EventStore> =>
  Layer.sync(EventStore, () => make(options))

interface Kept extends Position {
  /** Undefined where the event was too long. */
  readonly message: string | undefined
  readonly length: number
}

interface SessionEvents {
  /** Where its events are among all, in the order they came. */
  readonly events: Chain<Link<Kept>>
  length: number
}

const overhead = 100

export const make = (options: Options = {}): EventStore["Type"] => {
  const { maxEvents = 1000, maxLength = 64 * 1024 * 1024, maxSessionLength = 1024 * 1024 } = options
  const longest = Math.min(maxSessionLength, maxLength)
  const sessions = new Map<string, SessionEvents>()
  // All that is kept, the oldest first.
  const all = new Chain<Kept>()
  let length = 0

  /** Drops an event by its place in its session. */
  const drop = (session: SessionEvents, place: Link<Link<Kept>> | undefined) => {
    if (place === undefined) return
    const { item: event } = place.item
    session.events.take(place)
    all.take(place.item)
    session.length -= event.length
    length -= event.length
    if (session.events.size === 0) sessions.delete(event.sessionId)
  }

  const dropOldest = (session: SessionEvents) => drop(session, session.events.first)

  const dropOldestOfAll = () => {
    // What is the oldest of all is the oldest of its session.
    const session = all.first && sessions.get(all.first.item.sessionId)
    if (session !== undefined) dropOldest(session)
  }

  const keep = (event: Kept) => {
    const session = sessions.get(event.sessionId) ?? { events: new Chain(), length: 0 }
    const { last } = session.events
    // In the place of what was too long.
    if (last !== undefined && isAt(last.item.item, event)) drop(session, last)
    sessions.set(event.sessionId, session)
    session.events.add(all.add(event))
    session.length += event.length
    length += event.length
    while (session.events.size > maxEvents || session.length > maxSessionLength) dropOldest(session)
    while (length > maxLength) dropOldestOfAll()
  }

  return EventStore.of({
    append: (at, message) => {
      const wanted = message.length + overhead
      const isKept = wanted <= longest
      keep(isKept ? { ...at, message, length: wanted } : { ...at, message: undefined, length: overhead })
      return isKept
    },
    after: ({ number, sessionId, stream }) => {
      const found: Array<Event> = []
      let last: number | undefined
      for (const { item: event } of sessions.get(sessionId)?.events ?? []) {
        if (event.stream !== stream) continue
        last = event.number
        if (event.number <= number) continue
        if (event.message === undefined || event.number !== number + 1 + found.length) return undefined
        found.push({ number: event.number, message: event.message })
      }
      return last === undefined || number > last ? undefined : found
    },
    forget: (sessionId) => {
      const session = sessions.get(sessionId)
      while (session !== undefined && session.events.size > 0) dropOldest(session)
    }
  })
}

const isAt = (one: Position, other: Position): boolean =>
  one.stream === other.stream && one.number === other.number
