/** The prompts a server offers. */
import type * as Protocol from "@pushbutton/protocol/Prompt"
import type { InvalidParams } from "@pushbutton/protocol/ProtocolError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { bind, type Needs } from "./internal/bind.js"
import type { Invoke } from "./internal/call.js"
import * as Completers from "./internal/completers.js"
import * as Definition from "./internal/definition.js"
import * as Entries from "./internal/entries.js"
import { InvalidPrompt, type Prompt } from "./Prompt.js"

/** A prompt whose services are at hand. */
export interface RegisteredPrompt {
  readonly definition: Protocol.Prompt
  readonly get: (args: Protocol.Arguments) => Either.Either<Invoke<Protocol.PromptResult>, InvalidParams>
  readonly completion: Completers.Completion
}

export class PromptRegistry extends Context.Tag("@pushbutton/server/PromptRegistry")<
  PromptRegistry,
  {
    /** Adds all of the prompts or, when one cannot be served, none. They leave with the scope. */
    readonly add: <R>(
      prompts: ReadonlyArray<Prompt<R>>
    ) => Effect.Effect<void, InvalidPrompt, Needs<R> | Scope.Scope>
    /** In the order of registration; the same array until a prompt comes or goes. */
    readonly prompts: () => ReadonlyArray<RegisteredPrompt>
    readonly find: (name: string) => RegisteredPrompt | undefined
    /** Whether there ever was one: what has been announced stays announced, if only as an empty list. */
    readonly isOffered: () => boolean
    /** Calls the listener after each change, until the function it gives is called. */
    readonly onChange: (listener: () => void) => () => void
  }
>() {}

export const make = (): PromptRegistry["Type"] => {
  const entries = Entries.make<RegisteredPrompt>((prompt) => prompt.definition.name)
  return PromptRegistry.of({
    prompts: entries.current,
    find: entries.find,
    isOffered: entries.isOffered,
    onChange: entries.onChange,
    add: <R>(prompts: ReadonlyArray<Prompt<R>>) =>
      Effect.flatMap(Effect.context<Needs<R>>(), (services) => {
        const added = prompts.map((prompt) => register(prompt, services))
        return entries.add(added, (all) => firstProblem(all, added))
      })
  })
}

export const layer: Layer.Layer<PromptRegistry> = Layer.sync(PromptRegistry, make)

const register = <R>(prompt: Prompt<R>, services: Context.Context<Needs<R>>): RegisteredPrompt => {
  const run = bind<R>(services)
  return {
    definition: prompt.definition,
    get: (args) =>
      Either.map(
        prompt.get(args),
        (effect): Invoke<Protocol.PromptResult> =>
          (use) =>
            run(effect, use)
      ),
    completion: Completers.bindAll(argumentNames(prompt.definition), prompt.completers, services)
  }
}

const argumentNames = (definition: Protocol.Prompt) => (definition.arguments ?? []).map(({ name }) => name)

const firstProblem = (
  all: ReadonlyArray<RegisteredPrompt>,
  added: ReadonlyArray<RegisteredPrompt>
): InvalidPrompt | undefined => {
  for (const { completion, definition } of added) {
    const { icons, name } = definition
    const found =
      Definition.nameProblem(name) ??
      (all.filter((other) => other.definition.name === name).length > 1
        ? Definition.problem("name", "is taken by another prompt")
        : undefined) ??
      argumentsProblem(argumentNames(definition)) ??
      Definition.iconsProblem(icons) ??
      Completers.completersProblem(completion.completers, argumentNames(definition))
    if (found !== undefined) return new InvalidPrompt({ prompt: name, ...found })
  }
  return undefined
}

const argumentsProblem = (names: ReadonlyArray<string>): Definition.Problem | undefined => {
  if (names.includes("")) return Definition.problem("arguments", "have one without a name")
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? undefined : Definition.problem(`arguments.${twice}`, "is there twice")
}
