/**
 * From one message to one decision. Negotiation, routing, errors and lists are plain values; only what runs an
 * author's handler becomes an effect, which a transport hands to `InFlight`. Nothing of a peer outlives its message
 * here: the legacy session comes in with the facts.
 */

import { decodeCancelled } from "@pushbutton/protocol/Cancelled"
import type { ServerCapabilities } from "@pushbutton/protocol/Capabilities"
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
import type * as Scope from "effect/Scope"
import type { Decision, Facts, LegacySession } from "./Decision.js"
import { refuse as refuseRoute } from "./internal/call.js"
import { combine, type Features } from "./internal/Feature.js"
import * as Completion from "./internal/features/completion.js"
import * as Logging from "./internal/features/logging.js"
import * as Prompts from "./internal/features/prompts.js"
import * as Resources from "./internal/features/resources.js"
import * as Listen from "./internal/features/subscriptions.js"
import * as TasksFeature from "./internal/features/tasks.js"
import * as Tools from "./internal/features/tools.js"
import type { ListSettings } from "./internal/listing.js"
import type * as Notices from "./internal/notices.js"
import type { Route } from "./internal/Route.js"
import * as Replies from "./internal/reply.js"
import type * as Rounds from "./internal/rounds.js"
import { PromptRegistry } from "./PromptRegistry.js"
import { ResourceRegistry } from "./ResourceRegistry.js"
import { Subscriptions } from "./Subscriptions.js"
import { Tasks } from "./Tasks.js"
import { ToolRegistry } from "./ToolRegistry.js"

export class Dispatcher extends Context.Tag("@pushbutton/server/Dispatcher")<
  Dispatcher,
  {
    /** Total: every message, however wrong, has a decision. */
    readonly decide: (message: JsonRpc.Message, facts: Facts) => Decision
    /** Whether `initialize` opens sessions. */
    readonly servesLegacy: boolean
  }
>() {}

export interface Settings {
  readonly identity: Implementation
  /** Guidance for the model on the server as a whole. */
  readonly instructions?: string | undefined
  readonly list: ListSettings
  readonly rounds: Rounds.Settings
  readonly notices: Notices.Settings
  readonly isTraced: boolean
  /** Whether the revisions with a handshake are served besides. */
  readonly servesLegacy: boolean
}

export interface Registries {
  readonly tools: ToolRegistry["Type"]
  readonly resources: ResourceRegistry["Type"]
  readonly prompts: PromptRegistry["Type"]
}

export const make = (
  settings: Settings,
  { prompts, resources, tools }: Registries,
  subscriptions: Subscriptions["Type"],
  tasks: Tasks["Type"]
): Effect.Effect<Dispatcher["Type"], never, Scope.Scope> => {
  const features: Features = combine([
    Tools.make(tools, settings.list, tasks),
    TasksFeature.make(tools, tasks),
    Resources.make(resources, settings.list),
    Prompts.make(prompts, settings.list),
    Completion.make(prompts, resources),
    Logging.make(settings.notices.logging !== undefined),
    Listen.make(subscriptions, () => features.capabilities())
  ])
  const about = () => ({
    identity: settings.identity,
    instructions: settings.instructions,
    capabilities: features.capabilities()
  })
  const policy: Negotiation.Policy = {
    modern: modernVersions,
    legacy: settings.servesLegacy ? legacyVersions : [],
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
        return handshake(request, { ...about(), capabilities: withoutChanges(features.capabilities()) })
      case "Ping":
        return Replies.answer(Replies.result(request.id, {}))
    }
  }

  const inSession = (request: JsonRpc.Request, session: LegacySession, facts: Facts): Decision => {
    const params = request.params === undefined ? {} : request.params
    if (!isObject(params)) return refuse(request, notAnObject, "legacy")
    return runLegacy(legacyRoute(request, params, session, facts, settings))
  }

  const dispatcher = Dispatcher.of({
    servesLegacy: settings.servesLegacy,
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
  return Effect.forEach(features.lists, subscriptions.watch, { discard: true }).pipe(
    Effect.zipRight(Effect.forEach(features.filters, subscriptions.extend, { discard: true })),
    Effect.as(dispatcher)
  )
}

export const layer = (
  settings: Settings
): Layer.Layer<Dispatcher, never, ToolRegistry | ResourceRegistry | PromptRegistry | Subscriptions | Tasks> =>
  Layer.scoped(
    Dispatcher,
    Effect.flatMap(
      Effect.all([ToolRegistry, ResourceRegistry, PromptRegistry, Subscriptions, Tasks]),
      ([tools, resources, prompts, subscriptions, tasks]) =>
        make(settings, { tools, resources, prompts }, subscriptions, tasks)
    )
  )

const discover = "server/discover"

/**
 * Changes are told to subscriptions only, which a legacy session cannot open, and messages are logged only for
 * requests that ask: there they must not be announced.
 */
const withoutChanges = ({
  logging: _,
  prompts,
  resources,
  tools,
  ...rest
}: ServerCapabilities): ServerCapabilities => ({
  ...rest,
  ...(prompts === undefined ? {} : { prompts: {} }),
  ...(resources === undefined ? {} : { resources: {} }),
  ...(tools === undefined ? {} : { tools: {} })
})

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

/** The server sends no requests, so a response is stray: refused over modern HTTP, else ignored to feed no loop of errors. */
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
  principal: facts.principal,
  rounds: settings.rounds,
  notices: settings.notices,
  isTraced: settings.isTraced
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
    principal: facts.principal,
    rounds: undefined,
    notices: settings.notices,
    isTraced: settings.isTraced
  }
}

/** What a session remembers of its client, in UTF-16 units of JSON: sessions are many and live long. */
const keptLength = 65_536

const tooMuchToKeep = new ProtocolError.InvalidParams({
  detail: `capabilities and clientInfo together are longer than ${keptLength} characters`
})

const handshake = (request: JsonRpc.Request, about: About): Decision => {
  const initialize = Initialize.decodeInitialize(request.params)
  if (Either.isLeft(initialize)) return refuse(request, initialize.left, "legacy")
  const { capabilities: clientCapabilities, protocolVersion } = initialize.right
  // Icons may be large pictures, and nothing here shows them.
  const { icons: _, ...clientInfo } = initialize.right.clientInfo
  if (JSON.stringify([clientCapabilities, clientInfo]).length > keptLength) {
    return refuse(request, tooMuchToKeep, "legacy")
  }
  const version = Initialize.counterOffer(protocolVersion, legacyVersions)
  return {
    _tag: "Open",
    session: { version, clientInfo, clientCapabilities },
    reply: Replies.result(request.id, Initialize.result(version, about))
  }
}
