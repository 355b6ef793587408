/** The event streams of one legacy session: replies to POSTs, and those that a GET opened. */
import { BackChannel } from "@pushbutton/server/BackChannel"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import type { Event } from "../EventStore.js"
import * as EventStream from "./EventStream.js"
import type { SessionServices } from "./SessionServices.js"

type Own = Pick<
  EventStream.Options,
  "name" | "last" | "isStandalone" | "onConnect" | "onDisconnect" | "onWritable" | "onRelease"
>

/** What a `Last-Event-ID` leads to. */
export type Resumption =
  | {
      readonly _tag: "Live"
      readonly stream: EventStream.EventStream
      readonly missed: ReadonlyArray<Event>
    }
  /** Nothing more comes on that stream. */
  | { readonly _tag: "Ended"; readonly name: string; readonly missed: ReadonlyArray<Event> }

/** Streams of GETs that have lost their client and go on whatever is kept; beyond, the oldest goes on from its events. */
const maxDetached = 8

/** Names tell what opened a stream: a GET, or the POST that it is the reply to. */
const standalonePrefix = "g"
const replyPrefix = "r"

export class SessionStreams {
  private readonly sessionId: string
  private readonly session: LegacySession
  private readonly services: SessionServices
  private readonly live = new Map<string, EventStream.EventStream>()
  private readonly detached = new Set<EventStream.EventStream>()
  /** Those whose clients were told to come back. */
  private readonly away = new Set<string>()
  private isDraining = false
  private isOver = false

  constructor(sessionId: string, session: LegacySession, services: SessionServices) {
    this.sessionId = sessionId
    this.session = session
    this.services = services
  }

  /** The reply to a POST. It has no connection yet. */
  openReply(): EventStream.EventStream {
    const name = this.nextName(replyPrefix)
    return this.open({
      name,
      isStandalone: false,
      onConnect: () => this.isBack(name),
      onRelease: () => {
        this.away.add(name)
        this.services.sentAway.add(name)
      }
    })
  }

  /** Carries what belongs to no request while it is connected, which it is not yet. */
  openStandalone(
    { last, name }: Pick<Own, "name" | "last"> = { name: this.nextName(standalonePrefix) }
  ): EventStream.EventStream {
    const stream = this.open({
      name,
      last,
      isStandalone: true,
      onConnect: () => {
        this.detached.delete(stream)
        this.services.hold(this.sessionId)
        channel.open()
      },
      onDisconnect: () => {
        this.services.release(this.sessionId)
        if (stream.isConnected) return
        channel.close()
        this.detach(stream)
      },
      onWritable: () => channel.pump()
    })
    const channel = new BackChannel(this.session, {
      canTake: () => stream.canTake(),
      add: (message) => stream.add(message)
    })
    return stream
  }

  /** Undefined: the id names no event of this session, or what followed it is no longer known. */
  resume(id: string): Resumption | undefined {
    const at = EventStream.parseId(id)
    if (at === undefined) return undefined
    const stream = this.live.get(at.name)
    if (stream !== undefined) {
      const missed = stream.missedSince(at.number)
      return missed && { _tag: "Live", stream, missed }
    }
    const missed = this.logOf(at.name).after(at.number)
    if (missed === undefined) return undefined
    if (!at.name.startsWith(standalonePrefix) || this.isDraining) {
      this.isBack(at.name)
      return { _tag: "Ended", name: at.name, missed }
    }
    // It has no end of its own, so its client would come back for ever.
    const again = this.openStandalone({ name: at.name, last: at.number + missed.length })
    return { _tag: "Live", stream: again, missed }
  }

  /** Nothing is told any more beside replies. */
  drain(): void {
    this.isDraining = true
    for (const stream of Array.from(this.live.values())) if (stream.isStandalone) stream.end()
  }

  /** The session is over: nothing more is sent, and nothing is kept. */
  end(): void {
    this.isOver = true
    for (const name of Array.from(this.away)) this.isBack(name)
    for (const stream of Array.from(this.live.values())) stream.end()
  }

  private isBack(name: string): void {
    if (this.away.delete(name)) this.services.sentAway.remove(name)
  }

  private nextName(prefix: string): string {
    return `${prefix}${this.services.nextStream().toString(36)}`
  }

  private open(own: Own) {
    const { connections } = this.services
    const { name } = own
    const stream = new EventStream.EventStream({
      ...own,
      log: this.isOver ? undefined : this.logOf(name),
      isPrimed: this.session.version === "2025-11-25",
      connections,
      onEnd: () => {
        this.live.delete(name)
        this.detached.delete(stream)
      }
    })
    if (!this.isOver) this.live.set(name, stream)
    return stream
  }

  private detach(stream: EventStream.EventStream): void {
    if (!this.live.has(stream.name)) return
    // Nobody can come back to it.
    if (!stream.isKnown) return stream.end()
    this.detached.add(stream)
    if (this.detached.size <= maxDetached) return
    for (const oldest of this.detached) return oldest.end()
  }

  private logOf(stream: string): EventStream.EventLog {
    const { services, sessionId } = this
    return {
      append: (number, message) => services.store.append({ sessionId, stream, number }, message),
      after: (number) => services.store.after({ sessionId, stream, number })
    }
  }
}
