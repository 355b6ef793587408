/**
 * Whether an HTTP request gets as far as its body: a pure decision over its head. The first failing check answers,
 * in this order: Origin and Host, path, preflight, method, media types.
 */
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { legacyVersions, looksModern } from "@pushbutton/protocol/ProtocolVersion"
import { type HeaderLookup, trim } from "@pushbutton/protocol/RequestHeaders"
import * as Hosts from "./internal/hosts.js"
import * as MediaTypes from "./internal/mediaTypes.js"

export interface Head {
  readonly method: string
  /** The request target as sent, query string included. */
  readonly target: string
  readonly header: HeaderLookup
}

export interface Policy {
  readonly path: string
  /** Whether only this machine reaches the server; then the Host header has to name it. */
  readonly isLoopback: boolean
  /** Exact origins. Undefined: on a loopback server any loopback origin, else none. */
  readonly allowedOrigins: ReadonlyArray<string> | undefined
  /** Hosts allowed besides loopback ones; an entry without a port allows every port. */
  readonly allowedHosts: ReadonlyArray<string>
  /** Whether there are sessions, which a GET may open streams of, and a DELETE may end. */
  readonly hasSessions: boolean
}

/** Names and values in turn. */
export type Headers = ReadonlyArray<string>

/** `headers` go on whatever is answered. */
export type Admission =
  | { readonly _tag: "Post"; readonly accepts: MediaTypes.Accepts; readonly headers: Headers }
  | {
      readonly _tag: "Get"
      readonly sessionId: string
      readonly lastEventId: string | undefined
      readonly headers: Headers
    }
  | { readonly _tag: "Delete"; readonly sessionId: string; readonly headers: Headers }
  /** 204, no body. */
  | { readonly _tag: "Options"; readonly headers: Headers }
  | Refused

export interface Refused {
  readonly _tag: "Refused"
  readonly status: number
  readonly error: ProtocolError.ProtocolError
  readonly headers: Headers
}

/** Who may call at all. */
export type Callers = Pick<Policy, "isLoopback" | "allowedOrigins" | "allowedHosts">

export const make = (policy: Policy): ((head: Head) => Admission) => {
  const path = normalise(policy.path)
  const passGate = makeGate(policy)
  return (head) => {
    const gate = passGate(head)
    if (gate._tag === "Refused") return gate
    const cors = gate.headers
    const sent = pathOf(head.target)
    if (sent !== path && sent !== `${path}/`) return refuse(404, "No MCP endpoint at this path", cors)
    switch (head.method) {
      case "POST":
        return post(head.header, cors)
      case "GET":
        return ofSession(head.header, cors, policy, (sessionId) => get(head.header, cors, sessionId))
      case "DELETE":
        return ofSession(head.header, cors, policy, (sessionId) => ({
          _tag: "Delete",
          sessionId,
          headers: cors
        }))
      case "OPTIONS":
        return { _tag: "Options", headers: preflight(head.header, cors, policy) }
      default:
        return methodNotAllowed(head.header, cors, policy)
    }
  }
}

/** The checks of Origin and Host; `headers` are what CORS has the reply carry. */
export const makeGate = (
  callers: Callers
): ((head: Head) => Refused | { readonly _tag: "Passed"; readonly headers: Headers }) => {
  const isAllowedOrigin = originCheck(callers)
  const isAllowedHost = rememberingLast(hostCheck(callers))
  return ({ header }) => {
    const origin = header("origin")
    if (origin !== undefined && !isAllowedOrigin(origin))
      return refuse(403, "The Origin is not allowed", none)
    const host = header("host")
    if (host !== undefined && !isAllowedHost(host)) return refuse(403, "The Host is not allowed", none)
    return { _tag: "Passed", headers: origin === undefined ? none : corsHeaders(origin) }
  }
}

const none: Headers = []

export const refuse = (status: number, detail: string, headers: Headers): Refused => ({
  _tag: "Refused",
  status,
  error: new ProtocolError.InvalidRequest({ detail }),
  headers
})

/** Undefined for a body of JSON that nothing has encoded. */
export const refuseBody = (header: HeaderLookup, cors: Headers): Refused | undefined => {
  if (!MediaTypes.isJson(header("content-type")))
    return refuse(415, "Content-Type has to be application/json", cors)
  const encoding = header("content-encoding")
  return encoding === undefined || encoding.toLowerCase() === "identity"
    ? undefined
    : refuse(415, "The body must not have a Content-Encoding", [...cors, "Accept-Encoding", "identity"])
}

const post = (header: HeaderLookup, cors: Headers): Admission => {
  const refused = refuseBody(header, cors)
  if (refused !== undefined) return refused
  const accepts = MediaTypes.accepts(header("accept"))
  return accepts.json || accepts.sse
    ? { _tag: "Post", accepts, headers: cors }
    : refuse(406, "Accept has to allow application/json or text/event-stream", cors)
}

/**
 * What only legacy sessions know (2026-07-28, streamable-http: others get 405, SHOULD). Without a session header it may
 * come from a client of either era, unless the version header says that a session is missing.
 */
