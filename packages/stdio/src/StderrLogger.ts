/**
 * Logs to stderr, one line each: on stdio, stdout belongs to the protocol. When nobody reads stderr, lines are
 * dropped rather than kept or waited for.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { stderr } from "./internal/stderr.js"

const logger = Logger.make<unknown, void>(({ cause, date, logLevel, message }) => {
  if (stderr().writableNeedDrain) return
  const text = Array.isArray(message) ? message.map(show).join(" ") : show(message)
  const reason = Cause.isEmpty(cause) ? "" : Cause.pretty(cause)
  const parts = [date.toISOString(), logLevel.label, text, reason].filter((part) => part !== "")
  stderr().write(`${parts.join(" ")}\n`)
})

const replaceLoggers = (loggers: HashSet.HashSet<Logger.Logger<unknown, unknown>>) =>
  loggers.pipe(
    HashSet.remove(Logger.prettyLoggerDefault),
    HashSet.remove(Logger.defaultLogger),
    HashSet.add(logger)
  )

/** Replaces the loggers that write to stdout: Effect's default one, and the one that `runMain` puts in its place. */
export const layer: Layer.Layer<never> = Layer.scopedDiscard(
  Effect.locallyScopedWith(FiberRef.currentLoggers, replaceLoggers)
)

/** The same for one effect, at less cost. */
export const use: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.locallyWith(
  FiberRef.currentLoggers,
  replaceLoggers
)

const show = (value: unknown): string => {
  if (typeof value === "string") return value
  if (value instanceof Error) return value.stack ?? value.message
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
