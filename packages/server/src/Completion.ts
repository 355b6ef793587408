/** Suggestions while a user fills in an argument of a prompt or a variable of a resource template. */
import type * as Effect from "effect/Effect"

/**
 * Gives the values that fit what was typed so far, best first; `given` holds the arguments that are filled in. The
 * client gets the first 100 and is told how many there are. Suggestions reach whoever asks: give nobody what they
 * could not read.
 */
export type Completer<E, R> = (
  value: string,
  given: { readonly [argument: string]: string }
) => Effect.Effect<ReadonlyArray<string>, E, R>

/** Completers by name; `Each` says what each of them needs. */
export type Completers<Each> = { readonly [Name in keyof Each]: Completer<unknown, Each[Name]> }

/** Some of the names, whatever their completers need. */
export type SomeOf<Names extends PropertyKey> = { readonly [Name in Names]?: unknown }

/** No completers. */
export type None = Record<never, never>