const ofSession = (
  header: HeaderLookup,
  cors: Headers,
  policy: Policy,
  admit: (sessionId: string) => Admission
): Admission => {
  if (!policy.hasSessions || namesModernVersion(header)) return methodNotAllowed(header, cors, policy)
  if (namesUnknownVersion(header)) return refuse(400, unknownVersion, cors)
  const sessionId = header("mcp-session-id")
  if (sessionId !== undefined) return admit(sessionId)
  return header("mcp-protocol-version") === undefined
    ? refuse(405, missingSession, [...cors, "Allow", statelessMethods])
    : refuse(400, missingSession, cors)
}

const missingSession =
  "This is an MCP endpoint: clients POST to it. Other methods are for sessions, and the Mcp-Session-Id header is missing"

const get = (header: HeaderLookup, cors: Headers, sessionId: string): Admission =>
  MediaTypes.accepts(header("accept")).sse
    ? { _tag: "Get", sessionId, lastEventId: header("last-event-id"), headers: cors }
    : refuse(406, "Accept has to allow text/event-stream", cors)

const statelessMethods = "POST, OPTIONS"
const sessionMethods = "GET, POST, DELETE, OPTIONS"

const methodNotAllowed = (
  header: HeaderLookup,
  cors: Headers,
  { hasSessions }: Pick<Policy, "hasSessions">
): Admission => {
  const allow = namesModernVersion(header) || !hasSessions ? statelessMethods : sessionMethods
  return refuse(405, `The method is not allowed, only ${allow}`, [...cors, "Allow", allow])
}

/** Whether the version header belongs to a client without sessions. */
export const namesModernVersion = (header: HeaderLookup): boolean =>
  looksModern(header("mcp-protocol-version")?.trim() ?? "")

export const unknownVersion = `MCP-Protocol-Version names no served version; sessions speak ${legacyVersions.join(", ")}`

/** Whether the version header, if there is one, names a version that no server of sessions serves. */
export const namesUnknownVersion = (header: HeaderLookup): boolean => {
  const sent = header("mcp-protocol-version")
  return sent !== undefined && !legacyVersions.some((version) => version === trim(sent))
}

const exposed = "Mcp-Session-Id, Mcp-Protocol-Version"

const corsHeaders = (origin: string): Headers => [
  "Access-Control-Allow-Origin",
  origin,
  "Vary",
  "Origin",
  "Access-Control-Expose-Headers",
  exposed
]

const requestHeaders = [
  "Accept",
  "Authorization",
  "Content-Type",
  "Last-Event-ID",
  "Mcp-Method",
  "Mcp-Name",
  "MCP-Protocol-Version",
  "Mcp-Session-Id",
  "baggage",
  "traceparent",
  "tracestate"
]
const knownHeaders = new Set(requestHeaders.map((name) => name.toLowerCase()))

/** Headers named after tool parameters cannot be listed beforehand, and a browser takes no pattern. */
const preflight = (header: HeaderLookup, cors: Headers, { hasSessions }: Policy): Headers => {
  if (cors === none) return ["Allow", hasSessions ? sessionMethods : statelessMethods]
  const asked = (header("access-control-request-headers") ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
  const parameters = asked.filter((name) => /^mcp-[\w!#$%&'*+.^`|~-]+$/.test(name) && !knownHeaders.has(name))
  return [
    ...cors,
    "Access-Control-Allow-Methods",
    "GET, POST, DELETE, OPTIONS",
    "Access-Control-Allow-Headers",
    [...requestHeaders, ...parameters].join(", "),
    "Access-Control-Max-Age",
    "7200"
  ]
}

/** Without the slashes at its end; both spellings are served, as clients do not follow a redirect of a POST. */
export const normalise = (path: string): string => {
  const trimmed = path.replace(/\/+$/, "")
  return trimmed === "" || trimmed.startsWith("/") ? trimmed : `/${trimmed}`
}

/** A request target may be a whole URL (RFC 9112, absolute-form). */
export const pathOf = (target: string): string => {
  const end = target.indexOf("?")
  const path = end === -1 ? target : target.slice(0, end)
  return path.startsWith("/") ? path : path.replace(/^https?:\/\/[^/]*/i, "")
}

const originCheck = (policy: Callers): ((origin: string) => boolean) => {
  const { allowedOrigins } = policy
  if (allowedOrigins === undefined) return policy.isLoopback ? Hosts.isLoopbackOrigin : () => false
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, "")))
  return (origin) => origins.has(origin.toLowerCase())
}

/** Any name may lead to a server beyond loopback, so there the Host is checked against a list only. */
const hostCheck = (policy: Callers): ((host: string) => boolean) => {
  const { allowedHosts, isLoopback } = policy
  if (!isLoopback && allowedHosts.length === 0) return () => true
  return (host) =>
    (isLoopback && Hosts.isLoopbackAuthority(host)) ||
    allowedHosts.some((entry) => Hosts.isSameHost(host, entry))
}

/** Nearly all requests name the same host. */
const rememberingLast = (check: (host: string) => boolean): ((host: string) => boolean) => {
  let allowed: string | undefined
  return (host) => {
    if (host === allowed) return true
    const isAllowed = check(host)
    if (isAllowed) allowed = host
    return isAllowed
  }
}
