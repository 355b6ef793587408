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
export class MethodNotFound extends Data.TaggedError("MethodNotFound")<{
  readonly method: string
  /** Told where the peer may have taken the server for one of another revision. */
  readonly served?: ReadonlyArray<string>
}> {}

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

export class UnknownPrompt extends Data.TaggedError("UnknownPrompt")<{ readonly name: string }> {}

/** `uri` as the peer sent it. */
export class ResourceNotFound extends Data.TaggedError("ResourceNotFound")<{ readonly uri: string }> {}

/** A handler failed, and said in `detail` what the peer may know of it. */
export class HandlerFailed extends Data.TaggedError("HandlerFailed")<{ readonly detail: string }> {}

/** The state of an earlier round does not verify. Why is nobody's business: one answer for every cause. */
export class InvalidRequestState extends Data.TaggedError("InvalidRequestState") {}

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

/** The replies to a batch exceed `limit` UTF-16 units. */
export class BatchTooLong extends Data.TaggedError("BatchTooLong")<{ readonly limit: number }> {}

/** `limit` is the number that may be open at a time, of one caller or of all. */
export class TooManySubscriptions extends Data.TaggedError("TooManySubscriptions")<{
  readonly limit: number
}> {}

/** `limit` is the number of event streams that HTTP+SSE may have open at a time. */
export class TooManyStreams extends Data.TaggedError("TooManyStreams")<{ readonly limit: number }> {}

/** `limit` is the number that may run at a time, of one peer or of all. */
export class TooManyRequests extends Data.TaggedError("TooManyRequests")<{ readonly limit: number }> {}

export class UnknownTask extends Data.TaggedError("UnknownTask")<{ readonly taskId: string }> {}

/** `limit` is the number of tasks that may be kept, of one caller or of all. */
export class TooManyTasks extends Data.TaggedError("TooManyTasks")<{ readonly limit: number }> {}

/** The work of a task goes on in another process, and cannot be reached from here. */
export class TaskElsewhere extends Data.TaggedError("TaskElsewhere")<{ readonly taskId: string }> {}

/** A task's work was ended before its end, for the reason that `detail` gives. */
export class TaskInterrupted extends Data.TaggedError("TaskInterrupted")<{ readonly detail: string }> {}

/** A page that the user has to visit; `elicitationId` is unique, and what tells later that the visit is over. */
export type UrlElicitation = {
  readonly message: string
  readonly url: string
  readonly elicitationId: string
}

/** The request can be served once the user has been to some URLs. Only one revision has an error for it. */
export class UrlElicitationRequired extends Data.TaggedError("UrlElicitationRequired")<{
  readonly version: "2025-11-25"
  readonly elicitations: ReadonlyArray<UrlElicitation>
}> {}

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
  | UnknownPrompt
  | ResourceNotFound
  | HandlerFailed
  | InvalidRequestState
  | InvalidCursor
  | RequestInFlight
  | AlreadyInitialized
  | SessionNotFound
  | SessionRequired
  | ShuttingDown
  | BatchNotSupported
  | MessageTooLarge
  | BatchTooLong
  | TooManySubscriptions
  | TooManyStreams
  | TooManyRequests
  | UnknownTask
  | TooManyTasks
  | TaskElsewhere
  | TaskInterrupted
  | UrlElicitationRequired

