/**
 * What a request tells its client ahead of the response: progress and log messages, as far as the client asked for
 * them. A request that asked for neither pays nothing.
 */
import type { Entry, LoggingLevel } from "@pushbutton/protocol/Logging"
import * as Logging from "@pushbutton/protocol/Logging"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Fork, Outlet, Sending } from "../Decision.js"
import type { ProgressUpdate } from "../RequestContext.js"
import type { Limit } from "./allowance.js"
import * as ClientLogger from "./clientLogger.js"
import { LogMessages, type Wanted } from "./logMessages.js"
import { type Beside, ProgressReports } from "./progressReports.js"
import type { Route } from "./Route.js"

export interface Settings {
  readonly progress: Limit
  /** Undefined where the server does not log to its clients. */
  readonly logging: LogSettings | undefined
}

export interface LogSettings {
  readonly limit: Limit
  /** What is below it goes to no client, whatever that asked for. */
  readonly minimum: LoggingLevel
}

export interface Notices {
  readonly progress: (update: ProgressUpdate) => Effect.Effect<void>
  /** The same at this moment, in milliseconds. */
  readonly tell: (update: ProgressUpdate, now: number) => Sending
  readonly log: (entry: Entry) => Effect.Effect<void>
  /** Has the client told what the author's effect logs. To be run where nothing can be interrupted but what says so. */
  readonly listen: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Takes nothing more. What it gives sends what waits, and can be interrupted; undefined where nothing does. */
  readonly finish: () => Sending
  /** Drops what waits. */
  readonly stop: () => void
}

export const open = (route: Route, outlet: Outlet, fork: Fork): Notices => {
  const { logging, progress: pace } = route.notices
  const isLogging = logging !== undefined && route.logLevel !== undefined
  if (route.progressToken === undefined && !isLogging) return silent
  const beside: Beside = (effect) => fork(effect, Context.empty())
  const reports =
    route.progressToken === undefined
      ? undefined
      : new ProgressReports(route.progressToken, route.dialect, outlet, beside, pace)
  const wanted = logging && wantedBy(route, logging.minimum)
  const messages =
    logging === undefined || wanted === undefined
      ? undefined
      : new LogMessages(wanted, outlet, beside, logging.limit)
  const stop = () => {
    reports?.stop()
    messages?.stop()
  }
  return {
    progress: reports === undefined ? ignored : (update) => reports.report(update),
    tell: reports === undefined ? untold : (update, now) => reports.tell(update, now),
    log: messages === undefined ? ignored : (entry) => messages.send(entry),
    listen: messages === undefined ? (effect) => effect : (effect) => ClientLogger.capture(effect, messages),
    finish: () => {
      const rest = inTurn(reports?.finish(), messages?.finish())
      return rest && Effect.onInterrupt(Effect.interruptible(rest), () => Effect.sync(stop))
    },
    stop
  }
}

/** A request of 2026-07-28 names its level; a session sets one for all of its requests, those that run included. */
const wantedBy = ({ logLevel, session }: Route, least: LoggingLevel): Wanted | undefined => {
  if (logLevel === undefined) return undefined
  return session === undefined
    ? { least: higher(logLevel, least), minimum: () => higher(logLevel, least) }
    : { least, minimum: () => higher(session.logLevel ?? logLevel, least) }
}

const inTurn = (first: Sending, second: Sending): Sending =>
  first === undefined || second === undefined ? (first ?? second) : Effect.zipRight(first, second)

const ignored = () => Effect.void
const untold = () => undefined

const silent: Notices = {
  progress: ignored,
  tell: untold,
  log: ignored,
  listen: (effect) => effect,
  finish: untold,
  stop: () => {}
}

const higher = (one: LoggingLevel, other: LoggingLevel): LoggingLevel =>
  Logging.isAtLeast(one, other) ? one : other
