/** What the server writes to its log. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"

/** Replaces the logger; each line is the message and, if there is one, the defect's own message. */
export const captureLogs = Effect.sync(() => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ cause, message }) => {
    const parts = Array.isArray(message) ? message : [message]
    lines.push([...parts.map(String), ...Cause.prettyErrors(cause).map((error) => error.message)].join(": "))
  })
  return { lines, layer: Logger.replace(Logger.defaultLogger, logger) }
})

export const quiet: Layer.Layer<never> = Logger.remove(Logger.defaultLogger)
