/** Why a press that could have run was not started, as tagged values. Each says when to try again, where that helps. */
import * as Data from "effect/Data"

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

export type PressRefused = PressRateExceeded | PressBusy | QueueTimedOut | PressKeyRefused
