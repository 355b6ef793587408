/**
 * Logs to stderr, one line each: on stdio, stdout belongs to the protocol. When nobody reads stderr, lines are
 * dropped rather than kept or waited for.
 */
import * as Cause from "effect/Cause"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { stderr } from "./internal/stderr.js"

/** Replaces Effect's default logger, which writes to stdout. */
export const layer: Layer.Layer<never> = Logger.replace(
  Logger.defaultLogger,
  Logger.make(({ cause, date, logLevel, message }) => {
    if (stderr().writableNeedDrain) return
    const text = Array.isArray(message) ? message.map(show).join(" ") : show(message)
    const reason = Cause.isEmpty(cause) ? "" : ` ${Cause.pretty(cause)}`
    stderr().write(`${date.toISOString()} ${logLevel.label} ${text}${reason}\n`)
  })
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
