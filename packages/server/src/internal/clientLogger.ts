/** Effect's logging as protocol logging: what a handler logs also goes to the client of its request. */
import type { LoggingLevel } from "@pushbutton/protocol/Logging"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as List from "effect/List"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import { between } from "./between.js"
import * as LogData from "./logData.js"
import type { LogMessages } from "./logMessages.js"

/** The annotation that names the part of the server that logs. */
const loggerAnnotation = "logger"

/**
 * Adds the client to the loggers of an effect. Where the client asked for more than the server's own log takes, the
 * other loggers go on to get what they got before. To be run where nothing can be interrupted but what says so.
 */
export const capture = <A, E, R>(effect: Effect.Effect<A, E, R>, messages: LogMessages) =>
  Effect.flatMap(Effect.getFiberRefs, (refs): Effect.Effect<A, E, R> => {
    const loggers = FiberRefs.getOrDefault(refs, FiberRef.currentLoggers)
    const minimum = FiberRefs.getOrDefault(refs, FiberRef.currentMinimumLogLevel)
    const logger = make(messages, {
      annotations: FiberRefs.getOrDefault(refs, FiberRef.currentLogAnnotations),
      spans: FiberRefs.getOrDefault(refs, FiberRef.currentLogSpan)
    })
    const asked = lowest(messages.least)
    if (LogLevel.lessThanEqual(minimum, asked)) {
      return between(use(HashSet.add(loggers, logger), minimum), effect, () => use(loggers, minimum))
    }
    // A value of its own, so that it can be told from a minimum that the handler sets.
    const lowered: LogLevel.LogLevel = { ...asked }
    const others = HashSet.map(loggers, (other) => atLeast(other, minimum, lowered))
    return between(use(HashSet.add(others, logger), lowered), effect, () => use(loggers, minimum))
  })

const use = (loggers: HashSet.HashSet<Logger.Logger<unknown, unknown>>, minimum: LogLevel.LogLevel) =>
  Effect.updateFiberRefs((fiberId, refs) =>
    refs.pipe(
      FiberRefs.updateAs({ fiberId, fiberRef: FiberRef.currentLoggers, value: loggers }),
      FiberRefs.updateAs({ fiberId, fiberRef: FiberRef.currentMinimumLogLevel, value: minimum })
    )
  )

/** What was annotated before the handler began is about the server, and not for its clients. */
interface Before {
  readonly annotations: HashMap.HashMap<string, unknown>
  readonly spans: List.List<{ readonly label: string }>
}

const make = (messages: LogMessages, before: Before): Logger.Logger<unknown, void> =>
  Logger.make(({ annotations, date, logLevel, message, spans }) => {
    const level = levelOf(logLevel)
    if (level === undefined || !messages.wants(level)) return
    const own = Array.from(HashMap.entries(annotations)).filter(
      ([key, value]) =>
        key !== loggerAnnotation && Option.getOrUndefined(HashMap.get(before.annotations, key)) !== value
    )
    const data = LogData.describe(message, own)
    if (data === undefined) return
    const named = Option.getOrUndefined(HashMap.get(annotations, loggerAnnotation))
    const span = spans === before.spans ? undefined : Option.getOrUndefined(List.head(spans))?.label
    messages.offer({ level, data, logger: typeof named === "string" ? named : span }, date.getTime())
  })

const atLeast = (
  logger: Logger.Logger<unknown, unknown>,
  minimum: LogLevel.LogLevel,
  lowered: LogLevel.LogLevel
): Logger.Logger<unknown, unknown> =>
  Logger.make((options) => {
    const inForce = FiberRefs.getOrDefault(options.context, FiberRef.currentMinimumLogLevel)
    return inForce === lowered && LogLevel.lessThan(options.logLevel, minimum)
      ? undefined
      : logger.log(options)
  })

/** Effect knows no notice, alert or emergency. */
const levelOf = ({ _tag }: LogLevel.LogLevel): LoggingLevel | undefined => {
  switch (_tag) {
    case "All":
    case "Trace":
    case "Debug":
      return "debug"
    case "Info":
      return "info"
    case "Warning":
      return "warning"
    case "Error":
      return "error"
    case "Fatal":
      return "critical"
    case "None":
      return undefined
  }
}

/** The least severe of Effect's levels that reaches a client of this level. */
const lowest = (level: LoggingLevel): LogLevel.LogLevel => {
  switch (level) {
    case "debug":
      return LogLevel.Trace
    case "info":
      return LogLevel.Info
    case "notice":
    case "warning":
      return LogLevel.Warning
    case "error":
      return LogLevel.Error
    case "critical":
    case "alert":
    case "emergency":
      return LogLevel.Fatal
  }
}
