/**
 * Everything that can go wrong between peers, as facts. The two functions here are the only maps from an error
 * to a JSON-RPC code and to an HTTP status.
 */
import * as Data from "effect/Data"
import { ErrorCode } from "./ErrorCode.js"
import { excerpt } from "./internal/excerpt.js"
import type { JsonObject, JsonValue } from "./Json.js"
import type { ErrorObject, RequestId } from "./JsonRpc.js"
import * as ProtocolVersion from "./ProtocolVersion.js"

/** The text is not JSON. */
export class ParseError extends Data.TaggedError("ParseError")<{ readonly detail: string }> {}

/** The JSON is not one JSON-RPC message. */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<{ readonly detail: string }> {}

/** No such method, or one whose capability the server does not advertise. */
export class MethodNotFound extends Data.TaggedError("MethodNotFound")<{ readonly method: string }> {}

export class InvalidParams extends Data.TaggedError("InvalidParams")<{
  readonly detail: string
  readonly data?: JsonValue
}> {}

/** Something failed that the peer cannot mend; details stay in the server's log. */
export class InternalError extends Data.TaggedError("InternalError") {}

/** A required `_meta` field is absent or ill-typed; also any request outside a session that makes no claim. */
export class MissingMetadata extends Data.TaggedError("MissingMetadata")<{
  readonly field: string
  readonly served: ReadonlyArray<string>
}> {}

/** A request header is missing, malformed, or differs from the body. */
export class HeaderMismatch extends Data.TaggedError("HeaderMismatch")<{
  readonly header: string
  readonly detail: string
}> {}

export class UnsupportedProtocolVersion extends Data.TaggedError("UnsupportedProtocolVersion")<{
  readonly requested: string
  readonly supported: ReadonlyArray<string>
}> {}

/** `required` is a capabilities object that holds the missing parts only. */
export class MissingRequiredClientCapability extends Data.TaggedError("MissingRequiredClientCapability")<{
  readonly required: JsonObject
}> {}

export class UnknownTool extends Data.TaggedError("UnknownTool")<{ readonly name: string }> {}

export class InvalidCursor extends Data.TaggedError("InvalidCursor") {}

/** The id names a request of this peer that has not been answered yet. */
export class RequestInFlight extends Data.TaggedError("RequestInFlight")<{ readonly id: RequestId }> {}

/** A second `initialize` on a live session. */
export class AlreadyInitialized extends Data.TaggedError("AlreadyInitialized") {}

export class SessionNotFound extends Data.TaggedError("SessionNotFound") {}

export class SessionRequired extends Data.TaggedError("SessionRequired") {}

export class ShuttingDown extends Data.TaggedError("ShuttingDown") {}

export class BatchNotSupported extends Data.TaggedError("BatchNotSupported") {}

export class MessageTooLarge extends Data.TaggedError("MessageTooLarge")<{ readonly limitBytes: number }> {}

export type ProtocolError =
  | ParseError
  | InvalidRequest
  | MethodNotFound
  | InvalidParams
  | InternalError
  | MissingMetadata
  | HeaderMismatch
  | UnsupportedProtocolVersion
  | MissingRequiredClientCapability
  | UnknownTool
  | InvalidCursor
  | RequestInFlight
  | AlreadyInitialized
  | SessionNotFound
  | SessionRequired
  | ShuttingDown
  | BatchNotSupported
  | MessageTooLarge

