/** Side effects of handlers that ask: run once for a whole call, however many rounds it takes. */
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import { asking, Steps } from "./internal/asking.js"
import { RequestContext } from "./RequestContext.js"

/**
 * Runs the effect the first time this call comes here, and gives its result every time after. The result travels,
 * sealed, by way of the client, so its encoding has to be JSON and small. A failure is not kept: the effect runs
 * again. So it does when a client starts over, or sends an old state again: only a server whose states are for
 * single use refuses that.
 */
export const once = <A, I, E, R>(
  key: string,
  effect: Effect.Effect<A, E, R>,
  schema: Schema.Schema<A, I>
): Effect.Effect<A, E, R | RequestContext> =>
  Effect.flatMap(RequestContext, (request) => {
    const steps = request[asking]?.steps ?? new Steps()
    return steps.gate(key).withPermits(1)(
      Effect.suspend(() =>
        steps.results.has(key)
          ? Effect.succeed(ParseResult.decodeUnknownSync(schema)(steps.results.get(key)))
          : record(steps.results, key, effect, schema)
      )
    )
  })

/** Nothing may come between the end of the effect and its record. */
const record = <A, I, E, R>(
  results: Map<string, JsonValue | undefined>,
  key: string,
  effect: Effect.Effect<A, E, R>,
  schema: Schema.Schema<A, I>
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.tap(restore(effect), (value) =>
      Effect.sync(() => {
        const encoded = ParseResult.encodeSync(schema)(value)
        results.set(key, encoded === undefined ? undefined : JSON.parse(JSON.stringify(encoded)))
      })
    )
  )
