/**
 * What the event streams of legacy sessions have sent, for clients that come back with `Last-Event-ID`. A port, so that
 * the bounds can be others; it answers at once, since a session and its streams live in one process.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

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
    /** Keeps an event, for as long as there is room. */
    readonly append: (at: Position, message: string) => void
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
  /** In the order they came. */
  readonly events: Set<Kept>
  length: number
}

const overhead = 100

export const make = (options: Options = {}): EventStore["Type"] => {
  const { maxEvents = 1000, maxLength = 64 * 1024 * 1024, maxSessionLength = 1024 * 1024 } = options
  const longest = Math.min(maxSessionLength, maxLength)
  const sessions = new Map<string, SessionEvents>()
  // All that is kept, the oldest first.
  const all = new Set<Kept>()
  let length = 0

  const drop = (session: SessionEvents, event: Kept) => {
    all.delete(event)
    session.events.delete(event)
    session.length -= event.length
    length -= event.length
    if (session.events.size === 0) sessions.delete(event.sessionId)
  }

  const dropOldest = (events: Set<Kept>) => {
    for (const event of events) {
      const session = sessions.get(event.sessionId)
      if (session !== undefined) drop(session, event)
      return
    }
  }

  const keep = (event: Kept) => {
    const session = sessions.get(event.sessionId) ?? { events: new Set(), length: 0 }
    sessions.set(event.sessionId, session)
    session.events.add(event)
    session.length += event.length
    all.add(event)
    length += event.length
    while (session.events.size > maxEvents || session.length > maxSessionLength) dropOldest(session.events)
    while (length > maxLength) dropOldest(all)
  }

  return EventStore.of({
    append: (at, message) => {
      const wanted = message.length + overhead
      keep(
        wanted > longest
          ? { ...at, message: undefined, length: overhead }
          : { ...at, message, length: wanted }
      )
    },
    after: ({ number, sessionId, stream }) => {
      const found: Array<Event> = []
      let last: number | undefined
      for (const event of sessions.get(sessionId)?.events ?? []) {
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
      for (const event of session?.events ?? []) if (session !== undefined) drop(session, event)
    }
  })
}
