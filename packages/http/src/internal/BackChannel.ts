/**
 * Lets a stream of a legacy session carry what belongs to no request: messages are taken from the session as the client
 * takes them from the stream. It has no fiber and no queue of its own.
 */
import type { LegacySession } from "@pushbutton/server/LegacySession"

/** The part of an event stream that is written here. */
export interface Sink {
  /** Whether the client keeps up. */
  readonly canTake: () => boolean
  readonly add: (message: string) => void
}

export class BackChannel {
  private readonly session: LegacySession
  private readonly sink: Sink
  private detach: (() => void) | undefined

  constructor(session: LegacySession, sink: Sink) {
    this.session = session
    this.sink = sink
  }

  /** The stream is connected: it is the newest of its session, and carries what waits. */
  open(): void {
    this.detach ??= this.session.attach({ wake: () => this.pump() })
    this.pump()
  }

  /** The stream has lost its connection: another one carries what follows, or it waits. */
  close(): void {
    this.detach?.()
    this.detach = undefined
  }

  /** The client can take more, or there is more. */
  pump(): void {
    while (this.detach !== undefined && this.sink.canTake()) {
      const message = this.session.take()
      if (message === undefined) return
      this.sink.add(message)
    }
  }
}
