/** How many presses of agents run at the same time, whatever their buttons. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Places from "./internal/places.js"
import { PressSlotsTaken } from "./PressRefused.js"

export class PressSlots extends Context.Tag("@pushbutton/buttons/PressSlots")<
  PressSlots,
  {
    /**
     * Takes a slot that is held until the scope closes: at once or not at all, but for who has waited already, which
     * waits on, within a bound.
     */
    readonly take: (slug: string, mayWait?: boolean) => Effect.Effect<void, PressSlotsTaken, Scope.Scope>
  }
>() {}

export interface Options {
  /** How many there are; 32 when left out. */
  readonly max?: number | undefined
  /** How long one is waited for; two minutes when left out. */
  readonly wait?: Duration.DurationInput | undefined
}

/** What is said to who finds none: nobody knows when one becomes free. */
const retryAfterMillis = 1_000

/** For one process. */
export const layerMemory = (options: Options = {}): Layer.Layer<PressSlots> =>
  Layer.sync(PressSlots, () => makeMemory(options))

export const makeMemory = ({ max = 32, wait = "2 minutes" }: Options = {}): PressSlots["Type"] => {
  const slots = Places.make()
  const waitMillis = Duration.toMillis(wait)
  return PressSlots.of({
    take: (slug, mayWait = false) =>
      Effect.filterOrFail(
        slots.enter({ room: max, maxWaiting: mayWait ? Number.POSITIVE_INFINITY : 0, waitMillis }),
        (outcome) => outcome === "entered",
        () => new PressSlotsTaken({ slug, max, retryAfterMillis })
      )
  })
}
