/** What a server does before its first press: end and record the presses of servers that died. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { toFailure } from "../ButtonError.js"
import { PressHistory } from "../PressHistory.js"
import { PressJournal } from "../PressJournal.js"
import * as PressResult from "../PressResult.js"

/** Who is not recorded now keeps the note, and is recorded by the next server; of a button that is gone there is no history. */
export const recover = Effect.gen(function* () {
  const journal = yield* PressJournal
  const history = yield* PressHistory
  for (const { forget, run } of yield* journal.endAbandoned) {
    const ended = PressResult.interrupted(run, yield* Clock.currentTimeMillis)
    yield* Effect.logWarning(PressResult.describe(ended))
    const record = PressResult.toRecord(ended)
    const isDone = yield* Effect.matchEffect(history.record(run.button, record, run.origin), {
      onSuccess: () => Effect.succeed(true),
      onFailure: (error) => Effect.as(Effect.logWarning(toFailure(error).message), error.detail === "ENOENT")
    })
    if (!isDone) continue
    yield* history.clearUnfinished(run.button, record.started_at, record.run_id, run.origin)
    yield* forget
  }
})
