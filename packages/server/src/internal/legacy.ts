/**
 * Requests of the handshake revisions: `initialize`, and what comes in a session. A transport that keeps no sessions
 * has each request served by itself, in the revision its header names; what a session would remember is not offered
 * there.
 */
import type { ServerCapabilities } from "@pushbutton/protocol/Capabilities"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import type { Implementation } from "@pushbutton/protocol/Implementation"
import * as Initialize from "@pushbutton/protocol/Initialize"
import { isObject, type JsonObject } from "@pushbutton/protocol/Json"
import type * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { type LegacyVersion, legacyVersions } from "@pushbutton/protocol/ProtocolVersion"
import * as RequestMeta from "@pushbutton/protocol/RequestMeta"
import { toldLists } from "@pushbutton/protocol/Subscription"
import * as Either from "effect/Either"
import type { Decision, Facts } from "../Decision.js"
import { LegacySession } from "../LegacySession.js"
import type { Subscriptions } from "../Subscriptions.js"
import type { Route } from "./Route.js"
import * as Replies from "./reply.js"

export type About = Parameters<typeof Initialize.result>[1]

/** Opens a session, or answers alone where there are none. */
export const handshake = (
  request: JsonRpc.Request,
  facts: Facts,
  about: About,
  subscriptions: Subscriptions["Type"]
): Decision => {
  const initialize = Initialize.decodeInitialize(request.params)
  if (Either.isLeft(initialize)) return refuse(request, initialize.left)
  const { capabilities: clientCapabilities, protocolVersion } = initialize.right
  const clientInfo = textsOf(initialize.right.clientInfo)
  if (JSON.stringify([clientCapabilities, clientInfo]).length > keptLength)
    return refuse(request, tooMuchToKeep)
  const version = Initialize.counterOffer(protocolVersion, legacyVersions)
  if (facts.isSessionless === true) {
    const offered = { ...about, capabilities: withoutSessions(about.capabilities) }
    return Replies.answer(Replies.result(request.id, Initialize.result(version, offered)))
  }
  const session = new LegacySession(
    {
      version,
      clientInfo,
      clientCapabilities,
      principal: facts.principal,
      lists: toldLists(about.capabilities)
    },
    subscriptions
  )
  return {
    _tag: "Open",
    session,
    reply: Replies.result(request.id, Initialize.result(version, about))
  }
}

/** What every route takes from the server's settings. */
export type Given = Pick<Route, "identity" | "notices" | "isTraced" | "asks">

/** Undefined when the request has no params that could be read. */
export const route = (
  request: JsonRpc.Request,
  version: LegacyVersion,
  facts: Facts,
  given: Given
): Route | undefined => {
  const params = request.params === undefined ? {} : request.params
  if (!isObject(params)) return undefined
  const { session } = facts
  const meta = params["_meta"]
  return {
    id: request.id,
    method: request.method,
    params,
    era: "legacy",
    dialect: Dialect.forVersion(version),
    session,
    clientInfo: session?.clientInfo,
    clientCapabilities: session?.clientCapabilities ?? noCapabilities,
    meta: isObject(meta) ? unreserved(meta) : {},
    // A server may log what it likes to a session that has set no level (all revisions, logging).
    logLevel: session === undefined ? undefined : (session.logLevel ?? "info"),
    progressToken: RequestMeta.progressToken(params),
    header: facts.header,
    principal: facts.principal,
    // By name: what is given is all of the server's settings.
    identity: given.identity,
    asks: given.asks,
    notices: given.notices,
    isTraced: given.isTraced
  }
}

/** What the protocol has put there means something to it, and nothing to handlers of these revisions. */
const unreserved = (meta: JsonObject): JsonObject =>
  Object.keys(meta).some(isReserved)
    ? Object.fromEntries(Object.entries(meta).filter(([key]) => !isReserved(key)))
    : meta

const isReserved = (key: string): boolean => key.startsWith("io.modelcontextprotocol/")

export const notAnObject = new ProtocolError.InvalidParams({ detail: "params has to be an object" })

export const refuse = (request: JsonRpc.Request, failure: ProtocolError.ProtocolError): Decision =>
  Replies.answer(Replies.error(request.id, failure, "legacy"))

const noCapabilities: JsonObject = {}

/** What a session remembers of its client, in UTF-16 units of JSON: sessions are many and live long. */
const keptLength = 8_192

/** Icons may be large pictures, and what no revision knows may be anything; nothing here shows them. */
const textsOf = ({ description, name, title, version, websiteUrl }: Implementation): Implementation => ({
  name,
  version,
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  ...(websiteUrl === undefined ? {} : { websiteUrl })
})

const tooMuchToKeep = new ProtocolError.InvalidParams({
  detail: `capabilities and clientInfo together are longer than ${keptLength} characters`
})

/** Without a session there is no stream to tell changes on, and no level or subscription to remember. */
const withoutSessions = ({
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
