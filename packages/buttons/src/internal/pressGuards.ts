/** What a press has to pass before it runs: it may not come too often, and has to wait for others. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Button } from "../Button.js"
import type { PressQueues } from "../PressQueues.js"
import type { PressRates } from "../PressRates.js"
import type { PressBusy, PressRateExceeded, PressSlotsTaken, QueueTimedOut } from "../PressRefused.js"
import type { Caller, Run } from "../PressResult.js"
import type { PressSlots } from "../PressSlots.js"
import * as ButtonQueue from "./buttonQueue.js"

export interface Guards {
  readonly rates: PressRates["Type"]
  readonly queues: PressQueues["Type"]
  readonly slots: PressSlots["Type"]
}

export interface Presser {
  readonly caller: Caller
  readonly principal?: string | undefined
}

/**
 * Queues are for everybody. Who sits at a command line presses as often, and as many at a time, as they like. A press
 * is counted when its turn has come; one that does not start, and so fails, is not. What the press has in its scope is
 * given back before its place is.
 */
export const guarded =
  ({ queues, rates, slots }: Guards, button: Button, args: Run["args"], { caller, principal }: Presser) =>
  <A, E>(
    press: Effect.Effect<A, E, Scope.Scope>
  ): Effect.Effect<A, E | PressRateExceeded | PressBusy | QueueTimedOut | PressSlotsTaken> =>
    Effect.gen(function* () {
      const queue = button.queue && ButtonQueue.queueOf(button.queue, args)
      if (caller !== "mcp") {
        if (queue !== undefined) yield* queues.enter(button.slug, queue)
        return yield* press
      }
      const counted = yield* rates.count({ slug: button.slug, principal })
      const turn = Effect.zipRight(
        queues.enter(button.slug, queue),
        slots.take(button.slug, queue !== undefined)
      )
      yield* Effect.onError(turn, () => counted.giveBack)
      yield* counted.started
      return yield* Effect.tapError(press, () => counted.giveBack)
    }).pipe(Effect.scoped)
