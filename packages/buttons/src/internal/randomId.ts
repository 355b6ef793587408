/** Randomness from the system. */
import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"

export const next: Effect.Effect<string> = Effect.sync(() => randomBytes(8).toString("hex"))
