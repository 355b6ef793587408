/** `resources/list`, `resources/templates/list` and `resources/read`; in sessions, `resources/subscribe` and `unsubscribe`. */
import type { CacheHints } from "@pushbutton/protocol/dialect/Dialect"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { decodeReadParams } from "@pushbutton/protocol/Resource"
import * as Either from "effect/Either"
import type { Decision } from "../../Decision.js"
import type { LegacySession } from "../../LegacySession.js"
import type { Reading } from "../../ResourceContents.js"
import type { RegisteredResource, RegisteredTemplate, ResourceRegistry } from "../../ResourceRegistry.js"
import { call, refuse } from "../call.js"
import type { Feature, Methods } from "../Feature.js"
import * as Listing from "../listing.js"
import type { Route } from "../Route.js"
import * as Replies from "../reply.js"

export const make = (registry: ResourceRegistry["Type"], settings: Listing.ListSettings): Feature => {
  const resources = Listing.make<RegisteredResource>(
    { key: "resources", encode: (dialect, { definition }) => dialect.resource(definition) },
    settings
  )
  const templates = Listing.make<RegisteredTemplate>(
    { key: "resourceTemplates", encode: (dialect, { definition }) => dialect.resourceTemplate(definition) },
    settings
  )
  const methods: Methods = {
    "resources/list": (route) => resources(route, registry.resources()),
    "resources/templates/list": (route) => templates(route, registry.templates()),
    "resources/read": (route) => read(route, registry)
  }
  return {
    isOffered: registry.isOffered,
    capabilities: { resources: { subscribe: true, listChanged: true } },
    modern: methods,
    legacy: { ...methods, ...subscribing },
    lists: [
      {
        member: "resourcesListChanged",
        listed: (dialect) => [
          registry.resources().map(({ definition }) => dialect.resource(definition)),
          registry.templates().map(({ definition }) => dialect.resourceTemplate(definition))
        ],
        onChange: registry.onChange
      }
    ]
  }
}

/** Subscriptions of handshake revisions, which belong to the session; 2026-07-28 has `subscriptions/listen`. */
const subscribing: Methods = {
  "resources/subscribe": (route) =>
    naming(route, (session, uri) =>
      session.subscribe(uri)
        ? undefined
        : new ProtocolError.InvalidParams({ detail: "too many resources are subscribed to" })
    ),
  "resources/unsubscribe": (route) =>
    naming(route, (session, uri) => {
      session.unsubscribe(uri)
      return undefined
    })
}

/** Without a session nothing could be told, so the methods do not exist (all revisions, resources). */
const naming = (
  route: Route,
  change: (session: LegacySession, uri: string) => ProtocolError.ProtocolError | undefined
): Decision => {
  if (route.session === undefined)
    return refuse(route, new ProtocolError.MethodNotFound({ method: route.method }))
  const params = decodeReadParams(route.params)
  if (Either.isLeft(params)) return refuse(route, params.left)
  const problem = change(route.session, params.right.uri)
  return problem === undefined ? Replies.answer(Replies.result(route.id, {})) : refuse(route, problem)
}

/** A bad URI, or one that names nothing, is an error at once; all else runs the handler. */
const read = (route: Route, registry: ResourceRegistry["Type"]): Decision => {
  const params = decodeReadParams(route.params)
  if (Either.isLeft(params)) return refuse(route, params.left)
  const { normalized, uri } = params.right
  const found = registry.find(normalized, uri)
  if (found === undefined) return refuse(route, new ProtocolError.ResourceNotFound({ uri }))
  return call<Reading>(
    route,
    `Resource ${uri}`,
    found.read,
    ({ hints, result }) =>
      route.dialect.readResult(result, hintsFor(route, { ...found.hints, ...hints }), route.identity),
    { target: uri, args: {} }
  )
}

/** What answers a retry depends on more than the URI (2026-07-28, caching), so nobody may keep it. */
const hintsFor = ({ params }: Route, { cacheScope, ttlMs }: Partial<CacheHints>): CacheHints =>
  Object.hasOwn(params, "inputResponses") || Object.hasOwn(params, "requestState")
    ? { ttlMs: 0, cacheScope: "private" }
    : { ttlMs: ttlMs ?? 0, cacheScope: cacheScope ?? "private" }
