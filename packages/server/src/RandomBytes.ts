/** Randomness for keys and nonces. A transport provides the real one to the requests it runs. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class RandomBytes extends Context.Tag("@pushbutton/server/RandomBytes")<
  RandomBytes,
  {
    /** Bytes of a cryptographic generator. */
    readonly next: (count: number) => Effect.Effect<Uint8Array>
  }
>() {}

/** Counts: each draw ends with its number; for tests. */
export const makeTest = (): RandomBytes["Type"] => {
  let draws = 0
  return RandomBytes.of({
    next: (count) =>
      Effect.sync(() => {
        const bytes = new Uint8Array(count)
        draws++
        for (let at = 0; at < Math.min(count, 4); at++) bytes[count - 1 - at] = draws >>> (8 * at)
        return bytes
      })
  })
}

export const layerTest: Layer.Layer<RandomBytes> = Layer.sync(RandomBytes, makeTest)
