/**
 * From one message to one decision. Negotiation, routing, errors and lists are plain values; only a tool call
 * becomes an effect, which a transport hands to `InFlight`. Nothing of a peer outlives its message here: the
 * legacy session comes in with the facts.
 */
import { decodeCancelled } from "@pushbutton/protocol/Cancelled"
import * as Discover from "@pushbutton/protocol/Discover"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import type { Implementation } from "@pushbutton/protocol/Implementation"
import * as Initialize from "@pushbutton/protocol/Initialize"
import { isObject, type JsonObject } from "@pushbutton/protocol/Json"
import type * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Negotiation from "@pushbutton/protocol/Negotiation"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { legacyVersions, modernVersions } from "@pushbutton/protocol/ProtocolVersion"
import * as RequestMeta from "@pushbutton/protocol/RequestMeta"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { Decision, Facts, LegacySession } from "./Decision.js"
import { refuse as refuseRoute } from "./internal/call.js"
import { combine } from "./internal/Feature.js"
import * as Tools from "./internal/features/tools.js"
import type { ListSettings } from "./internal/listing.js"
import type { Route } from "./internal/Route.js"
import * as Replies from "./internal/reply.js"
import { ToolRegistry } from "./ToolRegistry.js"

export class Dispatcher extends Context.Tag("@pushbutton/server/Dispatcher")<
  Dispatcher,
  {
    /** Total: every message, however wrong, has a decision. */
    readonly decide: (message: JsonRpc.Message, facts: Facts) => Decision
  }
>() {}

export interface Settings {
  readonly identity: Implementation
  /** Guidance for the model on the server as a whole. */
  readonly instructions?: string | undefined
  readonly list: ListSettings
}

export const make = (settings: Settings, registry: ToolRegistry["Type"]): Dispatcher["Type"] => {
  const features = combine([Tools.make(registry, settings.list)])
  const about = () => ({
    identity: settings.identity,
    instructions: settings.instructions,
    capabilities: features.capabilities()
  })
  const policy: Negotiation.Policy = {
    modern: modernVersions,
    legacy: legacyVersions,
    isModernMethod: (method) => method === discover || features.find("modern", method) !== undefined
  }

  const runModern = (route: Route): Decision =>
    route.method === discover
      ? Replies.answer(Replies.result(route.id, Discover.result({ ...about(), hints: settings.list })))
      : runFeature(route)

  const runLegacy = (route: Route): Decision =>
    route.method === "ping"
      ? Replies.answer(Replies.result(route.id, route.dialect.complete({}, route.identity)))
      : runFeature(route)

  const runFeature = (route: Route): Decision => {
    const handler = features.find(route.era, route.method)
    return handler === undefined
      ? refuseRoute(route, new ProtocolError.MethodNotFound({ method: route.method }))
      : handler(route)
  }

  const decideRequest = (request: JsonRpc.Request, facts: Facts): Decision => {
    const accepted = Negotiation.negotiate(
      request,
      { headers: facts.header, session: facts.session?.version },
      policy
    )
    if (Either.isLeft(accepted)) return refuse(request, accepted.left, eraOf(request, facts))
    const decision = accepted.right
    switch (decision._tag) {
      case "Modern":
        return runModern(modernRoute(request, decision, facts, settings))
      case "Legacy":
        return facts.session === undefined
          ? refuse(request, new ProtocolError.SessionRequired(), "legacy")
          : inSession(request, facts.session, facts)
      case "Handshake":
        return handshake(request, about())
      case "Ping":
        return Replies.answer(Replies.result(request.id, {}))
    }
  }

  const inSession = (request: JsonRpc.Request, session: LegacySession, facts: Facts): Decision => {
    const params = request.params === undefined ? {} : request.params
    if (!isObject(params)) return refuse(request, notAnObject, "legacy")
    return runLegacy(legacyRoute(request, params, session, facts, settings))
  }

  return Dispatcher.of({
    decide: (message, facts) => {
      switch (message._tag) {
        case "Request":
          return decideRequest(message, facts)
        case "Notification":
          return decideNotification(message)
        case "Response":
          return decideResponse(facts)
        case "Malformed":
          return Replies.answer(Replies.error(message.id, message.error, facts.session ? "legacy" : "modern"))
      }
    }
  })
}

