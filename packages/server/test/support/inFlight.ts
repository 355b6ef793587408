/** `InFlight` with randomness that counts. */
import * as InFlight from "@pushbutton/server/InFlight"
import * as RandomBytes from "@pushbutton/server/RandomBytes"
import * as Effect from "effect/Effect"

/** Shared, so that no two nonces of a test are equal. */
const random = RandomBytes.makeTest()

export const makeInFlight = <Key>(limits?: InFlight.Limits) =>
  Effect.provideService(InFlight.make<Key>(limits), RandomBytes.RandomBytes, random)
