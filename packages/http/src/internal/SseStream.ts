/**
 * The event stream of one reply. Events of one turn of the event loop share a write. While the client cannot take more,
 * senders wait; what does not wait, such as replies, is kept up to a bound, beyond which the stream ends.
 */
import { Buffer } from "node:buffer"
import type { Sending } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"
import type { Headers } from "../Admission.js"
import type { Response } from "./HttpRequest.js"

export interface SseStream {
  /** Takes the message over when the client keeps up, else later; drops it when the stream has ended or its client has left. */
  readonly send: (message: string) => Sending
  /** The same for a message that is made when it goes out. False: the stream has ended. */
  readonly ask: (message: () => string) => Effect.Effect<boolean>
  /** Whether the client keeps up; `onWritable` tells when it does so again. */
  readonly canTake: () => boolean
  /** Completes when the client keeps up again, or when nothing more can be sent. */
  readonly writable: Effect.Effect<void>
  /** Takes a message over, whether the client keeps up or not. */
  readonly add: (message: string) => void
  /** The same for an event that has an id, if there is one. */
  readonly addWithId: (message: string, id: string | undefined) => void
  /** The same for what is written as an event already. */
  readonly addEvent: (text: string) => void
  /** Says that the stream is alive, unless something waits to be written anyway. */
  readonly keepAlive: () => void
  /** Sends what is left, then `message` when there is one, and ends the stream. */
  readonly end: (message?: string) => void
}

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
  readonly onEnd: () => void
  /** The client keeps up again. */
  readonly onWritable?: (() => void) | undefined
}

export interface Options extends Hooks {
  readonly response: Response
  readonly headers: Headers
  /** What may wait for a client that does not read, beside one message of any length. */
  readonly maxUnreadBytes: number
  /** More than that would wait: the stream ends with what was sent. */
  readonly onOverrun: () => void
}

/** Starts the stream. */
export const open = (options: Options): SseStream => {
  const { maxUnreadBytes, onEnd, onOverrun, onWritable, response } = options
  let batch: Array<string> = []
  let batched = 0
  let unread = 0
  let flushing: NodeJS.Immediate | undefined
  let isBlocked = false
  let isEnded = false
  let waiting: Array<() => void> = []

  const wake = () => {
    const senders = waiting
    waiting = []
    for (const resume of senders) resume()
  }

  const empty = () => {
    clearImmediate(flushing)
    flushing = undefined
    const texts = batch
    batch = []
    batched = 0
    unread = 0
    return texts
  }

  const stop = () => {
    if (isEnded) return
    isEnded = true
    empty()
    onEnd()
    wake()
  }

  const overrun = () => {
    onOverrun()
    stop()
    response.destroy()
  }

  const write = (text: string) => {
    isBlocked = !response.write(text)
  }

  const flush = () => {
    if (isEnded || isBlocked) return
    for (const text of joined(empty())) write(text)
  }

  const addEvent = (text: string) => {
    if (isEnded) return
    if (isBlocked) {
      const bytes = Buffer.byteLength(text)
      if (unread > 0 && unread + bytes > maxUnreadBytes) return overrun()
      unread += bytes
    }
    batch.push(text)
    batched += text.length
    if (batched >= batchLength) flush()
    else flushing ??= setImmediate(flush)
  }

  const addWithId = (message: string, id: string | undefined) => {
    if (isEnded) return
    if (message.length > longestMessage) overrun()
    else addEvent(event(message, id))
  }

  const add = (message: string) => addWithId(message, undefined)

  const writable = Effect.async<void>((resume) => {
    if (isEnded || !isBlocked) return resume(Effect.void)
    const go = () => resume(Effect.void)
    waiting.push(go)
    return Effect.sync(() => {
      waiting = waiting.filter((sender) => sender !== go)
    })
  })

  const send = (message: string): Sending => {
    if (isBlocked && !isEnded)
      return Effect.zipRight(
        writable,
        Effect.suspend(() => send(message) ?? Effect.void)
      )
    add(message)
    return undefined
  }

  const ask = (message: () => string): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      if (isEnded) return Effect.succeed(false)
      if (isBlocked) return Effect.zipRight(writable, ask(message))
      add(message())
      return Effect.succeed(true)
    })

  response.writeHead(200, [...headers, ...options.headers])
  response.on("close", stop)
  response.on("drain", () => {
    isBlocked = false
    flush()
    if (isBlocked || isEnded) return
    wake()
    onWritable?.()
  })

  return {
    ask,
    send,
    canTake: () => !isEnded && !isBlocked,
    writable,
    add,
    addWithId,
    addEvent,
    keepAlive: () => {
      if (!isEnded && !isBlocked && batched === 0) write(": keep-alive\n\n")
    },
    end: (message) => {
      if (message !== undefined) add(message)
      if (isEnded) return
      const rest = joined(empty())
      const last = rest.pop()
      for (const text of rest) response.write(text)
      stop()
      response.end(last)
    }
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
