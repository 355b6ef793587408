/**
 * From one message to one decision. Negotiation, routing, errors and lists are plain values; only what runs an
 * author's handler becomes an effect, which a transport hands to `InFlight`. Nothing of a peer outlives its message
 * here: the legacy session comes in with the facts.
 */

import { decodeCancelled } from "@pushbutton/protocol/Cancelled"
import * as Discover from "@pushbutton/protocol/Discover"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import type { Implementation } from "@pushbutton/protocol/Implementation"
import type { JsonObject } from "@pushbutton/protocol/Json"
import type * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Negotiation from "@pushbutton/protocol/Negotiation"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { legacyVersions, modernVersions } from "@pushbutton/protocol/ProtocolVersion"
import type * as RequestMeta from "@pushbutton/protocol/RequestMeta"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Decision, Facts } from "./Decision.js"
import * as Batch from "./internal/batch.js"
import { refuse as refuseRoute } from "./internal/call.js"
import { combine, type Features } from "./internal/Feature.js"
import * as Completion from "./internal/features/completion.js"
import * as Logging from "./internal/features/logging.js"
import * as Prompts from "./internal/features/prompts.js"
import * as Resources from "./internal/features/resources.js"
import * as Listen from "./internal/features/subscriptions.js"
import * as TasksFeature from "./internal/features/tasks.js"
import * as Tools from "./internal/features/tools.js"
import * as Legacy from "./internal/legacy.js"
import type { ListSettings } from "./internal/listing.js"
import * as Malformed from "./internal/malformed.js"
import type * as Notices from "./internal/notices.js"
import type { Asks, Route } from "./internal/Route.js"
import * as Replies from "./internal/reply.js"
import { PromptRegistry } from "./PromptRegistry.js"
import { ResourceRegistry } from "./ResourceRegistry.js"
import { Subscriptions } from "./Subscriptions.js"
import { Tasks } from "./Tasks.js"
import { ToolRegistry } from "./ToolRegistry.js"

export class Dispatcher extends Context.Tag("@pushbutton/server/Dispatcher")<
  Dispatcher,
  {
    /** Total: every message, however wrong, has a decision. */
    readonly decide: (message: JsonRpc.Incoming, facts: Facts) => Decision
    /** Whether `initialize` opens sessions. */
    readonly servesLegacy: boolean
  }
>() {}

export interface Settings {
  readonly identity: Implementation
  /** Guidance for the model on the server as a whole. */
  readonly instructions?: string | undefined
  readonly list: ListSettings
  readonly asks: Asks
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
      { headers: facts.header, session: facts.session?.version, isSessionless: facts.isSessionless },
      policy
    )
    if (Either.isLeft(accepted)) return refuse(request, accepted.left, eraOf(request, facts))
    const decision = accepted.right
    switch (decision._tag) {
      case "Modern":
        return runModern(modernRoute(request, decision, facts, settings))
      case "Legacy": {
        const route = Legacy.route(request, decision.version, facts, settings)
        return route === undefined ? refuse(request, Legacy.notAnObject, "legacy") : runLegacy(route)
      }
      case "Handshake":
        return Legacy.handshake(request, facts, about(), subscriptions)
      case "Ping":
        return Replies.answer(Replies.result(request.id, {}))
    }
  }

  const decideOne = (message: JsonRpc.Message, facts: Facts): Decision => {
    switch (message._tag) {
      case "Request":
        return decideRequest(message, facts)
      case "Notification":
        return decideNotification(message, facts)
      case "Response":
        return decideResponse(message, facts)
      case "Malformed":
        return Malformed.decide(message, facts)
    }
  }

  const dispatcher = Dispatcher.of({
    servesLegacy: settings.servesLegacy,
    decide: (incoming, facts) =>
      incoming._tag === "Batch"
        ? Batch.decide(incoming, facts, (message) => decideOne(message, facts))
        : decideOne(incoming, facts)
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

const refuse = (request: JsonRpc.Request, failure: ProtocolError.ProtocolError, era: Replies.Era): Decision =>
  Replies.answer(Replies.error(request.id, failure, era))

/** Which era's statuses a refused request gets: its own claim decides, then the session it came in. */
const eraOf = (request: JsonRpc.Request, facts: Facts): Replies.Era =>
  facts.session !== undefined && !Negotiation.isModernClaim(request) ? "legacy" : "modern"

const decideNotification = (notification: JsonRpc.Notification, { session }: Facts): Decision => {
  switch (notification.method) {
    case "notifications/cancelled": {
      const cancelled = decodeCancelled(notification.params)
      return cancelled === undefined
        ? accept
        : { _tag: "Cancel", id: cancelled.requestId, reason: cancelled.reason }
    }
    case "notifications/initialized":
      if (!Negotiation.isModernClaim(notification)) session?.initialized()
      return accept
    default:
      return accept
  }
}

const accept: Decision = { _tag: "Accept" }

/**
 * Only sessions are asked. A stray response is refused over HTTP where nothing could await it, else ignored, to feed no
 * loop of errors.
 */
const decideResponse = (response: JsonRpc.Response, { header, isSessionless, session }: Facts): Decision => {
  if (session?.requests.settle(response) === true) return accept
  return header === undefined || session !== undefined || isSessionless === true
    ? accept
    : Replies.answer(
        Replies.error(
          undefined,
          new ProtocolError.InvalidRequest({ detail: "no request awaits a response" }),
          "modern"
        )
      )
}

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
  session: undefined,
  identity: settings.identity,
  clientInfo: meta.clientInfo,
  clientCapabilities: meta.clientCapabilities,
  meta: meta.all,
  logLevel: meta.logLevel,
  progressToken: meta.progressToken,
  header: facts.header,
  principal: facts.principal,
  asks: settings.asks,
  notices: settings.notices,
  isTraced: settings.isTraced
})
