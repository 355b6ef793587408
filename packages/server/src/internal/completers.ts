/** Suggestions for the arguments of a prompt or the variables of a template. */
import { HandlerFailed } from "@pushbutton/protocol/ProtocolError"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Completer, Completers as Record } from "../Completion.js"
import { bind, type Needs } from "./bind.js"
import type { Invoke } from "./call.js"
import { type Problem, problem } from "./definition.js"
import { describeFailure } from "./describeFailure.js"
import * as Immediate from "./immediate.js"

export type Given = { readonly [name: string]: string }

export type Complete<R> = (
  value: string,
  given: Given
) => Effect.Effect<ReadonlyArray<string>, HandlerFailed, R>

/** By argument name. */
export type Completers<R> = ReadonlyMap<string, Complete<R>>

/** What a registry holds of completion: the names there are, and the completers that some of them have. */
export interface Completion {
  readonly names: ReadonlySet<string>
  readonly completers: ReadonlyMap<string, (value: string, given: Given) => Invoke<ReadonlyArray<string>>>
}

export const make = <Each>(record: Record<Each> | undefined): Completers<Each[keyof Each]> =>
  new Map(
    Object.entries<Completer<unknown, Each[keyof Each]>>(record ?? {}).map(([name, completer]) => [
      name,
      (value, given) =>
        Immediate.matchEffect(
          Immediate.suspend(() => completer(value, given)),
          { onSuccess: Effect.succeed, onFailure: (error) => Effect.fail(failureOf(error)) }
        )
    ])
  )

const failureOf = (error: unknown) =>
  new HandlerFailed({ detail: describeFailure(error, "The completion failed.") })

/** A completer without its argument never runs: a mistake in the definition. */
export const completersProblem = (
  completers: ReadonlyMap<string, unknown>,
  names: ReadonlyArray<string>
): Problem | undefined => {
  const stray = Array.from(completers.keys()).find((name) => !names.includes(name))
  return stray === undefined ? undefined : problem(`complete.${stray}`, "is not the name of an argument")
}

export const bindAll = <R>(
  names: ReadonlyArray<string>,
  completers: Completers<R>,
  services: Context.Context<Needs<R>>
): Completion => {
  const run = bind<R>(services)
  return {
    names: new Set(names),
    completers: new Map(
      Array.from(completers, ([name, complete]) => [
        name,
        (value: string, given: Given): Invoke<ReadonlyArray<string>> =>
          (use) =>
            run(complete(value, given), use)
      ])
    )
  }
}
