/** A reply that becomes an event stream as soon as something has to go out ahead of its end, and no sooner. */
import type { Outlet, Sending } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"
import * as Exchange from "./exchange.js"
import type { HttpSession } from "./HttpSession.js"

/** What an open stream is to its reply. */
export interface Opened {
  readonly send: (message: string) => Sending
  /** False: nobody can read it any more. */
  readonly ask: (message: () => string) => Effect.Effect<boolean>
  /** `instead` is kept for a client that comes back, where the message is too long for that. */
  readonly add: (message: string, instead?: () => string) => void
  readonly end: (message?: string, instead?: () => string) => void
  /** Undefined where a client cannot come back. */
  readonly release?: ((retryMillis: number) => void) | undefined
}

/** The way out for the requests that are answered here, made member by member as they are asked for. */
export class LazyStream implements Outlet {
  private stream: Opened | undefined
  private isFinished = false
  private readonly exchange: Exchange.Exchange
  /** Undefined for replies outside of sessions: they end with their connection. */
  private readonly session: HttpSession | undefined
  private readonly onOpen: (stream: Opened) => void

  constructor(
    exchange: Exchange.Exchange,
    session: HttpSession | undefined,
    onOpen: (stream: Opened) => void = ignore
  ) {
    this.exchange = exchange
    this.session = session
    this.onOpen = onOpen
  }

  get notify(): Outlet["notify"] {
    return (text) => this.open()?.send(text)
  }

  get questions(): Outlet["questions"] {
    if (!this.canAsk) return undefined
    return {
      ask: (request) => Effect.suspend(() => this.open()?.ask(request) ?? Effect.succeed(false)),
      takeBack: (notification) => this.open()?.add(notification)
    }
  }

  get release(): Outlet["release"] {
    return this.canAsk && this.session?.legacy.version === "2025-11-25"
      ? (retryMillis) => Effect.sync(() => this.sendAway(retryMillis))
      : undefined
  }

  /** Nothing is opened any more; gives the stream there is. */
  finish(): Opened | undefined {
    this.isFinished = true
    return this.stream
  }

  get opened(): Opened | undefined {
    return this.stream
  }

  /** A client that takes no event stream still gets its response. */
  private get canAsk(): boolean {
    return this.session !== undefined && this.exchange.accepts.sse
  }

  private sendAway(retryMillis: number): void {
    // A server that drains is soon not there to come back to.
    if (!this.exchange.shared.isDraining) this.open()?.release?.(retryMillis)
  }

  private open(): Opened | undefined {
    if (this.stream !== undefined || this.isFinished) return this.stream
    const { accepts, response } = this.exchange
    if (!accepts.sse || response.destroyed) return undefined
    const stream = this.connect()
    this.stream = stream
    this.onOpen(stream)
    return stream
  }

  private connect(): Opened {
    const { response, shared } = this.exchange
    const headers = Exchange.headersOf(this.exchange)
    if (this.session === undefined) return shared.connections.open(response, headers, { onEnd: ignore })
    const stream = this.session.streams.openReply()
    stream.connect(response, headers)
    return stream
  }
}

const ignore = () => {}
