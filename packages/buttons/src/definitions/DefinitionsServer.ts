/**
 * Registers the resources and prompts of a definitions file with a server, and keeps them as the file has them. What is
 * wrong with the file after an edit is logged.
 */

import * as Prompt from "@pushbutton/server/Prompt"
import * as PromptRegistry from "@pushbutton/server/PromptRegistry"
import * as Resource from "@pushbutton/server/Resource"
import * as ResourceRegistry from "@pushbutton/server/ResourceRegistry"
import { Subscriptions } from "@pushbutton/server/Subscriptions"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Problem from "../ButtonProblem.js"
import type { DefinedResource } from "./DefinedResource.js"
import { type Defined, Definitions } from "./Definitions.js"

type Registries = ResourceRegistry.ResourceRegistry | PromptRegistry.PromptRegistry | Subscriptions

/** Registers them for as long as the scope lives. */
export const offer: Effect.Effect<void, never, Definitions | Registries | Scope.Scope> = Effect.gen(
  function* () {
    const { follow, isUsed } = yield* Definitions
    if (!isUsed) return
    const prompts = yield* PromptRegistry.PromptRegistry
    const resources = yield* ResourceRegistry.ResourceRegistry
    const { resourceUpdated } = yield* Subscriptions

    const register = (defined: Defined) =>
      Effect.all([
        resources.add(defined.resources.map(({ resource }) => resource)),
        prompts.add(defined.prompts.map(({ prompt }) => prompt))
      ]).pipe(Effect.catchAll((error) => Effect.logError(`Definitions cannot be served: ${error.message}`)))

    // What a file may define later has to be announced before the first client asks.
    yield* Effect.scoped(register(placeholders))

    let served: Defined | undefined
    let isFirst = true
    let registration = yield* Scope.make()
    yield* Effect.addFinalizer(() => Effect.suspend(() => Scope.close(registration, Exit.void)))
    yield* follow(({ defined, problems }) =>
      Effect.gen(function* () {
        // Whoever starts a server reports what is wrong with all that it serves.
        if (!isFirst) yield* Effect.forEach(problems, Problem.log, { discard: true })
        isFirst = false
        if (defined === served) return
        const changed = changedContents(served?.resources ?? [], defined.resources)
        served = defined
        // Nothing comes between: no request finds the lists empty.
        yield* Scope.close(registration, Exit.void)
        registration = yield* Scope.make()
        yield* Scope.extend(register(defined), registration)
        yield* Effect.forEach(changed, resourceUpdated, { discard: true })
      }).pipe(Effect.uninterruptible)
    )
  }
)

const placeholders: Defined = {
  buttons: [],
  resources: [
    {
      path: [],
      definition: "",
      resource: Resource.make("pushbutton:definitions", {
        name: "definitions",
        handler: () => new Resource.ResourceNotFound()
      })
    }
  ],
  prompts: [{ path: [], prompt: Prompt.make("definitions", { handler: () => Effect.succeed("") }) }]
}

/** URIs of resources that are defined in another way than before. */
const changedContents = (
  before: ReadonlyArray<DefinedResource>,
  after: ReadonlyArray<DefinedResource>
): ReadonlyArray<string> => {
  const known = new Map(before.flatMap((one) => entry(one)))
  return after.flatMap(entry).flatMap(([uri, definition]) => {
    const earlier = known.get(uri)
    return earlier === undefined || earlier === definition ? [] : [uri]
  })
}

const entry = ({ definition, resource }: DefinedResource): ReadonlyArray<readonly [string, string]> =>
  resource._tag === "Resource" ? [[resource.definition.uri, definition]] : []
