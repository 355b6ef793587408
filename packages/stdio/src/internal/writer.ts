/**
 * Whole lines to a stream, one write for what a piece of input leads to, else for a turn of the event loop. A reader that stalls makes `write` wait; a reader
 * that has gone makes it do nothing.
 */
import type { Writable } from "node:stream"
import type { Sending } from "@pushbutton/server/Decision"
import type { Sink } from "@pushbutton/server/Sink"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Its `add` queues a line; `canTake` is false while the reader stalls. */
export interface Writer extends Sink {
  /** Takes a step, and writes what it has queued when it is over: not a turn later, as all else. */
  readonly together: (step: () => void) => void
  /** Queues a line. What it gives completes when the reader keeps up. */
  readonly write: (line: string) => Sending
  /** Queues a line when the reader keeps up, and not before. False: it has gone. */
  readonly ask: (line: () => string) => Effect.Effect<boolean>
  /** Whether more is queued than a reader that keeps up would ever let stand. */
  readonly isCongested: () => boolean
  /** Calls back each time the reader keeps up again, and when it has gone. Must not throw. */
  readonly onWritable: (listener: () => void) => void
  /** Completes when all that was queued has been handed to the system, or the reader has gone. */
  readonly flushed: Effect.Effect<void>
}

/** `unread`: it has let more wait than is kept for it. */
export type Gone = "closed" | "unread"

export interface Options {
  /** UTF-16 units that may wait for a reader that stalls; with one line more it counts as gone. */
  readonly mostUnread: number
  readonly onGone: (why: Gone) => void
}

/** A turn that queues more than this many UTF-16 units writes at once, so that a stalled reader is felt. */
const turnLimit = 65_536

/** UTF-16 units that may wait behind a reader that stalls before the peer is read no further. */
const congestion = 1_048_576

/** How long the end waits for a reader that does not read. */
const lastWord = "2 seconds"

/** The stream stays open when the scope closes, but what is queued is written first. */
export const make = (stream: Writable, options: Options): Effect.Effect<Writer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => open(stream, options)),
    (writer) =>
      Effect.zipRight(
        Effect.timeoutOption(Effect.interruptible(writer.flushed), lastWord),
        Effect.sync(writer.close)
      )
  )

const open = (stream: Writable, { mostUnread, onGone }: Options): Writer & { readonly close: () => void } => {
  // One string could become longer than strings may be.
  let texts: Array<string> = []
  let queued = 0
  let scheduled = false
  let isTogether = false
  let blocked = false
  let gone = false
  let waiting: Array<() => void> = []
  const listeners: Array<() => void> = []

  const release = () => {
    const resumed = waiting
    waiting = []
    for (const resume of resumed) resume()
    for (const listener of listeners) listener()
  }

  const queue = (text: string) => {
    const last = texts.at(-1)
    if (last !== undefined && last.length < turnLimit) texts[texts.length - 1] = last + text
    else texts.push(text)
    queued += text.length
  }

  const flush = () => {
    scheduled = false
    while (!gone && !blocked) {
      const text = texts.shift()
      if (text === undefined) return
      queued -= text.length
      blocked = !stream.write(text)
    }
  }

  const onDrain = () => {
    blocked = false
    flush()
    if (!blocked) release()
  }

  const end = (why: Gone) => {
    if (gone) return
    gone = true
    texts = []
    queued = 0
    release()
    onGone(why)
  }
  const onClosed = () => end("closed")

  stream.on("drain", onDrain)
  stream.on("error", onClosed)
  stream.on("close", onClosed)

  const add = (line: string) => {
    if (gone) return
    if (queued > mostUnread) return end("unread")
    queue(`${line}\n`)
    if (blocked) return
    if (queued >= turnLimit) return flush()
    if (scheduled || isTogether) return
    scheduled = true
    setImmediate(flush)
  }

  const together = (step: () => void) => {
    isTogether = true
    try {
      step()
    } finally {
      isTogether = false
      flush()
    }
  }

  const keptUp = Effect.async<void>((resume) => {
    if (gone || !blocked) return resume(Effect.void)
    const done = () => resume(Effect.void)
    waiting.push(done)
    return Effect.sync(() => {
      waiting = waiting.filter((other) => other !== done)
    })
  })

  const ask = (line: () => string): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      if (gone) return Effect.succeed(false)
      if (blocked) return Effect.zipRight(keptUp, ask(line))
      add(line())
      return Effect.succeed(true)
    })

  return {
    add,
    ask,
    canTake: () => gone || !blocked,
    together,
    isCongested: () => blocked && queued > congestion,
    onWritable: (listener) => void listeners.push(listener),
    write: (line) => {
      add(line)
      return blocked ? keptUp : undefined
    },
    flushed: Effect.async<void>((resume) => {
      const check = () => {
        flush()
        if (gone) return resume(Effect.void)
        if (blocked) return void waiting.push(check)
        // The callback of an empty write comes after the writes before it.
        stream.write("", () => resume(Effect.void))
      }
      check()
    }),
    close: () => {
      stream.off("drain", onDrain)
      stream.off("close", onClosed)
      // The error listener stays: a broken pipe may be reported after the last write, and nobody is left to care.
    }
  }
}
