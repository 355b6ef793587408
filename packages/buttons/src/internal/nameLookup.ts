/** The system's resolver, loaded with the first lookup. A lookup that is no longer wanted runs on unheard. */
import * as Effect from "effect/Effect"
import * as NodeError from "./nodeError.js"

export const find = <E>(
  hostname: string,
  unknown: (code: string) => E
): Effect.Effect<ReadonlyArray<string>, E> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: async () => {
        const { lookup } = await import("node:dns/promises")
        return lookup(hostname, { all: true, verbatim: true })
      },
      catch: (error) => unknown(NodeError.code(error))
    }),
    (found) =>
      found.length === 0
        ? Effect.fail(unknown("ENOTFOUND"))
        : Effect.succeed(found.map(({ address }) => address))
  )
