/**
 * `params._meta` of a request: the reserved keys and the metadata every modern request carries.
 * Only the `protocolVersion` key is a claim to the modern era; no other reserved key is.
 */
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import { Implementation, isPlain as isPlainImplementation } from "./Implementation.js"
import * as Codec from "./internal/codec.js"
import type { JsonObject, JsonValue } from "./Json.js"
import * as Json from "./Json.js"
import * as JsonRpc from "./JsonRpc.js"
import { LoggingLevel } from "./Logging.js"
import { InvalidParams, MissingMetadata } from "./ProtocolError.js"

export const key = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId"
} as const

export interface RequestMeta {
  readonly protocolVersion: string
  readonly clientCapabilities: JsonObject
  readonly clientInfo: Implementation | undefined
  readonly logLevel: LoggingLevel | undefined
  readonly progressToken: string | number | undefined
  /** The whole map as sent, unknown keys included. */
  readonly all: JsonObject
}

/** The `_meta` object of some params, when there is one. */
export const ofParams = (params: JsonValue | undefined): JsonObject | undefined => {
  if (!Json.isObject(params)) return undefined
  const meta = Json.own(params, "_meta")
  return Json.isObject(meta) ? meta : undefined
}

/** The value at the `protocolVersion` key, whatever its type; undefined when the key is absent. */
export const claim = (params: JsonValue | undefined): JsonValue | undefined => {
  const meta = ofParams(params)
  return meta === undefined ? undefined : Json.own(meta, key.protocolVersion)
}

/** The progress token of a request of either era; an ill-typed one counts as none. */
export const progressToken = (params: JsonValue | undefined): string | number | undefined => {
  const meta = ofParams(params)
  const token = meta === undefined ? undefined : Json.own(meta, "progressToken")
  return JsonRpc.isRequestId(token) ? token : undefined
}

type Wire = {
  readonly [key.protocolVersion]: string
  readonly [key.clientCapabilities]: JsonObject
  readonly [key.clientInfo]?: Implementation
  readonly [key.logLevel]?: LoggingLevel
  readonly progressToken?: string | number
}

const Wire: Schema.Schema<Wire> = Codec.struct({
  [key.protocolVersion]: Codec.string,
  [key.clientCapabilities]: Codec.object,
  [key.clientInfo]: Codec.optional(Implementation),
  [key.logLevel]: Codec.optional(LoggingLevel),
  progressToken: Codec.optional(Codec.token)
})

/** What most requests carry: the two members that are required, who the client is, and a token. */
const isPlain = (meta: unknown): meta is Wire => {
  if (!Json.isObject(meta)) return false
  const clientInfo = Json.own(meta, key.clientInfo)
  return (
    typeof Json.own(meta, key.protocolVersion) === "string" &&
    Json.isObject(Json.own(meta, key.clientCapabilities)) &&
    (clientInfo === undefined || isPlainImplementation(clientInfo)) &&
    !Object.hasOwn(meta, key.logLevel) &&
    (!Object.hasOwn(meta, "progressToken") || JsonRpc.isRequestId(meta["progressToken"]))
  )
}

const decodeWire = Codec.decoder(Wire, "_meta", isPlain)

/** Reads the metadata of a modern request. A required field that is absent or ill-typed is `MissingMetadata`. */
export const decode = (
  meta: JsonObject,
  served: ReadonlyArray<string>
): Either.Either<RequestMeta, MissingMetadata | InvalidParams> => {
  const decoded = decodeWire(meta)
  if (Either.isLeft(decoded)) {
    const field = missingField(meta)
    return Either.left(
      field === undefined
        ? new InvalidParams({ detail: decoded.left })
        : new MissingMetadata({ field, served })
    )
  }
  const wire = decoded.right
  return Either.right({
    protocolVersion: wire[key.protocolVersion],
    clientCapabilities: wire[key.clientCapabilities],
    clientInfo: wire[key.clientInfo],
    logLevel: wire[key.logLevel],
    progressToken: wire.progressToken,
    all: meta
  })
}

const missingField = (meta: JsonObject): string | undefined => {
  if (typeof Json.own(meta, key.protocolVersion) !== "string") return field(key.protocolVersion)
  if (!Json.isObject(Json.own(meta, key.clientCapabilities))) return field(key.clientCapabilities)
  return undefined
}

/** How an error message names a reserved key. */
export const field = (name: string): string => `_meta["${name}"]`
