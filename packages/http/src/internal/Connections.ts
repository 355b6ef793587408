/** The event streams that are open on this server, each until its client or whoever opened it ends it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Headers } from "../Admission.js"
import type { Response } from "./HttpRequest.js"
import type { Run } from "./Run.js"
import * as SseStream from "./SseStream.js"

export interface Options {
  /** What may wait for a client that does not read. */
  readonly maxUnreadBytes: number
  readonly run: Run
}

export class Connections {
  private readonly options: Options
  private readonly streams = new Set<SseStream.SseStream>()

  constructor(options: Options) {
    this.options = options
  }

  /** Starts an event stream. Hooks are called by node's events: what one throws is logged and ends the stream alone. */
  open(response: Response, headers: Headers, hooks: SseStream.Hooks): SseStream.SseStream {
    const connection = new Connection(this, response, headers, hooks)
    const stream = SseStream.open(connection)
    connection.stream = stream
    this.streams.add(stream)
    return stream
  }

  get maxUnreadBytes(): number {
    return this.options.maxUnreadBytes
  }

  ended({ hooks, response, stream }: Connection): void {
    if (stream !== undefined) this.streams.delete(stream)
    this.guard(response, () => hooks.onEnd())
  }

  writable({ hooks, response }: Connection): void {
    this.guard(response, () => hooks.onWritable?.())
  }

  overrun(): void {
    const { maxUnreadBytes } = this
    this.log(Effect.logWarning("A client does not read its event stream, which ends", { maxUnreadBytes }))
  }

  /** Tells clients that wait that their connections stand. */
  keepAlive(): void {
    for (const stream of this.streams) stream.keepAlive()
  }

  end(): void {
    for (const stream of Array.from(this.streams)) stream.end()
  }

  private guard(response: Response, step: () => void): void {
    try {
      step()
    } catch (defect) {
      this.log(Effect.logError("An event stream failed", Cause.die(defect)))
      response.destroy()
    }
  }

  private log(line: Effect.Effect<void>): void {
    this.options.run(line)
  }
}

/** One stream and whose it is. */
class Connection implements SseStream.Options {
  readonly response: Response
  readonly headers: Headers
  readonly hooks: SseStream.Hooks
  stream: SseStream.SseStream | undefined
  private readonly connections: Connections

  constructor(connections: Connections, response: Response, headers: Headers, hooks: SseStream.Hooks) {
    this.connections = connections
    this.response = response
    this.headers = headers
    this.hooks = hooks
  }

  get maxUnreadBytes(): number {
    return this.connections.maxUnreadBytes
  }

  onEnd(): void {
    this.connections.ended(this)
  }

  onWritable(): void {
    this.connections.writable(this)
  }

  onOverrun(): void {
    this.connections.overrun()
  }
}
