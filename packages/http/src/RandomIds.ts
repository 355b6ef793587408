/** The real `IdSource`: version 4 UUIDs, 122 random bits each. */
import { randomUUID } from "node:crypto"
import { IdSource } from "@pushbutton/server/IdSource"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const layer: Layer.Layer<IdSource> = Layer.succeed(
  IdSource,
  IdSource.of({ next: Effect.sync(() => randomUUID()) })
)
