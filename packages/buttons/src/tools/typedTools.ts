/**
 * A tool for each button that agents see, for as long as there is such a button: edits of the folder change the tools.
 * What is wrong after an edit is logged, since the button's tool is gone then.
 */
import type { RequestContext } from "@pushbutton/server/RequestContext"
import type { Tool } from "@pushbutton/server/Tool"
import { ToolRegistry } from "@pushbutton/server/ToolRegistry"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { ButtonCatalogue, type Listing } from "../ButtonCatalogue.js"
import * as Problem from "../ButtonProblem.js"
import type { Press } from "../Press.js"
import type * as AgentPress from "./agentPress.js"
import * as TypedTool from "./typedTool.js"

type Tools = ReadonlyArray<Tool<AgentPress.Needs>>
type Needs = Exclude<AgentPress.Needs, RequestContext>

export const offer = (
  options: TypedTool.Options
): Effect.Effect<void, never, ToolRegistry | ButtonCatalogue | Press | Scope.Scope> =>
  Effect.gen(function* () {
    const { follow } = yield* ButtonCatalogue
    let listed: string | undefined
    let known: ReadonlySet<string> | undefined
    let registration = yield* Scope.make()
    yield* Effect.addFinalizer(() => Effect.suspend(() => Scope.close(registration, Exit.void)))
    const services = yield* Effect.context<ToolRegistry | Needs>()
    yield* follow((listing) =>
      Effect.gen(function* () {
        // Whoever starts a server reports what is wrong from the start.
        const fresh = listing.problems.filter((problem) => known?.has(Problem.format(problem)) === false)
        known = new Set(listing.problems.map(Problem.format))
        yield* Effect.forEach(fresh, Problem.log, { discard: true })
        const tools = toolsOf(options, listing)
        const content = JSON.stringify(tools.map(({ definition }) => definition))
        if (content === listed) return
        listed = content
        // Nothing comes between: no request finds the buttons gone.
        yield* Scope.close(registration, Exit.void)
        registration = yield* Scope.make()
        yield* Scope.extend(register(tools), registration)
      }).pipe(Effect.provide(services), Effect.uninterruptible)
    )
  })

const toolsOf = (options: TypedTool.Options, { buttons, hidden }: Listing): Tools =>
  buttons.filter(({ slug }) => !hidden.has(slug)).map((button) => TypedTool.make(options, button))

/** A button that cannot be a tool hides no other. */
const register = (tools: Tools): Effect.Effect<void, never, ToolRegistry | Needs | Scope.Scope> =>
  Effect.flatMap(ToolRegistry, (registry) => registry.add(tools)).pipe(
    Effect.catchTag("InvalidTool", (invalid) =>
      Effect.zipRight(
        Effect.logError(`A button cannot be served: ${invalid.message}`),
        register(tools.filter(({ definition }) => definition.name !== invalid.tool))
      )
    )
  )
