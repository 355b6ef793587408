/**
 * Whole lines to a stream, one write per turn of the event loop. A reader that stalls makes `write` wait; a reader
 * that has gone makes it do nothing.
 */
import type { Writable } from "node:stream"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface Writer {
  /** Queues a line, whatever the reader does. */
  readonly push: (line: string) => void
  /** Queues a line and completes when the reader keeps up. */
  readonly write: (line: string) => Effect.Effect<void>
  /** Queues a line when the reader keeps up, and not before. False: it has gone. */
  readonly ask: (line: () => string) => Effect.Effect<boolean>
  /** Whether the reader stalls. */
  readonly isBlocked: () => boolean
  /** Whether more is queued than a reader that keeps up would ever let stand. */
  readonly isCongested: () => boolean
  /** Calls back once, when the reader keeps up again or has gone. */
  readonly onKeptUp: (callback: () => void) => void
  /** Completes when all that was queued has been handed to the system, or the reader has gone. */
  readonly flushed: Effect.Effect<void>
}

/** A turn that queues more than this many UTF-16 units writes at once, so that a stalled reader is felt. */
const turnLimit = 65_536

/** UTF-16 units that may wait behind a reader that stalls before the peer is read no further. */
const congestion = 1_048_576

/** How long the end waits for a reader that does not read. */
const lastWord = "2 seconds"

/** The stream stays open when the scope closes, but what is queued is written first. */
export const make = (stream: Writable, onGone: () => void): Effect.Effect<Writer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => open(stream, onGone)),
    (writer) =>
      Effect.zipRight(
        Effect.timeoutOption(Effect.interruptible(writer.flushed), lastWord),
        Effect.sync(writer.close)
      )
  )

const open = (stream: Writable, onGone: () => void): Writer & { readonly close: () => void } => {
  let queued = ""
  let scheduled = false
  let blocked = false
  let gone = false
  let waiting: Array<() => void> = []

  const release = () => {
    const resumed = waiting
    waiting = []
    for (const resume of resumed) resume()
  }

  const flush = () => {
    scheduled = false
    if (gone || blocked || queued === "") return
    const text = queued
    queued = ""
    blocked = !stream.write(text)
    if (!blocked) release()
  }

  const onDrain = () => {
    blocked = false
    flush()
    if (!blocked) release()
  }

  const onError = () => {
    if (gone) return
    gone = true
    queued = ""
    release()
    onGone()
  }

  stream.on("drain", onDrain)
  stream.on("error", onError)
  stream.on("close", onError)

  const push = (line: string) => {
    if (gone) return
    queued += `${line}\n`
    if (blocked) return
    if (queued.length >= turnLimit) return flush()
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
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
      push(line())
      return Effect.succeed(true)
    })

  return {
    push,
    ask,
    isBlocked: () => blocked && !gone,
    isCongested: () => blocked && queued.length > congestion,
    onKeptUp: (callback) => {
      if (gone || !blocked) callback()
      else waiting.push(callback)
    },
    write: (line) =>
      Effect.suspend(() => {
        push(line)
        return blocked ? keptUp : Effect.void
      }),
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
      stream.off("close", onError)
      // The error listener stays: a broken pipe may be reported after the last write, and nobody is left to care.
    }
  }
}
