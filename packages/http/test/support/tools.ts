/** Tools that tell the test what happens to them. */
import * as Polling from "@pushbutton/server/Polling"
import * as Progress from "@pushbutton/server/Progress"
import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const echo = Tool.make("echo", {
  input: Schema.Struct({ text: Schema.String }),
  handler: ({ text }) => Effect.succeed(text)
})

/** Reports progress twice, then answers. */
export const steps = Tool.make("steps", {
  input: Schema.Struct({}),
  handler: () =>
    Effect.gen(function* () {
      yield* Progress.report({ progress: 1, total: 2 })
      yield* Progress.report({ progress: 2, total: 2 })
      return "done"
    })
})

/** Starts, reports progress where asked to, and waits until the test lets it end. */
export const makeWaiting = Effect.gen(function* () {
  const started = yield* Deferred.make<void>()
  const gate = yield* Deferred.make<string>()
  const interrupted = yield* Deferred.make<void>()
  const finished = yield* Deferred.make<void>()
  const tool = Tool.make("wait", {
    input: Schema.Struct({}),
    handler: () =>
      Effect.gen(function* () {
        yield* Progress.report({ progress: 1 })
        yield* Deferred.succeed(started, undefined)
        const text = yield* Deferred.await(gate)
        yield* Progress.report({ progress: 2 })
        yield* Deferred.succeed(finished, undefined)
        return text
      }).pipe(Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined)))
  })
  return { tool, started, gate, interrupted, finished }
})

/** Ends its connection with its first act, and has this result once the test opens the gate. */
export const makePolledWith = (result: string) =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const tool = Tool.make("polled", {
      input: Schema.Struct({}),
      handler: () =>
        Effect.gen(function* () {
          yield* Polling.release({ retryAfter: "20 millis" })
          yield* Progress.report({ progress: 1 })
          yield* Deferred.await(gate)
          return result
        })
    })
    return { tool, gate }
  })

export const makePolled = makePolledWith("late")
