/** How many presses of agents run at the same time, whatever their buttons. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { PressSlotsTaken } from "./PressRefused.js"

export class PressSlots extends Context.Tag("@pushbutton/buttons/PressSlots")<
  PressSlots,
  {
    /** Takes a slot that is held until the scope closes; it is taken at once or not at all. */
    readonly take: (slug: string) => Effect.Effect<void, PressSlotsTaken, Scope.Scope>
  }
>() {}

export interface Options {
  /** How many there are; 32 when left out. */
  readonly max?: number | undefined
}

/** What is said to who finds none: nobody knows when one becomes free. */
const retryAfterMillis = 1_000

/** For one process. */
export const layerMemory = ({ max = 32 }: Options = {}): Layer.Layer<PressSlots> =>
  Layer.sync(PressSlots, () => {
    let taken = 0
    return PressSlots.of({
      take: (slug) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            if (taken >= max) return new PressSlotsTaken({ slug, max, retryAfterMillis })
            taken++
            return Effect.void
          }),
          () => Effect.sync(() => void taken--)
        )
    })
  })
