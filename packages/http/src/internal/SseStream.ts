/**
 * The event stream of one reply. Events of one turn of the event loop share a write. While the client cannot take more,
 * senders wait; what does not wait, such as replies, is kept up to a bound, beyond which the stream ends.
 */
import { Buffer } from "node:buffer"
import type { Sending } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"
import type { Headers } from "../Admission.js"
import type { Response } from "./HttpRequest.js"

export const headers: Headers = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-cache, no-transform",
  "X-Accel-Buffering",
  "no"
]

/** A JSON-RPC message is one line, so it is one `data` field. */
export const event = (message: string, id?: string): string =>
  id === undefined
    ? `event: message\ndata: ${message}\n\n`
    : `id: ${id}\nevent: message\ndata: ${message}\n\n`

/** Tells an id ahead of all messages, so that a client can come back for them (2025-11-25, transports: SHOULD). */
export const priming = (id: string): string => `id: ${id}\ndata: \n\n`

/** How long a client waits until it comes back (2025-11-25, transports: SHOULD, before a connection is closed early). */
export const retry = (millis: number): string => `retry: ${millis}\n\n`

/** Events are gathered for one write up to this length; a longer event goes out by itself. */
const batchLength = 64 * 1024

/** A longer message could not be made an event of: strings end at twice this length. */
const longestMessage = 2 ** 28

export interface Hooks {
  /** Called once, when nothing more can be sent. */
  onEnd(): void
  /** The client keeps up again. */
  readonly onWritable?: (() => void) | undefined
}

export interface Options extends Hooks {
  readonly response: Response
  readonly headers: Headers
  /** What may wait for a client that does not read, beside one message of any length. */
  readonly maxUnreadBytes: number
  /** More than that would wait: the stream ends with what was sent. */
  onOverrun(): void
}

/** Starts the stream. */
export const open = (options: Options): SseStream => new SseStream(options)

/** There may be many, and most are idle most of the time: one is one object, and makes what else it needs as it needs it. */
export class SseStream {
  private readonly options: Options
  private batch: Array<string> = []
  private batched = 0
  private unread = 0
  private flushing: NodeJS.Immediate | undefined
  private isBlocked = false
  private isEnded = false
  private waiting: Array<() => void> | undefined

  constructor(options: Options) {
    this.options = options
    const { response } = options
    response.writeHead(200, [...headers, ...options.headers])
    response.on("close", () => this.stop())
    response.on("drain", () => this.drained())
  }

  /** Takes the message over when the client keeps up, else later; drops it when the stream has ended or its client has left. */
  send(message: string): Sending {
    if (this.isBlocked && !this.isEnded) return Effect.asVoid(this.ask(() => message))
    this.add(message)
    return undefined
  }

  /** The same for a message that is made when it goes out. False: the stream has ended. */
  ask(message: () => string): Effect.Effect<boolean> {
    return this.inTurn(() => {
      if (this.isEnded) return false
      this.add(message())
      return true
    })
  }

  /** Whether the client keeps up; `onWritable` tells when it does so again. */
  canTake(): boolean {
    return !this.isEnded && !this.isBlocked
  }

  /** Completes when the client keeps up again, or when nothing more can be sent. */
  get writable(): Effect.Effect<void> {
    return this.inTurn(() => undefined)
  }

  /** Takes the step when the client keeps up or nothing more can be sent, after those that came before it. */
  inTurn<A>(step: () => A): Effect.Effect<A> {
    return Effect.async<A>((resume) => {
      const go = () => resume(taken(step))
      if (this.isEnded || !this.isBlocked) return go()
      this.waiting ??= []
      this.waiting.push(go)
      return Effect.sync(() => {
        this.waiting = this.waiting?.filter((waiter) => waiter !== go)
      })
    })
  }

  /** Takes a message over, whether the client keeps up or not. */
  add(message: string): void {
    this.addWithId(message, undefined)
  }

  /** The same for an event that has an id, if there is one. */
  addWithId(message: string, id: string | undefined): void {
    if (this.isEnded) return
    if (message.length > longestMessage) this.overrun()
    else this.addEvent(event(message, id))
  }

  /** The same for what is written as an event already. */
  addEvent(text: string): void {
    if (this.isEnded) return
    if (this.isBlocked) {
      const bytes = Buffer.byteLength(text)
      if (this.unread > 0 && this.unread + bytes > this.options.maxUnreadBytes) return this.overrun()
      this.unread += bytes
    }
    this.batch.push(text)
    this.batched += text.length
    if (this.batched >= batchLength) this.flush()
    else this.flushing ??= setImmediate(flush, this)
  }

  /** Says that the stream is alive, unless something waits to be written anyway. */
  keepAlive(): void {
    if (!this.isEnded && !this.isBlocked && this.batched === 0) this.write(": keep-alive\n\n")
  }

  /** Sends what is left, then `message` when there is one, and ends the stream. */
  end(message?: string): void {
    if (message !== undefined) this.add(message)
    if (this.isEnded) return
    const { response } = this.options
    const rest = joined(this.empty())
    const last = rest.pop()
    for (const text of rest) response.write(text)
    this.stop()
    response.end(last)
  }

  flush(): void {
    if (this.isEnded || this.isBlocked) return
    for (const text of joined(this.empty())) this.write(text)
  }

  private drained(): void {
    this.isBlocked = false
    this.flush()
    if (this.isBlocked || this.isEnded) return
    this.wake()
    this.options.onWritable?.()
  }

  private write(text: string): void {
    this.isBlocked = !this.options.response.write(text)
  }

  private wake(): void {
    while (this.waiting !== undefined && this.waiting.length > 0 && (this.isEnded || !this.isBlocked)) {
      this.waiting.shift()?.()
    }
  }

  private empty(): ReadonlyArray<string> {
    clearImmediate(this.flushing)
    this.flushing = undefined
    const texts = this.batch
    this.batch = []
    this.batched = 0
    this.unread = 0
    return texts
  }

  private stop(): void {
    if (this.isEnded) return
    this.isEnded = true
    this.empty()
    this.options.onEnd()
    this.wake()
  }

  private overrun(): void {
    this.options.onOverrun()
    this.stop()
    this.options.response.destroy()
  }
}

const flush = (stream: SseStream) => stream.flush()

/** Takes the step at once. */
const taken = <A>(step: () => A): Effect.Effect<A> => {
  try {
    return Effect.succeed(step())
  } catch (defect) {
    return Effect.die(defect)
  }
}

/** Short events share a write, and no write is longer than its event and a batch. */
const joined = (events: ReadonlyArray<string>): Array<string> => {
  const texts: Array<string> = []
  for (const event of events) {
    const last = texts.at(-1)
    if (last !== undefined && last.length < batchLength) texts[texts.length - 1] = last + event
    else texts.push(event)
  }
  return texts
}
