/** The tools a server offers, as immutable snapshots. A tool leaves the registry when the scope that added it closes. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import type * as Protocol from "@pushbutton/protocol/Tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { RequestContext } from "./RequestContext.js"
import { InvalidTool, type Tool } from "./Tool.js"
import type { ToolResult } from "./ToolResult.js"

/** A tool whose services are at hand. */
export interface RegisteredTool {
  readonly definition: Protocol.Tool
  /** Hands over the effect of one call together with the services it runs with. */
  readonly call: <A>(
    args: JsonObject,
    request: RequestContext["Type"],
    use: <R>(effect: Effect.Effect<ToolResult, never, R>, services: Context.Context<R>) => A
  ) => A
}

/** The registry at one moment; a change makes another snapshot. */
export interface Snapshot {
  /** In the order of their names, so that lists are the same whatever the order of registration. */
  readonly tools: ReadonlyArray<RegisteredTool>
  readonly find: (name: string) => RegisteredTool | undefined
}

export class ToolRegistry extends Context.Tag("@pushbutton/server/ToolRegistry")<
  ToolRegistry,
  {
    /** Adds all of the tools or, when one cannot be served, none. */
    readonly add: <R>(
      tools: ReadonlyArray<Tool<R>>
    ) => Effect.Effect<void, InvalidTool, Exclude<R, RequestContext> | Scope.Scope>
    readonly snapshot: () => Snapshot
  }
>() {}

export const make = (): ToolRegistry["Type"] => {
  let current = snapshotOf([])
  const replace = (tools: ReadonlyArray<RegisteredTool>) => {
    current = snapshotOf(tools)
  }
  return ToolRegistry.of({
    snapshot: () => current,
    add: <R>(tools: ReadonlyArray<Tool<R>>) =>
      Effect.gen(function* () {
        const services = yield* Effect.context<Exclude<R, RequestContext>>()
        const added = tools.map((tool) => bind(tool, services))
        yield* Effect.acquireRelease(
          Effect.suspend(() => {
            const problem = firstProblem([...current.tools, ...added], added)
            if (problem !== undefined) return problem
            replace([...current.tools, ...added])
            return Effect.void
          }),
          () => Effect.sync(() => replace(current.tools.filter((tool) => !added.includes(tool))))
        )
      })
  })
}

export const layer: Layer.Layer<ToolRegistry> = Layer.sync(ToolRegistry, make)

const snapshotOf = (tools: ReadonlyArray<RegisteredTool>): Snapshot => {
  const sorted = [...tools].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1))
  const byName = new Map(sorted.map((tool) => [tool.definition.name, tool]))
  return { tools: sorted, find: (name) => byName.get(name) }
}

const bind = <R>(tool: Tool<R>, services: Context.Context<Exclude<R, RequestContext>>): RegisteredTool => ({
  definition: tool.definition,
  call: (args, request, use) =>
    use(
      tool.call(args),
      // `Exclude<R, RequestContext> | RequestContext` covers R; the compiler cannot see that for a generic R.
      Context.add(services, RequestContext, request) as Context.Context<unknown> as Context.Context<R>
    )
})

/** 2026-07-28, tools, Tool Names: 1 to 128 of these characters (SHOULD); other names break model APIs. */
const legalName = /^[A-Za-z0-9_.-]{1,128}$/

const firstProblem = (
  all: ReadonlyArray<RegisteredTool>,
  added: ReadonlyArray<RegisteredTool>
): InvalidTool | undefined => {
  for (const { definition } of added) {
    const invalid = (property: string, detail: string) =>
      new InvalidTool({ tool: definition.name, property, detail })
    if (!legalName.test(definition.name)) {
      return invalid("name", "has to be 1 to 128 letters, digits, underscores, hyphens or dots")
    }
    if (all.filter((other) => other.definition.name === definition.name).length > 1) {
      return invalid("name", "is taken by another tool")
    }
    if (definition.inputSchema["type"] !== "object")
      return invalid("inputSchema", "has to be an object at the top")
  }
  return undefined
}
