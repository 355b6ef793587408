/** `tools/list` and `tools/call`, in the dialect of the request's revision. */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Pagination from "@pushbutton/protocol/Pagination"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { decodeCallParams } from "@pushbutton/protocol/Tool"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Call, Decision, Outlet, Reply } from "../Decision.js"
import * as Progress from "../Progress.js"
import type { RequestContext } from "../RequestContext.js"
import type { RegisteredTool, Snapshot } from "../ToolRegistry.js"
import type { ToolResult } from "../ToolResult.js"
import type { Route } from "./Route.js"
import * as Replies from "./reply.js"

export interface ListSettings {
  readonly pageSize: number
  readonly ttlMs: number
  readonly cacheScope: "public" | "private"
}

/** Answers `tools/list`. A page is encoded once per snapshot and revision; after that a request copies bytes. */
export const makeList = (settings: ListSettings) => {
  const pages = new WeakMap<Snapshot, Map<string, string>>()
  const pagesOf = (snapshot: Snapshot) => {
    const known = pages.get(snapshot)
    if (known !== undefined) return known
    const fresh = new Map<string, string>()
    pages.set(snapshot, fresh)
    return fresh
  }
  return (route: Route, snapshot: Snapshot): Decision => {
    const cursor = route.params["cursor"]
    if (cursor !== undefined && typeof cursor !== "string")
      return refuse(route, new ProtocolError.InvalidCursor())
    const encoded = pagesOf(snapshot)
    // A version never holds a line feed, so two pages cannot share a key.
    const key = cursor === undefined ? route.dialect.version : `${route.dialect.version}\n${cursor}`
    const known = encoded.get(key)
    if (known !== undefined) return found(route, known)
    const page = encodePage(route, snapshot, cursor, settings)
    if (Either.isLeft(page)) return refuse(route, page.left)
    encoded.set(key, page.right)
    return found(route, page.right)
  }
}

const found = (route: Route, page: string): Decision =>
  Replies.answer({ status: 200, text: JsonRpc.encodeResultText(route.id, page) })

const encodePage = (route: Route, snapshot: Snapshot, cursor: string | undefined, settings: ListSettings) =>
  Either.map(Pagination.paginate(snapshot.tools, cursor, settings.pageSize, "tools/list"), (page) => {
    const definitions = page.page.map(({ definition }) => route.dialect.tool(definition))
    return JSON.stringify(route.dialect.list("tools", definitions, page.nextCursor, settings, route.identity))
  })

/** Decides `tools/call`: a bad shape or an unknown tool is an error at once, all else runs the tool. */
export const call = (route: Route, snapshot: Snapshot): Decision => {
  const params = decodeCallParams(route.params)
  if (Either.isLeft(params)) return refuse(route, params.left)
  const tool = snapshot.find(params.right.name)
  if (tool === undefined) return refuse(route, new ProtocolError.UnknownTool({ name: params.right.name }))
  return { _tag: "Call", call: callOf(route, tool, params.right.arguments) }
}

const refuse = (route: Route, failure: ProtocolError.ProtocolError): Decision =>
  Replies.answer(Replies.error(route.id, failure, route.era))

const callOf = (route: Route, tool: RegisteredTool, args: Route["params"]): Call => ({
  id: route.id,
  era: route.era,
  start: (outlet, fork) =>
    tool.call(args, requestContext(route, outlet), (effect, services) =>
      fork(respond(route, tool, effect), services)
    ),
  refuse: (reason) => Replies.error(route.id, reason, route.era)
})

/** Turns the end of a tool into its reply. Encoding happens inside, so that what JSON cannot hold is a defect too. */
const respond = <R>(
  route: Route,
  tool: RegisteredTool,
  effect: Effect.Effect<ToolResult, never, R>
): Effect.Effect<Reply, never, R> =>
  Effect.catchAllCause(
    Effect.map(effect, (result) =>
      Replies.result(route.id, route.dialect.callToolResult(result, tool.definition, route.identity))
    ),
    // Only defects come here: a tool's typed failures are results already.
    (cause) =>
      Effect.as(
        Effect.logError(`Tool ${tool.definition.name} died`, Cause.squash(cause)),
        Replies.error(route.id, new ProtocolError.InternalError(), route.era)
      )
  )

const requestContext = (route: Route, outlet: Outlet): RequestContext["Type"] => ({
  id: route.id,
  method: route.method,
  version: route.dialect.version,
  clientInfo: route.clientInfo,
  clientCapabilities: route.clientCapabilities,
  meta: route.meta,
  logLevel: route.logLevel,
  header: route.header,
  progress: Progress.make(route.progressToken, route.dialect, outlet)
})
