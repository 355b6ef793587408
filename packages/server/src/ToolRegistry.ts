/** The tools a server offers. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { ParamHeader } from "@pushbutton/protocol/ParamHeaders"
import type * as Protocol from "@pushbutton/protocol/Tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { bind, type Needs } from "./internal/bind.js"
import type { Use } from "./internal/call.js"
import * as Entries from "./internal/entries.js"
import { inspect } from "./internal/toolSchemas.js"
import type { TaskMode } from "./TaskMode.js"
import { InvalidTool, type Tool } from "./Tool.js"
import type { ToolResult } from "./ToolResult.js"

/** A tool whose services are at hand. */
export interface RegisteredTool {
  readonly definition: Protocol.Tool
  readonly task: TaskMode
  /** The arguments that HTTP clients mirror in headers. */
  readonly headers: ReadonlyArray<ParamHeader>
  /** Hands over the effect of one call together with the services of its program. */
  readonly call: <A>(args: JsonObject, use: Use<ToolResult, A>) => A
}

export class ToolRegistry extends Context.Tag("@pushbutton/server/ToolRegistry")<
  ToolRegistry,
  {
    /** Adds all of the tools or, when one cannot be served, none. They leave with the scope. */
    readonly add: <R>(
      tools: ReadonlyArray<Tool<R>>
    ) => Effect.Effect<void, InvalidTool, Needs<R> | Scope.Scope>
    /** In the order of registration; the same array until a tool comes or goes. */
    readonly tools: () => ReadonlyArray<RegisteredTool>
    readonly find: (name: string) => RegisteredTool | undefined
    /** Whether there ever was one: what has been announced stays announced, if only as an empty list. */
    readonly isOffered: () => boolean
    /** Calls the listener after each change, until the function it gives is called. */
    readonly onChange: (listener: () => void) => () => void
  }
>() {}

export const make = (): ToolRegistry["Type"] => {
  const entries = Entries.make<RegisteredTool>((tool) => tool.definition.name)
  return ToolRegistry.of({
    tools: entries.current,
    find: entries.find,
    isOffered: entries.isOffered,
    onChange: entries.onChange,
    add: <R>(tools: ReadonlyArray<Tool<R>>) =>
      Effect.flatMap(Effect.context<Needs<R>>(), (services) => {
        const run = bind<R>(services)
        const added = tools.map(
          (tool): RegisteredTool => ({
            definition: tool.definition,
            task: tool.task ?? "never",
            headers: Either.getOrElse(inspect(tool.definition), () => []),
            call: (args, use) => run(tool.call(args), use)
          })
        )
        return entries.add(added, (all) => firstProblem(all, tools))
      })
  })
}

export const layer: Layer.Layer<ToolRegistry> = Layer.sync(ToolRegistry, make)

/** 2026-07-28, tools, Tool Names: 1 to 128 of these characters (SHOULD); other names break model APIs. */
const legalName = /^[A-Za-z0-9_.-]{1,128}$/

const firstProblem = (
  all: ReadonlyArray<RegisteredTool>,
  added: ReadonlyArray<Pick<Tool<never>, "definition" | "problem">>
): InvalidTool | undefined => {
  for (const { definition, problem } of added) {
    const invalid = (property: string, detail: string) =>
      new InvalidTool({ tool: definition.name, property, detail })
    if (!legalName.test(definition.name)) {
      return invalid("name", "has to be 1 to 128 letters, digits, underscores, hyphens or dots")
    }
    if (all.filter((other) => other.definition.name === definition.name).length > 1) {
      return invalid("name", "is taken by another tool")
    }
    const inSchemas = problem ?? Option.getOrUndefined(Either.getLeft(inspect(definition)))
    if (inSchemas !== undefined) return invalid(inSchemas.property, inSchemas.detail)
  }
  return undefined
}
