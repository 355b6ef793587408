/**
 * `subscriptions/listen` (2026-07-28): what a client asks for, what it is granted, which events are for it, and the
 * messages it gets. A subscription's id is the id of its request, in the JSON type it was sent in, and every
 * message of the subscription is tagged with it. Nothing of a filter is granted that was not asked for, and what a
 * filter has too much of is not granted: the acknowledgement tells.
 */
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type { ServerCapabilities } from "./Capabilities.js"
import * as Dialect from "./dialect/Dialect.js"
import type { Implementation } from "./Implementation.js"
import * as Codec from "./internal/codec.js"
import type { JsonObject, JsonValue } from "./Json.js"
import * as Json from "./Json.js"
import * as JsonRpc from "./JsonRpc.js"
import { InvalidParams } from "./ProtocolError.js"
import * as RequestMeta from "./RequestMeta.js"
import * as Uri from "./Uri.js"

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
  /** As they were asked for, each resource in one spelling. */
  readonly uris: ReadonlyArray<string>
  /** Members of extensions, as they are acknowledged. */
  readonly extra: JsonObject
}

export interface Limits {
  /** The most resources that one subscription may name; those beyond are not granted. */
  readonly maxResources: number
}

/**
 * The most of one filter that is granted, in UTF-16 units: the members of extensions as JSON, each whole or not at all,
 * and then resources in the order asked for, each by the longer of the spelling sent and the normal one.
 */
export const maxFilterLength = 65_536

/** The part of a filter that a server with these capabilities honours. */
export const honoured = (
  asked: Filter,
  offered: ServerCapabilities,
  limits: Limits,
  extra: JsonObject = {}
): Granted => {
  const { members, room } = extraWithin(extra, maxFilterLength)
  return {
    lists: listMembers.filter((member) => asked[member] === true && listOf(offered, member)),
    uris:
      offered.resources?.subscribe === true
        ? urisWithin(asked.resourceSubscriptions ?? [], limits.maxResources, room)
        : [],
    extra: members
  }
}

const extraWithin = (extra: JsonObject, length: number): { members: JsonObject; room: number } => {
  const members: Array<readonly [string, JsonValue]> = []
  let room = length
  for (const [member, value] of Object.entries(extra)) {
    const needed = member.length + JSON.stringify(value).length
    if (needed > room) continue
    room -= needed
    members.push([member, value])
  }
  return { members: Object.fromEntries(members), room }
}

const urisWithin = (asked: ReadonlyArray<string>, max: number, length: number): ReadonlyArray<string> => {
  const granted = new Map<string, string>()
  let room = length
  for (const uri of asked) {
    const normal = Uri.normalize(uri)
    if (normal === undefined || granted.has(normal)) continue
    room -= Math.max(uri.length, normal.length)
    if (room < 0 || granted.size >= max) break
    granted.set(normal, uri)
  }
  return Array.from(granted.values())
}

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

/** The lists of which a server announces that it tells their changes. */
export const toldLists = (offered: ServerCapabilities): ReadonlyArray<ListMember> =>
  listMembers.filter((member) => listOf(offered, member))

export const isEmpty = ({ extra, lists, uris }: Granted): boolean =>
  lists.length === 0 && uris.length === 0 && Object.keys(extra).length === 0

/**
 * How much of a URI names a resource whose subscribers are told of its updates: all of it, and then each that it lies
 * below, nearest first. The URI is in its normal spelling. Whole path segments only: `file:///ab` is not below
 * `file:///a`.
 */
export function* lengthsOfNames(normal: string): Generator<number> {
  yield normal.length
  for (let at = normal.lastIndexOf("/"); at > 0; at = normal.lastIndexOf("/", at - 1)) {
    if (at + 1 < normal.length) yield at + 1
    if (normal[at - 1] !== "/") yield at
  }
}

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

/** One notice for a session of a handshake revision, which has nothing to tag it with. */
export const encodePlain = ({ method, params }: Notice): string =>
  JsonRpc.encodeNotification(method, Object.keys(params).length === 0 ? undefined : params)

/** The response to the request, which ends the subscription. */
export const encodeResult = (id: JsonRpc.RequestId, identity: Implementation): string =>
  JsonRpc.encodeResult(
    id,
    Dialect.forVersion("2026-07-28").complete({ _meta: { [RequestMeta.key.subscriptionId]: id } }, identity)
  )
