/** A reply that becomes an event stream as soon as something has to go out ahead of its end, and no sooner. */
import type { Outlet } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"
import type { Headers } from "../Admission.js"
import type { Response } from "./HttpRequest.js"
import type { HttpSession } from "./HttpSession.js"
import type { Accepts } from "./mediaTypes.js"
import * as SseStream from "./SseStream.js"

/** What an open stream is to its reply. */
export interface Opened {
  readonly send: (message: string) => Effect.Effect<void>
  /** False: nobody can read it any more. */
  readonly ask: (message: () => string) => Effect.Effect<boolean>
  readonly add: (message: string) => void
  readonly end: (message?: string) => void
  /** Undefined where a client cannot come back. */
  readonly release?: ((retryMillis: number) => void) | undefined
}

export interface Options {
  readonly response: Response
  readonly accepts: Accepts
  /** Read when the reply begins. */
  readonly headers: () => Headers
  /** Those of this server. */
  readonly connections: Set<SseStream.SseStream>
  /** Undefined for replies outside of sessions: they end with their connection. */
  readonly session: HttpSession | undefined
}

export class LazyStream {
  private stream: Opened | undefined
  private isFinished = false
  private readonly options: Options
  private readonly onOpen: (stream: Opened) => void
  /** For the requests that are answered here. */
  readonly outlet: Outlet

  constructor(options: Options, onOpen: (stream: Opened) => void = ignore) {
    this.options = options
    this.onOpen = onOpen
    this.outlet = this.makeOutlet()
  }

  /** Nothing is opened any more; gives the stream there is. */
  finish(): Opened | undefined {
    this.isFinished = true
    return this.stream
  }

  get opened(): Opened | undefined {
    return this.stream
  }

  private makeOutlet(): Outlet {
    const { accepts, session } = this.options
    const notify: Outlet["notify"] = (text) => Effect.suspend(() => this.open()?.send(text) ?? Effect.void)
    // A client that takes no event stream still gets its response.
    if (session === undefined || !accepts.sse) return { notify }
    return {
      notify,
      questions: {
        ask: (request) => Effect.suspend(() => this.open()?.ask(request) ?? Effect.succeed(false)),
        takeBack: (notification) => this.open()?.add(notification)
      },
      release:
        session.legacy.version === "2025-11-25"
          ? (retryMillis) => Effect.sync(() => this.open()?.release?.(retryMillis))
          : undefined
    }
  }

  private open(): Opened | undefined {
    if (this.stream !== undefined || this.isFinished) return this.stream
    const { accepts, response } = this.options
    if (!accepts.sse || response.destroyed) return undefined
    const stream = this.connect()
    this.stream = stream
    this.onOpen(stream)
    return stream
  }

  private connect(): Opened {
    const { connections, headers, response, session } = this.options
    if (session !== undefined) {
      const stream = session.streams.openReply()
      stream.connect(response, headers())
      return stream
    }
    const opened = SseStream.open(response, headers(), () => connections.delete(opened))
    connections.add(opened)
    return opened
  }
}

const ignore = () => {}
