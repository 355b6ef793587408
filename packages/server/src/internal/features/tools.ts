/** `tools/list` and `tools/call`. */
import * as ParamHeaders from "@pushbutton/protocol/ParamHeaders"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { decodeCallParams } from "@pushbutton/protocol/Tool"
import * as Either from "effect/Either"
import type { Decision } from "../../Decision.js"
import type { Tasks } from "../../Tasks.js"
import type { RegisteredTool, ToolRegistry } from "../../ToolRegistry.js"
import type { ToolResult } from "../../ToolResult.js"
import { call, refuse } from "../call.js"
import type { Feature, Methods } from "../Feature.js"
import * as Listing from "../listing.js"
import type { Route } from "../Route.js"
import { admit } from "../taskCarrier.js"

export const make = (
  registry: ToolRegistry["Type"],
  settings: Listing.ListSettings,
  tasks: Tasks["Type"]
): Feature => {
  const list = Listing.make<RegisteredTool>(
    { key: "tools", encode: (dialect, { definition }) => dialect.tool(definition) },
    settings
  )
  const methods: Methods = {
    "tools/list": (route) => list(route, registry.tools()),
    "tools/call": (route) => callTool(route, registry, tasks)
  }
  return {
    isOffered: registry.isOffered,
    capabilities: { tools: { listChanged: true } },
    modern: methods,
    legacy: methods,
    lists: [
      {
        member: "toolsListChanged",
        listed: (dialect) => registry.tools().map(({ definition }) => dialect.tool(definition)),
        onChange: registry.onChange
      }
    ]
  }
}

/** A bad shape or an unknown tool is an error at once; all else runs the tool. */
const callTool = (route: Route, registry: ToolRegistry["Type"], tasks: Tasks["Type"]): Decision => {
  const params = decodeCallParams(route.params)
  if (Either.isLeft(params)) return refuse(route, params.left)
  const { arguments: args, name } = params.right
  const tool = registry.find(name)
  if (tool === undefined) return refuse(route, new ProtocolError.UnknownTool({ name }))
  // Ahead of the arguments' own check: whoever acted on a header has to have seen what the tool will get.
  if (route.era === "modern" && route.header !== undefined) {
    const mirrored = ParamHeaders.check(route.header, tool.headers, args)
    if (Either.isLeft(mirrored)) return refuse(route, mirrored.left)
  }
  const carry = admit(tasks, route, tool.definition, tool.task)
  if (Either.isLeft(carry)) return carry.left
  return call<ToolResult>(
    route,
    `Tool ${name}`,
    (use) => tool.call(args, use),
    (result) => route.dialect.callToolResult(result, tool.definition, route.identity),
    { target: name, args, carry: carry.right }
  )
}
