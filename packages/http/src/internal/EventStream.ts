/**
 * An event stream of a legacy session. It outlives its connections: an event that finds none is only kept, and a
 * client that comes back is sent what it missed (2025-11-25, transports, Resumability and Redelivery).
 */
import type { Sending } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"
import type { Headers } from "../Admission.js"
import type { Event } from "../EventStore.js"
import type { Connections } from "./Connections.js"
import type { Response } from "./HttpRequest.js"
import * as SseStream from "./SseStream.js"

/** The events of one stream, as far as they are kept. */
export interface EventLog {
  /** False: the event cannot be kept. */
  readonly append: (number: number, message: string) => boolean
  readonly after: (number: number) => ReadonlyArray<Event> | undefined
}

export interface Options {
  /** Begins the ids of its events. */
  readonly name: string
  /** Undefined: its events have no ids, and a client cannot come back for them. */
  readonly log: EventLog | undefined
  /** Whether it is the reply to nothing: it has no end of its own. */
  readonly isStandalone: boolean
  /** Whether its first event only tells an id. */
  readonly isPrimed: boolean
  /** The number of the last event that it has had already. */
  readonly last?: number | undefined
  readonly connections: Connections
  readonly onConnect?: (() => void) | undefined
  /** Called when a connection has ended, whatever ended it. */
  readonly onDisconnect?: (() => void) | undefined
  readonly onWritable?: (() => void) | undefined
  /** Its client was told to come back. */
  readonly onRelease?: (() => void) | undefined
  /** Called once. */
  readonly onEnd: () => void
}

export class EventStream {
  private readonly options: Options
  private connection: SseStream.SseStream | undefined
  private last: number
  private isEnded = false

  constructor(options: Options) {
    this.options = options
    this.last = options.last ?? -1
  }

  get name(): string {
    return this.options.name
  }

  get isStandalone(): boolean {
    return this.options.isStandalone
  }

  get isConnected(): boolean {
    return this.connection !== undefined
  }

  /** Whether its client has been told an event id. */
  get isKnown(): boolean {
    return this.last >= 0
  }

  /** Goes on in this response, from the events that its client has missed; a connection that it still had ends. */
  connect(response: Response, headers: Headers, missed: ReadonlyArray<Event> = []): void {
    const { connections, onConnect, onDisconnect, onWritable } = this.options
    const previous = this.connection
    const opened = connections.open(response, headers, {
      onEnd: () => {
        if (this.connection === opened) this.connection = undefined
        onDisconnect?.()
      },
      onWritable
    })
    this.connection = opened
    if (this.last === -1 && this.options.isPrimed) this.prime(opened)
    for (const { message, number } of missed) opened.addWithId(message, idOf(this.name, number))
    // What waited for it goes on here, behind what was missed.
    previous?.end()
    onConnect?.()
  }

  /** What came after an event of this stream; undefined when that cannot be told any more. */
  missedSince(number: number): ReadonlyArray<Event> | undefined {
    return number === this.last ? [] : this.options.log?.after(number)
  }

  canTake(): boolean {
    return this.connection?.canTake() === true
  }

  /** Takes the message over: at once while no client is connected, else when it keeps up. */
  send(message: string): Sending {
    if (this.isEnded) return undefined
    const { connection } = this
    if (connection !== undefined && !connection.canTake()) return Effect.asVoid(this.ask(() => message))
    this.add(message)
    return undefined
  }

  /** The same for a message that is made when it goes out. False: nobody can come back for it. */
  ask(message: () => string): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const { connection } = this
      return this.isEnded || connection === undefined || connection.canTake()
        ? this.takeOver(message)
        : Effect.flatten(connection.inTurn(() => this.takeOver(message)))
    })
  }

  /** Unless the client has come back meanwhile, and does not read either. */
  private takeOver(message: () => string): Effect.Effect<boolean> {
    const { connection } = this
    if (this.isEnded || (connection === undefined && this.options.log === undefined))
      return Effect.succeed(false)
    if (connection !== undefined && !connection.canTake()) return this.ask(message)
    this.add(message())
    return Effect.succeed(true)
  }

  /** Takes a message over, whether the client keeps up or not. `instead` is kept where it cannot be. */
  add(message: string, instead?: () => string): void {
    if (this.isEnded) return
    const id = this.record(message, instead)
    this.connection?.addWithId(message, id)
  }

  /** Tells a client that waits that its connection stands. */
  keepAlive(): void {
    this.connection?.keepAlive()
  }

  /** Ends the connection; its client comes back later for what follows. */
  release(retryMillis: number): void {
    if (this.connection === undefined) return
    this.options.onRelease?.()
    this.connection.addEvent(SseStream.retry(retryMillis))
    this.connection.end()
  }

  /** Ends the stream, with `message` as its last when there is one; `instead` is kept where that cannot be. */
  end(message?: string, instead?: () => string): void {
    if (this.isEnded) return
    if (message !== undefined) this.add(message, instead)
    this.isEnded = true
    this.connection?.end()
    this.options.onEnd()
  }

  /** Gives the event its id, and keeps it. */
  private record(message: string, instead: (() => string) | undefined): string | undefined {
    const { log, name } = this.options
    if (log === undefined) return undefined
    this.last += 1
    if (!log.append(this.last, message) && instead !== undefined) log.append(this.last, instead())
    return idOf(name, this.last)
  }

  private prime(connection: SseStream.SseStream): void {
    if (this.options.log === undefined) return
    this.last = 0
    this.options.log.append(0, "")
    connection.addEvent(SseStream.priming(idOf(this.name, 0)))
  }
}

export const idOf = (name: string, number: number): string => `${name}-${number}`

/** The stream and number of an event id; undefined for what cannot be one. */
export const parseId = (id: string): { readonly name: string; readonly number: number } | undefined => {
  const [, name, digits] = /^([0-9a-z]{1,32})-(\d{1,15})$/.exec(id) ?? []
  return name === undefined || digits === undefined ? undefined : { name, number: Number(digits) }
}
