/** Ids of runs: they tell runs of one millisecond apart and are part of file names. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RandomId from "./internal/randomId.js"

export class RunIds extends Context.Tag("@pushbutton/buttons/RunIds")<
  RunIds,
  {
    /** 16 hexadecimal digits. */
    readonly next: Effect.Effect<string>
  }
>() {}

export const random: RunIds["Type"] = RunIds.of({ next: RandomId.next })

/** Counts from 1. */
export const layerTest: Layer.Layer<RunIds> = Layer.sync(RunIds, () => {
  let count = 0
  return RunIds.of({ next: Effect.sync(() => (++count).toString(16).padStart(16, "0")) })
})
