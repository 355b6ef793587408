/** What a press has to pass before it runs: it may not come too often, and has to wait for others. */
import * as Effect from "effect/Effect"
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
 * that does not get its turn is not counted.
 */
export const guarded =
  ({ queues, rates, slots }: Guards, button: Button, args: Run["args"], { caller, principal }: Presser) =>
  <A>(
    press: Effect.Effect<A>
  ): Effect.Effect<A, PressRateExceeded | PressBusy | QueueTimedOut | PressSlotsTaken> =>
    Effect.gen(function* () {
      const queue = button.queue && ButtonQueue.queueOf(button.queue, args)
      const counted = caller === "mcp" ? yield* rates.count({ slug: button.slug, principal }) : uncounted
      const enter = caller === "mcp" || queue !== undefined ? queues.enter(button.slug, queue) : Effect.void
      const take = caller === "mcp" ? slots.take(button.slug) : Effect.void
      yield* Effect.onError(Effect.zipRight(enter, take), () => counted.giveBack)
      return yield* press
    }).pipe(Effect.scoped)

const uncounted = { giveBack: Effect.void }
