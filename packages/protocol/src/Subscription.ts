/**
 * `subscriptions/listen` (2026-07-28): what a client asks for, what it is granted, which events are for it, and the
 * messages it gets. A subscription's id is the id of its request, in the JSON type it was sent in, and every
 * message of the subscription is tagged with it. Nothing of a filter is granted that was not asked for.
 */
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type { ServerCapabilities } from "./Capabilities.js"
import * as Dialect from "./dialect/Dialect.js"
import type { Implementation } from "./Implementation.js"
import * as Codec from "./internal/codec.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import * as JsonRpc from "./JsonRpc.js"
import { InvalidParams } from "./ProtocolError.js"
import * as RequestMeta from "./RequestMeta.js"

/** The members of a filter that stand for a list, and what tells its change. */
const listMethods = {
  toolsListChanged: "notifications/tools/list_changed",
  promptsListChanged: "notifications/prompts/list_changed",
  resourcesListChanged: "notifications/resources/list_changed"
} as const

export type ListMember = keyof typeof listMethods

const listMembers: ReadonlyArray<ListMember> = [
  "toolsListChanged",
  "promptsListChanged",
  "resourcesListChanged"
]

/** What a client asks for: the object as sent, so that an extension finds its own members in it. */
export type Filter = {
  readonly toolsListChanged?: boolean
  readonly promptsListChanged?: boolean
  readonly resourcesListChanged?: boolean
  readonly resourceSubscriptions?: ReadonlyArray<string>
}

const Filter: Schema.Schema<Filter> = Codec.struct({
  toolsListChanged: Codec.optional(Codec.boolean),
  promptsListChanged: Codec.optional(Codec.boolean),
  resourcesListChanged: Codec.optional(Codec.boolean),
  resourceSubscriptions: Codec.optional(Codec.array(Codec.string))
})

const decodeFilter = Codec.decoder(Filter, "params.notifications")

/** Reads the filter of a request. Unknown members are no mistake: a newer client may send them. */
export const decode = (params: JsonObject): Either.Either<Filter, InvalidParams> =>
  Either.mapLeft(decodeFilter(Json.own(params, "notifications")), (detail) => new InvalidParams({ detail }))

/** What a subscription is for. */
export interface Granted {
  readonly lists: ReadonlyArray<ListMember>
  readonly uris: ReadonlyArray<string>
  /** Members of extensions, as they are acknowledged. */
  readonly extra: JsonObject
}

export interface Limits {
  /** The most resources that one subscription may name; those beyond are not granted. */
  readonly maxResources: number
}

/** The part of a filter that a server with these capabilities honours. */
export const honoured = (
  asked: Filter,
  offered: ServerCapabilities,
  limits: Limits,
  extra: JsonObject = {}
): Granted => ({
  lists: listMembers.filter((member) => asked[member] === true && listOf(offered, member)),
  uris:
    offered.resources?.subscribe === true
      ? Array.from(new Set(asked.resourceSubscriptions)).slice(0, limits.maxResources)
      : [],
  extra
})

const listOf = (offered: ServerCapabilities, member: ListMember): boolean => {
  switch (member) {
    case "toolsListChanged":
      return offered.tools?.listChanged === true
    case "promptsListChanged":
      return offered.prompts?.listChanged === true
    case "resourcesListChanged":
      return offered.resources?.listChanged === true
  }
}

export const isEmpty = ({ extra, lists, uris }: Granted): boolean =>
  lists.length === 0 && uris.length === 0 && Object.keys(extra).length === 0

/** The granted URI under which an update of this resource is told: itself, or one that it lies below. */
export const uriFor = ({ uris }: Granted, updated: string): string | undefined =>
  uris.includes(updated) ? updated : uris.find((uri) => isBelow(uri, updated))

/** Whole path segments only: `file:///ab` is not below `file:///a`. */
const isBelow = (uri: string, updated: string): boolean =>
  uri !== "" && updated.startsWith(uri.endsWith("/") ? uri : `${uri}/`)

/** What is told to subscribers, not yet tagged for any of them. */
export interface Notice {
  readonly method: string
  readonly params: JsonObject
}

const listNotices: Readonly<Record<ListMember, Notice>> = {
  toolsListChanged: { method: listMethods.toolsListChanged, params: {} },
  promptsListChanged: { method: listMethods.promptsListChanged, params: {} },
  resourcesListChanged: { method: listMethods.resourcesListChanged, params: {} }
}

export const listChanged = (member: ListMember): Notice => listNotices[member]

export const resourceUpdated = (uri: string): Notice => ({
  method: "notifications/resources/updated",
  params: { uri }
})

/** The acknowledgement: what is not granted is left out, not set to false (SCHEMA). */
export const acknowledged = ({ extra, lists, uris }: Granted): Notice => ({
  method: "notifications/subscriptions/acknowledged",
  params: {
    notifications: {
      ...Object.fromEntries(lists.map((member) => [member, true])),
      ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
      ...extra
    }
  }
})

/** Tells that the server ends a subscription (2026-07-28, cancellation: MUST on stdio); the result follows. */
export const cancelled = (id: JsonRpc.RequestId): Notice => ({
  method: "notifications/cancelled",
  params: { requestId: id, reason: "The server ends the subscription" }
})

/** One notice for one subscription. */
export const encode = (id: JsonRpc.RequestId, { method, params }: Notice): string => {
  const meta = Json.own(params, "_meta")
  return JsonRpc.encodeNotification(method, {
    ...params,
    _meta: { ...(Json.isObject(meta) ? meta : {}), [RequestMeta.key.subscriptionId]: id }
  })
}

/** The response to the request, which ends the subscription. */
export const encodeResult = (id: JsonRpc.RequestId, identity: Implementation): string =>
  JsonRpc.encodeResult(
    id,
    Dialect.forVersion("2026-07-28").complete({ _meta: { [RequestMeta.key.subscriptionId]: id } }, identity)
  )
