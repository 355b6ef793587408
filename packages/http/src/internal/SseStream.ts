/**
 * The event stream of one reply. Events of one turn of the event loop share a write; when the client cannot take
 * more, senders wait, so that at most one batch and one message per waiting sender are kept.
 */
import * as Effect from "effect/Effect"
import type { Headers } from "../Admission.js"
import type { Response } from "./HttpRequest.js"

export interface SseStream {
  /** Completes when the message is taken over; drops it when the stream has ended or its client has left. */
  readonly send: (message: string) => Effect.Effect<void>
  /** The same for a message that is made when it goes out. False: the stream has ended. */
  readonly ask: (message: () => string) => Effect.Effect<boolean>
  /** Whether the client keeps up; `onWritable` tells when it does so again. */
  readonly canTake: () => boolean
  /** Completes when the client keeps up again, or when nothing more can be sent. */
  readonly writable: Effect.Effect<void>
  /** Takes a message over, whether the client keeps up or not. */
  readonly add: (message: string) => void
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

const batchLength = 64 * 1024

const ignore = () => {}

/** Starts the stream; `onEnd` is called once, when nothing more can be sent. */
export const open = (
  response: Response,
  own: Headers,
  onEnd: () => void,
  onWritable: () => void = ignore
): SseStream => {
  let batch = ""
  let flushing: NodeJS.Immediate | undefined
  let isBlocked = false
  let isEnded = false
  let waiting: Array<() => void> = []

  const wake = () => {
    const senders = waiting
    waiting = []
    for (const resume of senders) resume()
  }

  const stop = () => {
    if (isEnded) return
    isEnded = true
    clearImmediate(flushing)
    batch = ""
    onEnd()
    wake()
  }

  const write = (text: string) => {
    isBlocked = !response.write(text)
  }

  const flush = () => {
    clearImmediate(flushing)
    flushing = undefined
    if (isEnded || isBlocked || batch === "") return
    const text = batch
    batch = ""
    write(text)
  }

  const addEvent = (text: string) => {
    batch += text
    if (batch.length >= batchLength) flush()
    else flushing ??= setImmediate(flush)
  }

  const writable = Effect.async<void>((resume) => {
    if (isEnded || !isBlocked) return resume(Effect.void)
    const go = () => resume(Effect.void)
    waiting.push(go)
    return Effect.sync(() => {
      waiting = waiting.filter((sender) => sender !== go)
    })
  })

  const ask = (message: () => string): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      if (isEnded) return Effect.succeed(false)
      if (isBlocked) return Effect.zipRight(writable, ask(message))
      addEvent(event(message()))
      return Effect.succeed(true)
    })

  response.writeHead(200, [...headers, ...own])
  response.on("close", stop)
  response.on("drain", () => {
    isBlocked = false
    flush()
    if (isBlocked) return
    wake()
    onWritable()
  })

  return {
    send: (message) => Effect.asVoid(ask(() => message)),
    ask,
    canTake: () => !isEnded && !isBlocked,
    writable,
    add: (message) => {
      if (!isEnded) addEvent(event(message))
    },
    addEvent: (text) => {
      if (!isEnded) addEvent(text)
    },
    keepAlive: () => {
      if (!isEnded && !isBlocked && batch === "") write(": keep-alive\n\n")
    },
    end: (message) => {
      if (isEnded) return
      const rest = message === undefined ? batch : batch + event(message)
      stop()
      response.end(rest)
    }
  }
}
