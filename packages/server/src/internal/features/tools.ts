/** `tools/list` and `tools/call`. */
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { decodeCallParams } from "@pushbutton/protocol/Tool"
import * as Either from "effect/Either"
import type { Decision } from "../../Decision.js"
import type { RegisteredTool, ToolRegistry } from "../../ToolRegistry.js"
import type { ToolResult } from "../../ToolResult.js"
import { call, refuse } from "../call.js"
import type { Feature, Methods } from "../Feature.js"
import * as Listing from "../listing.js"
import type { Route } from "../Route.js"

export const make = (registry: ToolRegistry["Type"], settings: Listing.ListSettings): Feature => {
  const list = Listing.make<RegisteredTool>(
    { key: "tools", encode: (dialect, { definition }) => dialect.tool(definition) },
    settings
  )
  const methods: Methods = {
    "tools/list": (route) => list(route, registry.tools()),
    "tools/call": (route) => callTool(route, registry)
  }
  return {
    capabilities: () => (registry.tools().length === 0 ? undefined : { tools: {} }),
    modern: methods,
    legacy: methods
  }
}

/** A bad shape or an unknown tool is an error at once; all else runs the tool. */
const callTool = (route: Route, registry: ToolRegistry["Type"]): Decision => {
  const params = decodeCallParams(route.params)
  if (Either.isLeft(params)) return refuse(route, params.left)
  const { arguments: args, name } = params.right
  const tool = registry.find(name)
  if (tool === undefined) return refuse(route, new ProtocolError.UnknownTool({ name }))
  return call<ToolResult>(
    route,
    `Tool ${name}`,
    (request, use) => tool.call(args, request, use),
    (result) => route.dialect.callToolResult(result, tool.definition, route.identity)
  )
}
