/** A file that others save: it is only looked at when nothing happens to it any more. */
import * as Effect from "effect/Effect"

const stepMillis = 50
/** How long nothing has happened to a file that was written. */
const calmMillis = 100
/** How long one is missing that an editor does not put back: some delete it first, and write it anew. */
const missingMillis = 1_000
/** How long it is waited for. */
const waitMillis = 3_000

/**
 * What the file is once it has settled, which takes at least a moment; undefined where it does not. `identity` is that of
 * the file as it is, and `ENOENT` while it is missing.
 */
export const settled = (identity: Effect.Effect<string>): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    let found = yield* identity
    let calm = 0
    for (let waited = 0; waited < waitMillis; waited += stepMillis) {
      yield* Effect.sleep(stepMillis)
      const next = yield* identity
      calm = next === found ? calm + stepMillis : 0
      found = next
      if (calm >= (found === "ENOENT" ? missingMillis : calmMillis)) return found
    }
    return undefined
  })
