/** Runs are recorded as they ended, whoever still waits for the answer. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { toFailure } from "../ButtonError.js"
import type { PressHistory } from "../PressHistory.js"
import * as PressResult from "../PressResult.js"
import type { Output, PressRunner, PressSpec } from "../PressRunner.js"

export interface Services {
  readonly runner: PressRunner["Type"]
  readonly history: PressHistory["Type"]
}

export type SpecOf = (
  progressPath: string | undefined,
  ends: Pick<PressSpec, "onEnded" | "onInterrupted">
) => PressSpec

/** What ran is recorded as it ended, also when nobody waits for the answer any more. */
export const runRecorded = (services: Services, run: PressResult.Run, specOf: SpecOf, seconds: number) =>
  Effect.scoped(
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const progressPath = yield* services.history.openProgress(
          run.button,
          PressResult.startedAt(run),
          run.runId
        )
        let recorded: PressResult.PressResult | undefined
        const keep = (result: PressResult.PressResult) =>
          Effect.map(record(services, result), (kept) => {
            recorded = kept
          })
        const cancel = (written: Output | undefined) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => keep(PressResult.cancelled(run, now, written)))
        const spec = specOf(progressPath, {
          onEnded: (outcome) => keep(PressResult.fromOutcome(run, outcome, seconds)),
          onInterrupted: cancel
        })
        const exit = yield* Effect.exit(restore(services.runner.run(spec)))
        if (Exit.isSuccess(exit)) {
          return recorded ?? (yield* record(services, PressResult.fromOutcome(run, exit.value, seconds)))
        }
        // Interrupted before anything was started.
        if (recorded === undefined && Exit.isInterrupted(exit)) yield* cancel(undefined)
        return yield* Effect.failCause(exit.cause)
      })
    )
  )

/** A run that cannot be recorded is still answered; the answer says so. */
export const record = ({ history }: Pick<Services, "history">, result: PressResult.PressResult) =>
  Effect.matchEffect(history.record(result.button, PressResult.toRecord(result)), {
    onSuccess: () => Effect.succeed(result),
    onFailure: (error) =>
      Effect.as(Effect.logWarning(toFailure(error).message), { ...result, recorded: false })
  })
