/** Randomness from the system, which Node fetches for many at a time. */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"

/** 32 hexadecimal digits, all but two of them random: nobody can guess it. */
export const long = (): string => randomUUID().replaceAll("-", "")

/** 16 hexadecimal digits, all random. */
export const next: Effect.Effect<string> = Effect.sync(() => {
  const digits = long()
  return digits.slice(0, 12) + digits.slice(28)
})
