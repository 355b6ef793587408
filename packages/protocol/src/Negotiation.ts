/**
 * Under which rules a request is served, decided per message by one ordered ladder: the first failing rung answers.
 * What the body claims decides the era; headers only cross-check it. The answer depends on nothing that came
 * before, apart from the live legacy session handed in.
 */
import * as Either from "effect/Either"
import type { JsonObject, JsonValue } from "./Json.js"
import * as Json from "./Json.js"
import type { Message, Request } from "./JsonRpc.js"
import {
  AlreadyInitialized,
  HeaderMismatch,
  InvalidRequest,
  MethodNotFound,
  MissingMetadata,
  type ProtocolError,
  UnsupportedProtocolVersion
} from "./ProtocolError.js"
import type { LegacyVersion } from "./ProtocolVersion.js"
import * as ProtocolVersion from "./ProtocolVersion.js"
import type { HeaderLookup } from "./RequestHeaders.js"
import * as RequestHeaders from "./RequestHeaders.js"
import * as RequestMeta from "./RequestMeta.js"

/** What the transport knows besides the body. */
export interface Claims {
  /** Undefined where there is no header layer (stdio). */
  readonly headers: HeaderLookup | undefined
  /** The revision of the live legacy session or connection. */
  readonly session: LegacyVersion | undefined
  /** Whether legacy requests are served without a session. */
  readonly isSessionless?: boolean | undefined
}

/** What the server serves. No legacy version means no handshake. */
export interface Policy {
  readonly modern: ReadonlyArray<string>
  readonly legacy: ReadonlyArray<LegacyVersion>
  readonly isModernMethod: (method: string) => boolean
}

export type Accepted =
  | { readonly _tag: "Modern"; readonly meta: RequestMeta.RequestMeta; readonly params: JsonObject }
  /** `initialize` outside a session. */
  | { readonly _tag: "Handshake" }
  | { readonly _tag: "Legacy"; readonly version: LegacyVersion }
  /** `ping` without a claim before any handshake. */
  | { readonly _tag: "Ping" }

/** Whether a request or notification carries the `protocolVersion` key, well-formed or not. */
export const isModernClaim = (message: Message): boolean =>
  (message._tag === "Request" || message._tag === "Notification") &&
  RequestMeta.claim(message.params) !== undefined

export const negotiate = (
  request: Request,
  claims: Claims,
  policy: Policy
): Either.Either<Accepted, ProtocolError> => {
  const claim = RequestMeta.claim(request.params)
  const meta = RequestMeta.ofParams(request.params)
  return claim !== undefined && meta !== undefined && Json.isObject(request.params)
    ? claimed(request.method, request.params, meta, claim, claims.headers, policy)
    : unclaimed(request, claims, policy)
}

const claimed = (
  method: string,
  params: JsonObject,
  metadata: JsonObject,
  claim: JsonValue,
  headers: HeaderLookup | undefined,
  policy: Policy
): Either.Either<Accepted, ProtocolError> => {
  if (typeof claim !== "string") return Either.left(missingVersion(policy))
  if (headers !== undefined) {
    const version = RequestHeaders.checkVersion(headers, claim)
    if (Either.isLeft(version)) return Either.left(version.left)
  }
  if (!policy.modern.includes(claim)) {
    return Either.left(new UnsupportedProtocolVersion({ requested: claim, supported: policy.modern }))
  }
  const meta = RequestMeta.decode(metadata, served(policy))
  if (Either.isLeft(meta)) return Either.left(meta.left)
  if (headers !== undefined) {
    const mirrored = RequestHeaders.checkMethod(headers, method)
    if (Either.isLeft(mirrored)) return Either.left(mirrored.left)
  }
  if (!policy.isModernMethod(method)) return Either.left(methodNotFound(method, policy))
  if (headers !== undefined) {
    const name = RequestHeaders.checkName(headers, method, params)
    if (Either.isLeft(name)) return Either.left(name.left)
  }
  return Either.right({ _tag: "Modern", meta: meta.right, params })
}

const unclaimed = (
  { method, params }: Request,
  claims: Claims,
  policy: Policy
): Either.Either<Accepted, ProtocolError> => {
  const sent = claims.headers?.(RequestHeaders.protocolVersion.toLowerCase())
  const header = sent === undefined ? undefined : RequestHeaders.trim(sent)
  const modernHeader =
    header !== undefined && (ProtocolVersion.looksModern(header) || policy.modern.includes(header))
  if (method === "initialize" && policy.legacy.length > 0) {
    if (claims.session !== undefined) return Either.left(new AlreadyInitialized())
    return modernHeader ? Either.left(contradictoryHandshake()) : Either.right(handshake)
  }
  if (modernHeader) return Either.left(missingVersion(policy))
  if (method === "initialize") {
    const requested = Json.isObject(params) ? Json.own(params, "protocolVersion") : undefined
    return Either.left(
      typeof requested === "string"
        ? new UnsupportedProtocolVersion({ requested, supported: policy.modern })
        : missingVersion(policy)
    )
  }
  if (claims.session !== undefined || (claims.isSessionless === true && policy.legacy.length > 0)) {
    const named = header === undefined ? unnamed : policy.legacy.find((version) => version === header)
    return named === undefined
      ? Either.left(
          new InvalidRequest({ detail: `${RequestHeaders.protocolVersion} header names no served version` })
        )
      : Either.right({ _tag: "Legacy", version: claims.session ?? named })
  }
  return method === "ping" && policy.legacy.length > 0
    ? Either.right(ping)
    : Either.left(missingVersion(policy))
}

/** The revision of a request that names none (2025-06-18, transports, Protocol Version Header: SHOULD). */
const unnamed: LegacyVersion = "2025-03-26"

const handshake: Accepted = { _tag: "Handshake" }
const ping: Accepted = { _tag: "Ping" }

const contradictoryHandshake = () =>
  new HeaderMismatch({
    header: RequestHeaders.protocolVersion,
    detail: "names a version that has no initialize"
  })

/** Without legacy revisions, `initialize` is told the versions there are, whatever is wrong with it (versioning: SHOULD). */
const methodNotFound = (method: string, { legacy, modern }: Policy) =>
  new MethodNotFound(method === "initialize" && legacy.length === 0 ? { method, served: modern } : { method })

const missingVersion = (policy: Policy) =>
  new MissingMetadata({ field: RequestMeta.field(RequestMeta.key.protocolVersion), served: served(policy) })

const served = (policy: Policy): ReadonlyArray<string> => [...policy.modern, ...policy.legacy]
