/** A writer on a stream whose reader takes one write at a time, when the test lets it. */
import { Writable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Writer from "../../src/internal/writer.js"

export const make = (mostUnread = 1024 * 1024) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const gone: Array<Writer.Gone> = []
    let done: (() => void) | undefined
    const stream = new Writable({
      highWaterMark: 1,
      decodeStrings: false,
      write: (text: string, _, callback) => {
        lines.push(...text.split("\n").filter((line) => line !== ""))
        done = callback
      }
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => void stream.destroy()))
    const writer = yield* Writer.make(stream, { mostUnread, onGone: (why) => void gone.push(why) })
    const turn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))
    return {
      writer,
      stream,
      /** What the reader has been handed so far. */
      lines,
      gone,
      /** Lets what was queued in this turn go out. */
      turn,
      /** Has the reader stall at a line of the test's own. */
      stall: Effect.zipRight(
        Effect.sync(() => writer.add("stalled")),
        turn
      ),
      /** Lets the reader take the next write. */
      goOn: Effect.zipRight(
        Effect.sync(() => done?.()),
        Effect.zipRight(turn, turn)
      )
    }
  })
