/** `resources/list`, `resources/templates/list` and `resources/read`. */
import type { CacheHints } from "@pushbutton/protocol/dialect/Dialect"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { decodeReadParams } from "@pushbutton/protocol/Resource"
import * as Either from "effect/Either"
import type { Decision } from "../../Decision.js"
import type { Reading } from "../../ResourceContents.js"
import type { RegisteredResource, RegisteredTemplate, ResourceRegistry } from "../../ResourceRegistry.js"
import { call, refuse } from "../call.js"
import type { Feature, Methods } from "../Feature.js"
import * as Listing from "../listing.js"
import type { Route } from "../Route.js"

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
    capabilities: () =>
      registry.isOffered() ? { resources: { subscribe: true, listChanged: true } } : undefined,
    modern: methods,
    legacy: methods,
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
