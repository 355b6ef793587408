/**
 * How fast a peer is read: not at all while it does not read itself, and no faster than `rate` once it sends what is
 * no message. So two peers that answer each other's errors with text do not do so for ever at full speed. What is
 * not read yet waits; nothing is dropped.
 */
import type { Readable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { Writer } from "./writer.js"

export interface Intake {
  /** Takes note of input that was answered with an error since it was no message. */
  readonly noteMalformed: () => void
  /** Reads no further until the peer keeps up with what is written to it. */
  readonly awaitReader: () => void
}

/** Malformed lines that are read at once, and in each second from then on. */
const rate = 1_000

export const make = Effect.fnUntraced(function* (
  input: Readable,
  writer: Writer
): Effect.fn.Return<Intake, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const clock = yield* Effect.clock
  const fork = Runtime.runFork(yield* Effect.runtime<never>())
  let holds = 0
  /** When all malformed lines so far would have been read at an even pace. */
  let due = Number.NEGATIVE_INFINITY
  let isPacing = false
  let awaitsReader = false

  const hold = () => {
    holds += 1
    input.pause()
  }
  const release = () => {
    holds -= 1
    if (holds === 0) input.resume()
  }

  const wait = () => due - clock.unsafeCurrentTimeMillis() - 1_000
  const pause: Effect.Effect<void> = Effect.suspend(() => {
    const millis = wait()
    if (millis > 0) return Effect.zipRight(Effect.sleep(millis), pause)
    isPacing = false
    release()
    return Effect.void
  })

  writer.onWritable(() => {
    if (!awaitsReader) return
    awaitsReader = false
    release()
  })

  return {
    noteMalformed: () => {
      due = Math.max(due, clock.unsafeCurrentTimeMillis()) + 1_000 / rate
      if (isPacing || wait() <= 0) return
      isPacing = true
      hold()
      fork(pause, { scope })
    },
    awaitReader: () => {
      if (awaitsReader) return
      awaitsReader = true
      hold()
    }
  }
})