export const layer = (settings: Settings): Layer.Layer<Dispatcher, never, ToolRegistry> =>
  Layer.effect(
    Dispatcher,
    Effect.map(ToolRegistry, (registry) => make(settings, registry))
  )

const discover = "server/discover"

type About = Parameters<typeof Initialize.result>[1]

const notAnObject = new ProtocolError.InvalidParams({ detail: "params has to be an object" })

const refuse = (request: JsonRpc.Request, failure: ProtocolError.ProtocolError, era: Replies.Era): Decision =>
  Replies.answer(Replies.error(request.id, failure, era))

/** Which era's statuses a refused request gets: its own claim decides, then the session it came in. */
const eraOf = (request: JsonRpc.Request, facts: Facts): Replies.Era =>
  facts.session !== undefined && !Negotiation.isModernClaim(request) ? "legacy" : "modern"

const decideNotification = (notification: JsonRpc.Notification): Decision => {
  if (notification.method !== "notifications/cancelled") return { _tag: "Accept" }
  const cancelled = decodeCancelled(notification.params)
  return cancelled === undefined
    ? { _tag: "Accept" }
    : { _tag: "Cancel", id: cancelled.requestId, reason: cancelled.reason }
}

/** The server asks nothing, so a response is stray: refused over modern HTTP, else ignored to feed no loop of errors. */
const decideResponse = (facts: Facts): Decision =>
  facts.header === undefined || facts.session !== undefined
    ? { _tag: "Accept" }
    : Replies.answer(
        Replies.error(
          undefined,
          new ProtocolError.InvalidRequest({ detail: "no request awaits a response" }),
          "modern"
        )
      )

const modernRoute = (
  request: JsonRpc.Request,
  { meta, params }: { readonly meta: RequestMeta.RequestMeta; readonly params: JsonObject },
  facts: Facts,
  settings: Settings
): Route => ({
  id: request.id,
  method: request.method,
  params,
  era: "modern",
  dialect: Dialect.forVersion("2026-07-28"),
  identity: settings.identity,
  clientInfo: meta.clientInfo,
  clientCapabilities: meta.clientCapabilities,
  meta: meta.all,
  logLevel: meta.logLevel,
  progressToken: meta.progressToken,
  header: facts.header,
  principal: facts.principal
})

const legacyRoute = (
  request: JsonRpc.Request,
  params: JsonObject,
  session: LegacySession,
  facts: Facts,
  settings: Settings
): Route => {
  const meta = params["_meta"]
  return {
    id: request.id,
    method: request.method,
    params,
    era: "legacy",
    dialect: Dialect.forVersion(session.version),
    identity: settings.identity,
    clientInfo: session.clientInfo,
    clientCapabilities: session.clientCapabilities,
    meta: isObject(meta) ? meta : {},
    logLevel: undefined,
    progressToken: RequestMeta.progressToken(params),
    header: facts.header,
    principal: facts.principal
  }
}

const handshake = (request: JsonRpc.Request, about: About): Decision => {
  const initialize = Initialize.decodeInitialize(request.params)
  if (Either.isLeft(initialize)) return refuse(request, initialize.left, "legacy")
  const { capabilities: clientCapabilities, clientInfo, protocolVersion } = initialize.right
  const version = Initialize.counterOffer(protocolVersion, legacyVersions)
  return {
    _tag: "Open",
    session: { version, clientInfo, clientCapabilities },
    reply: Replies.result(request.id, Initialize.result(version, about))
  }
}
