/** Runs are recorded as they ended, whoever still waits for the answer. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { toFailure } from "../ButtonError.js"
import type { PressHistory } from "../PressHistory.js"
import * as PressResult from "../PressResult.js"
import type { Output } from "../PressRunner.js"
import * as Redaction from "../Redaction.js"

export interface Services {
  readonly history: PressHistory["Type"]
  /** Of the button that is pressed. */
  readonly redaction: Redaction.Redaction
}

/** What a run calls as soon as it has ended, before it waits for anybody. */
export interface Ends<Outcome> {
  readonly onEnded: (outcome: Outcome) => Effect.Effect<void>
  readonly onInterrupted: (output: Output) => Effect.Effect<void>
}

export interface Runnable<Outcome, Opened> {
  /** What the run needs, until it is recorded. */
  readonly open: Effect.Effect<Opened, never, Scope.Scope>
  readonly start: (opened: Opened, ends: Ends<Outcome>) => Effect.Effect<Outcome>
  readonly resultOf: (outcome: Outcome) => PressResult.PressResult
}

/**
 * What ran is recorded as it ended, also when nobody waits for the answer any more. What it needed is given back when the
 * scope closes.
 */
export const runRecorded = <Outcome, Opened>(
  services: Services,
  run: PressResult.Run,
  { open, resultOf, start }: Runnable<Outcome, Opened>
) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const opened = yield* open
      let recorded: PressResult.PressResult | undefined
      const keep = (result: PressResult.PressResult) =>
        Effect.map(record(services, result), (kept) => {
          recorded = kept
        })
      const cancel = (written: Output | undefined) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => keep(PressResult.cancelled(run, now, written)))
      const ends: Ends<Outcome> = {
        onEnded: (outcome) => keep(resultOf(outcome)),
        onInterrupted: cancel
      }
      const exit = yield* Effect.exit(restore(start(opened, ends)))
      if (Exit.isSuccess(exit)) return recorded ?? (yield* record(services, resultOf(exit.value)))
      // Interrupted before anything was started.
      if (recorded === undefined && Exit.isInterrupted(exit)) yield* cancel(undefined)
      return yield* Effect.failCause(exit.cause)
    })
  )

/**
 * The end of every press: from here on its secrets are gone. A run that cannot be recorded is still answered; the answer
 * says so.
 */
export const record = (
  { history, redaction }: Services,
  ended: PressResult.PressResult
): Effect.Effect<PressResult.PressResult> => {
  const result = Redaction.result(redaction, ended)
  return Effect.matchEffect(history.record(result.button, PressResult.toRecord(result), result.origin), {
    onSuccess: () => Effect.succeed(result),
    onFailure: (error) =>
      Effect.as(Effect.logWarning(toFailure(error).message), { ...result, recorded: false })
  })
}