export const toErrorObject = (error: ProtocolError, era: ProtocolVersion.Era): ErrorObject => {
  switch (error._tag) {
    case "ParseError":
      return { code: ErrorCode.ParseError, message: error.detail }
    case "InvalidRequest":
      return { code: ErrorCode.InvalidRequest, message: error.detail }
    case "MethodNotFound":
      return error.served === undefined
        ? { code: ErrorCode.MethodNotFound, message: `Method not found: ${excerpt(error.method)}` }
        : {
            code: ErrorCode.MethodNotFound,
            message: `Method not found: ${excerpt(error.method)} (supported versions: ${error.served.join(", ")})`,
            data: { supported: error.served }
          }
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
        message: `Unsupported protocol version: ${requested} (supported: ${error.supported.join(", ")})`,
        data: { supported: error.supported, requested }
      }
    }
    case "MissingRequiredClientCapability":
      return {
        code: era === "modern" ? ErrorCode.MissingRequiredClientCapability : ErrorCode.InternalError,
        message: "The request needs a client capability that it does not declare",
        data: { requiredCapabilities: error.required }
      }
    case "UnknownTool":
      return { code: ErrorCode.InvalidParams, message: `Unknown tool: ${excerpt(error.name)}` }
    case "UnknownPrompt":
      return { code: ErrorCode.InvalidParams, message: `Unknown prompt: ${excerpt(error.name)}` }
    case "ResourceNotFound":
      return {
        code: era === "modern" ? ErrorCode.InvalidParams : ErrorCode.ResourceNotFound,
        message: `Resource not found: ${excerpt(error.uri)}`,
        data: { uri: error.uri }
      }
    case "HandlerFailed":
      return { code: ErrorCode.InternalError, message: error.detail }
    case "InvalidRequestState":
      return { code: ErrorCode.InvalidParams, message: "Invalid requestState: start again without one" }
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
    case "BatchTooLong":
      return {
        code: ErrorCode.InternalError,
        message: `The replies to this batch exceed ${error.limit} characters: send this request by itself`
      }
    case "TooManySubscriptions":
      return {
        code: ErrorCode.InternalError,
        message: `Too many subscriptions are open (limit ${error.limit}): close one before opening another`
      }
    case "TooManyStreams":
      return {
        code: ErrorCode.InternalError,
        message: `Too many event streams are open (limit ${error.limit}): try again later`
      }
    case "TooManyRequests":
      return {
        code: ErrorCode.InternalError,
        message: `Too many requests are running (limit ${error.limit}): let one end before sending another`
      }
    case "UnknownTask":
      return { code: ErrorCode.InvalidParams, message: `Task not found: ${excerpt(error.taskId)}` }
    case "TooManyTasks":
      return {
        code: ErrorCode.InternalError,
        message: `Too many tasks are kept (limit ${error.limit}): let one end or expire before starting another`
      }
    case "TaskElsewhere":
      return {
        code: ErrorCode.InternalError,
        message: `Another process runs this task, and only there it can be answered or cancelled: ${excerpt(error.taskId)}`
      }
    case "TaskInterrupted":
      return { code: ErrorCode.InternalError, message: error.detail }
    case "UrlElicitationRequired":
      return era === "modern"
        ? { code: ErrorCode.InternalError, message: "Internal error" }
        : {
            code: ErrorCode.UrlElicitationRequired,
            message: "The user has to visit a URL before this request can be served",
            data: { elicitations: error.elicitations.map((one) => ({ mode: "url", ...one })) }
          }
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
    case "UnknownPrompt":
    case "ResourceNotFound":
    case "HandlerFailed":
    case "InvalidRequestState":
    case "InvalidCursor":
    case "InternalError":
    case "ShuttingDown":
    case "BatchTooLong":
    case "TooManySubscriptions":
    case "TooManyStreams":
    case "TooManyRequests":
    case "UnknownTask":
    case "TooManyTasks":
    case "TaskElsewhere":
    case "TaskInterrupted":
    case "UrlElicitationRequired":
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
    case "UnknownPrompt":
    case "ResourceNotFound":
    case "HandlerFailed":
    case "InvalidRequestState":
    case "InvalidCursor":
    case "InternalError":
    case "RequestInFlight":
    case "MissingRequiredClientCapability":
    case "ShuttingDown":
    case "BatchTooLong":
    case "TooManySubscriptions":
    case "TooManyStreams":
    case "TooManyRequests":
    case "UnknownTask":
    case "TooManyTasks":
    case "TaskElsewhere":
    case "TaskInterrupted":
    case "UrlElicitationRequired":
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
