/**
 * Why a press that could have run was not started, as tagged values with their codes and sentences. Each says when to
 * try again, where that helps.
 */
import * as Data from "effect/Data"
import { quote } from "./internal/text.js"

/** The button was pressed too often by this principal. */
export class PressRateExceeded extends Data.TaggedError("PressRateExceeded")<{
  readonly slug: string
  /** What is allowed. */
  readonly presses: number
  readonly windowMillis: number
  readonly retryAfterMillis: number
}> {}

/** The button runs, and runs one press at a time; or the queue it waits in has no more room. */
export class PressBusy extends Data.TaggedError("PressBusy")<{
  readonly slug: string
  /** The queue that is full; undefined for a button without one. */
  readonly queue: string | undefined
  readonly retryAfterMillis: number
}> {}

/** The press waited in its queue for as long as it may. */
export class QueueTimedOut extends Data.TaggedError("QueueTimedOut")<{
  readonly slug: string
  readonly queue: string
  readonly waitedMillis: number
  readonly retryAfterMillis: number
}> {}

/** The server runs as many presses as it may. */
export class PressSlotsTaken extends Data.TaggedError("PressSlotsTaken")<{
  readonly slug: string
  readonly max: number
  readonly retryAfterMillis: number
}> {}

/** The idempotency key belongs to another button, or to other arguments. */
export class PressKeyConflict extends Data.TaggedError("PressKeyConflict")<{ readonly slug: string }> {}

/**
 * The press under this key had started, and nobody knows how it ended: its server died, or it was cancelled. It is not
 * started again.
 */
export class PressOutcomeUnknown extends Data.TaggedError("PressOutcomeUnknown")<{
  readonly slug: string
  /** RFC 3339. */
  readonly startedAt: string
}> {}

/** The press under this key still runs, and was waited for as long as one may. */
export class PressKeyBusy extends Data.TaggedError("PressKeyBusy")<{
  readonly slug: string
  readonly retryAfterMillis: number
}> {}

/** Keys cannot be kept, so that nobody could tell a second press from the first. */
export class PressKeysFailed extends Data.TaggedError("PressKeysFailed")<{ readonly detail: string }> {}

export type PressKeyRefused = PressKeyConflict | PressOutcomeUnknown | PressKeyBusy | PressKeysFailed

export type PressRefused = PressRateExceeded | PressBusy | QueueTimedOut | PressSlotsTaken | PressKeyRefused

export type RefusalCode =
  | "RATE_LIMITED"
  | "BUSY"
  | "QUEUE_TIMEOUT"
  | "KEY_CONFLICT"
  | "OUTCOME_UNKNOWN"
  | "STORAGE_ERROR"

export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  readonly retryAfterMillis?: number
}

export const toRefusal = (error: PressRefused): Refusal => {
  switch (error._tag) {
    case "PressRateExceeded":
      return later(
        "RATE_LIMITED",
        error,
        `Button ${quote(error.slug)} was pressed ${error.presses} times within ${seconds(error.windowMillis)}`
      )
    case "PressBusy":
      return later(
        "BUSY",
        error,
        error.queue === undefined
          ? `Button ${quote(error.slug)} runs already, and runs one press at a time`
          : `Queue ${quote(error.queue)}, in which button ${quote(error.slug)} waits, is full`
      )
    case "QueueTimedOut":
      return later(
        "QUEUE_TIMEOUT",
        error,
        `Button ${quote(error.slug)} waited ${seconds(error.waitedMillis)} in queue ${quote(error.queue)} and was not started`
      )
    case "PressSlotsTaken":
      return later(
        "BUSY",
        error,
        `Button ${quote(error.slug)} was not started: ${error.max} presses run already, as many as this server runs at a time`
      )
    case "PressKeyConflict":
      return {
        code: "KEY_CONFLICT",
        message: `The idempotency key was used for another press than this one of button ${quote(error.slug)}`
      }
    case "PressOutcomeUnknown":
      return {
        code: "OUTCOME_UNKNOWN",
        message: `The press of button ${quote(error.slug)} under this key started at ${error.startedAt} and did not end by itself; it is not started again`
      }
    case "PressKeyBusy":
      return later("BUSY", error, `The press of button ${quote(error.slug)} under this key still runs`)
    case "PressKeysFailed":
      return { code: "STORAGE_ERROR", message: `Idempotency keys cannot be kept: ${error.detail}` }
  }
}

const later = (
  code: RefusalCode,
  { retryAfterMillis }: { readonly retryAfterMillis: number },
  message: string
): Refusal => ({
  code,
  message: `${message}; try again in ${seconds(retryAfterMillis)}`,
  retryAfterMillis
})

/** Rounded up, so that nobody comes too early. */
const seconds = (millis: number): string => `${Math.ceil(millis / 1_000)} s`