export const toErrorObject = (error: ProtocolError): ErrorObject => {
  switch (error._tag) {
    case "ParseError":
      return { code: ErrorCode.ParseError, message: error.detail }
    case "InvalidRequest":
      return { code: ErrorCode.InvalidRequest, message: error.detail }
    case "MethodNotFound":
      return { code: ErrorCode.MethodNotFound, message: `Method not found: ${excerpt(error.method)}` }
    case "InvalidParams":
      return error.data === undefined
        ? { code: ErrorCode.InvalidParams, message: error.detail }
        : { code: ErrorCode.InvalidParams, message: error.detail, data: error.data }
    case "InternalError":
      return { code: ErrorCode.InternalError, message: "Internal error" }
    case "MissingMetadata":
      return { code: ErrorCode.InvalidParams, message: missingMetadata(error) }
    case "HeaderMismatch":
      return { code: ErrorCode.HeaderMismatch, message: `${error.header} header ${error.detail}` }
    case "UnsupportedProtocolVersion": {
      const requested = excerpt(error.requested)
      return {
        code: ErrorCode.UnsupportedProtocolVersion,
        message: `Unsupported protocol version: ${requested}`,
        data: { supported: error.supported, requested }
      }
    }
    case "MissingRequiredClientCapability":
      return {
        code: ErrorCode.MissingRequiredClientCapability,
        message: "The request needs a client capability that it does not declare",
        data: { requiredCapabilities: error.required }
      }
    case "UnknownTool":
      return { code: ErrorCode.InvalidParams, message: `Unknown tool: ${excerpt(error.name)}` }
    case "InvalidCursor":
      return { code: ErrorCode.InvalidParams, message: "Invalid cursor: start again without one" }
    case "RequestInFlight":
      return { code: ErrorCode.InvalidRequest, message: "A request with this id is still in flight" }
    case "AlreadyInitialized":
      return { code: ErrorCode.InvalidRequest, message: "The session is initialized already" }
    case "SessionNotFound":
      return { code: ErrorCode.InvalidRequest, message: "Session not found: send initialize again" }
    case "SessionRequired":
      return { code: ErrorCode.InvalidRequest, message: "Mcp-Session-Id header is missing" }
    case "ShuttingDown":
      return { code: ErrorCode.InternalError, message: "The server is shutting down" }
    case "BatchNotSupported":
      return {
        code: ErrorCode.InvalidRequest,
        message: "Batches are not supported: send one message at a time"
      }
    case "MessageTooLarge":
      return { code: ErrorCode.InvalidRequest, message: `The message exceeds ${error.limitBytes} bytes` }
  }
}

/** Names both ways in, and the versions, because a peer of either era may have nothing else to go on. */
const missingMetadata = ({ field, served }: MissingMetadata): string => {
  const handshake = served.some(ProtocolVersion.isLegacy) ? "send initialize first, or " : ""
  return `${field} is missing or invalid: ${handshake}carry request metadata (versions: ${served.join(", ")})`
}

export const toHttpStatus = (error: ProtocolError, era: ProtocolVersion.Era): number =>
  era === "modern" ? modernStatus(error) : legacyStatus(error)

/** 2026-07-28: a refusal before the handler has its own status, everything else rides 200. */
const modernStatus = (error: ProtocolError): number => {
  switch (error._tag) {
    case "InvalidParams":
    case "UnknownTool":
    case "InvalidCursor":
    case "InternalError":
    case "ShuttingDown":
      return 200
    case "ParseError":
    case "InvalidRequest":
    case "BatchNotSupported":
    case "MissingMetadata":
    case "HeaderMismatch":
    case "UnsupportedProtocolVersion":
    case "MissingRequiredClientCapability":
    case "RequestInFlight":
    case "AlreadyInitialized":
    case "SessionRequired":
      return 400
    case "MethodNotFound":
    case "SessionNotFound":
      return 404
    case "MessageTooLarge":
      return 413
  }
}

/** In a legacy session 404 means that the session is gone, so an unknown method must ride 200. */
const legacyStatus = (error: ProtocolError): number => {
  switch (error._tag) {
    case "MethodNotFound":
    case "InvalidParams":
    case "UnknownTool":
    case "InvalidCursor":
    case "InternalError":
    case "RequestInFlight":
    case "MissingRequiredClientCapability":
    case "ShuttingDown":
      return 200
    case "ParseError":
    case "InvalidRequest":
    case "BatchNotSupported":
    case "MissingMetadata":
    case "HeaderMismatch":
    case "UnsupportedProtocolVersion":
    case "AlreadyInitialized":
    case "SessionRequired":
      return 400
    case "SessionNotFound":
      return 404
    case "MessageTooLarge":
      return 413
  }
}
