/** The real `RandomBytes`: the operating system's generator. */
import { randomBytes } from "node:crypto"
import { RandomBytes } from "@pushbutton/server/RandomBytes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const service: RandomBytes["Type"] = RandomBytes.of({
  next: (count) => Effect.sync(() => new Uint8Array(randomBytes(count)))
})

export const layer: Layer.Layer<RandomBytes> = Layer.succeed(RandomBytes, service)
