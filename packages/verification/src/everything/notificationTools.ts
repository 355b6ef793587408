/** Tools that tell something before they answer, and what they know of the request. */
import * as Log from "@pushbutton/server/Log"
import * as Polling from "@pushbutton/server/Polling"
import * as Progress from "@pushbutton/server/Progress"
import { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const nothing = Schema.Struct({})

const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const

const pause = Effect.sleep("50 millis")

export const progress = Tool.make("test_tool_with_progress", {
  description: "Reports its progress in three steps",
  input: nothing,
  handler: () =>
    Effect.gen(function* () {
      yield* Progress.report({ progress: 0, total: 100, message: "Completed step 0 of 100" })
      yield* pause
      yield* Progress.report({ progress: 50, total: 100, message: "Completed step 50 of 100" })
      yield* pause
      yield* Progress.report({ progress: 100, total: 100, message: "Completed step 100 of 100" })
      return "All steps are done."
    })
})

export const logging = Tool.make("test_tool_with_logging", {
  description: "Logs what it does in three messages",
  input: nothing,
  handler: () =>
    Effect.gen(function* () {
      yield* Effect.logInfo("Tool execution started")
      yield* pause
      yield* Effect.logInfo("Tool processing data")
      yield* pause
      yield* Effect.logInfo("Tool execution completed")
      return "All messages are sent."
    })
})

export const loggingOnRequest = Tool.make("test_logging_tool", {
  description: "Logs one message, for clients that asked for it",
  input: nothing,
  handler: () => Effect.as(Effect.logInfo("This message was asked for"), "One message was logged.")
})

export const loggingLevels = Tool.make("test_logging_levels", {
  description: "Logs one message of each level",
  input: nothing,
  handler: () =>
    Effect.as(
      Effect.forEach(levels, (level) => Log.send(level, `A message of the level ${level}`)),
      "A message of each level was logged."
    )
})

export const waiting = Tool.make("test_waiting", {
  description: "Reports that it has begun, and then takes its time, for clients that cancel",
  input: Schema.Struct({ seconds: Schema.Number.pipe(Schema.between(0, 3600)) }),
  handler: ({ seconds }) =>
    Progress.report({ progress: 1, message: "begun" }).pipe(
      Effect.zipRight(Effect.sleep(Duration.seconds(seconds))),
      Effect.as("Nobody has cancelled this.")
    )
})

export const reconnection = Tool.make("test_reconnection", {
  description: "Ends the connection that waits for its answer, where the client can come back for it",
  input: nothing,
  handler: () =>
    Effect.gen(function* () {
      yield* Polling.release({ retryAfter: "50 millis" })
      yield* pause
      return "The client came back for this, or waited."
    })
})

export const trace = Tool.make("test_trace_context", {
  description: "Answers with the trace that the request belongs to",
  input: nothing,
  handler: () =>
    Effect.map(RequestContext, ({ trace: { baggage, traceparent, tracestate } = {} }) =>
      JSON.stringify({ traceparent, tracestate, baggage })
    )
})
