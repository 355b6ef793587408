/**
 * JSON-RPC 2.0 messages: text to a classified message, and replies to text.
 * Decoding never throws. Ids keep their value and JSON type, so `1` and `"1"` name different requests.
 */
import type { JsonObject, JsonValue } from "./Json.js"
import * as Json from "./Json.js"
import { InvalidRequest, type MessageTooLarge, ParseError } from "./ProtocolError.js"

export type RequestId = string | number

export interface Request {
  readonly _tag: "Request"
  readonly id: RequestId
  readonly method: string
  readonly params: JsonValue | undefined
}

export interface Notification {
  readonly _tag: "Notification"
  readonly method: string
  readonly params: JsonValue | undefined
}

export interface Response {
  readonly _tag: "Response"
  /** Undefined when the peer sent none that can name a request. */
  readonly id: RequestId | undefined
  readonly body: JsonObject
}

export interface Malformed {
  readonly _tag: "Malformed"
  /** The id to answer with, when a usable one could be read. */
  readonly id: RequestId | undefined
  /** Too large is for transports to find: they have not read it. */
  readonly error: ParseError | InvalidRequest | MessageTooLarge
}

/** Messages sent as one array, which 2025-03-26 alone knows; none or too many are for whoever serves them to refuse. */
export interface Batch {
  readonly _tag: "Batch"
  readonly messages: ReadonlyArray<Message>
}

export type Message = Request | Notification | Response | Malformed

/** What one text or one body may be. */
export type Incoming = Message | Batch

export interface ErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: JsonValue
}

const maxIdLength = 1024

/** A string of at most 1,024 UTF-16 units or a safe integer; `0`, `-1` and `""` are ids. */
export const isRequestId = (value: unknown): value is RequestId =>
  typeof value === "string" ? value.length <= maxIdLength : Number.isSafeInteger(value)

const byteOrderMark = "\uFEFF"

/** Reads one message, or a batch of them. Total: whatever the text, the answer is a message, perhaps a malformed one. */
export const decode = (text: string): Incoming => {
  let json: JsonValue
  try {
    json = JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text)
  } catch {
    return { _tag: "Malformed", id: undefined, error: new ParseError({ detail: "The message is not JSON" }) }
  }
  const isShallow = !Json.mayExceedDepth(text, Json.maxDepth)
  return Array.isArray(json)
    ? {
        _tag: "Batch",
        messages: json.slice(0, maxBatch + 1).map((message) => classifyAs(message, isShallow))
      }
    : classifyAs(json, isShallow)
}

/** Messages that one batch may hold; of one that holds more, one more is read. */
export const maxBatch = 1_000

/** Says which kind of message a JSON value is. Unknown members are tolerated. */
export const classify = (json: JsonValue): Message => classifyAs(json, false)

/** `isShallow` when it is known not to nest too deep. */
const classifyAs = (json: JsonValue, isShallow: boolean): Message => {
  if (!Json.isObject(json)) return malformed(undefined, "A message must be an object")
  const sentId = Json.own(json, "id")
  const id = isRequestId(sentId) ? sentId : undefined
  if (Json.own(json, "jsonrpc") !== "2.0") return malformed(id, 'jsonrpc must be "2.0"')
  if (!isShallow && Json.exceedsDepth(json, Json.maxDepth)) {
    return malformed(id, `A message must not nest deeper than ${Json.maxDepth} levels`)
  }
  const method = Json.own(json, "method")
  if (method === undefined) {
    if (Object.hasOwn(json, "result") || Object.hasOwn(json, "error"))
      return { _tag: "Response", id, body: json }
    return malformed(id, "method is missing")
  }
  if (typeof method !== "string") return malformed(id, "method must be a string")
  const params = Json.own(json, "params")
  if (sentId === undefined) return { _tag: "Notification", method, params }
  if (id === undefined) {
    return malformed(undefined, `id must be an integer or a string of at most ${maxIdLength} characters`)
  }
  return { _tag: "Request", id, method, params }
}

const malformed = (id: RequestId | undefined, detail: string): Malformed => ({
  _tag: "Malformed",
  id,
  error: new InvalidRequest({ detail })
})

export const encodeResult = (id: RequestId, result: JsonObject): string =>
  encodeResultText(id, JSON.stringify(result))

/** Wraps a result that is JSON text already; the text must hold one JSON object on one line. */
export const encodeResultText = (id: RequestId, resultJson: string): string =>
  `{"jsonrpc":"2.0","id":${typeof id === "number" ? id : JSON.stringify(id)},"result":${resultJson}}`

/** Without an id the member is left out: `null` is not an id in any revision. */
export const encodeError = (id: RequestId | undefined, error: ErrorObject): string =>
  id === undefined
    ? `{"jsonrpc":"2.0","error":${JSON.stringify(error)}}`
    : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`

export const encodeRequest = (id: RequestId, method: string, params?: JsonObject): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params })

export const encodeNotification = (method: string, params?: JsonObject): string =>
  JSON.stringify({ jsonrpc: "2.0", method, params })

/** Replies that are texts already, as one array. */
export const encodeBatch = (replies: ReadonlyArray<string>): string => `[${replies.join(",")}]`

/** What a peer answered to a request. */
export type Answer =
  | { readonly _tag: "Result"; readonly result: JsonObject }
  | { readonly _tag: "Error"; readonly code: number; readonly message: string }

/** Undefined when the response is neither a result nor an error as JSON-RPC has them. */
export const answerOf = ({ body }: Response): Answer | undefined => {
  const error = Json.own(body, "error")
  if (Json.isObject(error)) {
    const code = Json.own(error, "code")
    const message = Json.own(error, "message")
    return typeof code === "number" && Number.isInteger(code)
      ? { _tag: "Error", code, message: typeof message === "string" ? message : "" }
      : undefined
  }
  const result = Json.own(body, "result")
  return Json.isObject(result) ? { _tag: "Result", result } : undefined
}
