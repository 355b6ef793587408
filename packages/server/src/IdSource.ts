/** Unguessable ids, for whatever a client must not be able to invent. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class IdSource extends Context.Tag("@pushbutton/server/IdSource")<
  IdSource,
  {
    /** At least 122 random bits as visible ASCII without spaces. */
    readonly next: Effect.Effect<string>
  }
>() {}

/** Counts from `id-1`; for tests. */
export const layerTest: Layer.Layer<IdSource> = Layer.sync(IdSource, () => {
  let count = 0
  return IdSource.of({ next: Effect.sync(() => `id-${++count}`) })
})
