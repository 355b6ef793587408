/** Lets a stream of a legacy session carry what belongs to no request, while it is open. */
import type { LegacySession } from "./LegacySession.js"
import * as Sink from "./Sink.js"

export class BackChannel {
  private readonly session: LegacySession
  private readonly sink: Sink.Sink
  private detach: (() => void) | undefined

  constructor(session: LegacySession, sink: Sink.Sink) {
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

  /** The peer can take more, or there is more. */
  pump(): void {
    if (this.detach !== undefined) Sink.pump(this.session, this.sink)
  }
}
