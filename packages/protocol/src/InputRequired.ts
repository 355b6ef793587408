/**
 * The answer that asks (2026-07-28, mrtr): a request ends with what the server wants to know, and comes back as a
 * new request with the answers. Only the three methods here may be answered so.
 */
import * as Either from "effect/Either"
import * as Dialect from "./dialect/Dialect.js"
import type * as Elicitation from "./Elicitation.js"
import type { Implementation } from "./Implementation.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import { InvalidParams, InvalidRequestState } from "./ProtocolError.js"
import * as RequestMeta from "./RequestMeta.js"
import type * as Roots from "./Roots.js"
import type * as Sampling from "./Sampling.js"

/** No JSON-RPC message: it has neither `id` nor `jsonrpc`. */
export type InputRequest = Elicitation.Request | Sampling.Request | Roots.Request

/** The client capabilities that a request takes; none for what is no request. */
export const needs = (request: unknown): JsonObject => {
  if (!Json.isObject(request)) return {}
  const params = Json.own(request, "params")
  const has = (name: string) => Json.isObject(params) && Json.own(params, name) !== undefined
  switch (Json.own(request, "method")) {
    case "elicitation/create":
      return Json.isObject(params) && Json.own(params, "mode") === "url"
        ? { elicitation: { url: {} } }
        : { elicitation: { form: {} } }
    case "sampling/createMessage":
      return has("tools") || has("toolChoice") ? { sampling: { tools: {} } } : { sampling: {} }
    case "roots/list":
      return { roots: {} }
    default:
      return {}
  }
}

/** At least one of the two members. */
export type InputRequired =
  | { readonly inputRequests: ReadonlyMap<string, InputRequest>; readonly requestState?: string | undefined }
  | { readonly inputRequests?: undefined; readonly requestState: string }

/** What a retry brings along. Responses are of no known type: only the key says what was asked. */
export interface Retry {
  readonly inputResponses: JsonObject | undefined
  readonly requestState: string | undefined
}

const methods: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"])

export const isAllowed = (method: string): boolean => methods.has(method)

/** Never cached, so without hints. */
export const result = (
  { inputRequests, requestState }: InputRequired,
  identity: Implementation
): JsonObject => ({
  resultType: "input_required",
  ...(inputRequests === undefined ? {} : { inputRequests: Object.fromEntries(inputRequests) }),
  ...(requestState === undefined ? {} : { requestState }),
  _meta: { [RequestMeta.key.serverInfo]: Dialect.forVersion("2026-07-28").implementation(identity) }
})

/** Reads the members of a retry; whether a response fits its request is for whoever knows the request. */
export const decodeRetry = (
  params: JsonObject
): Either.Either<Retry, InvalidParams | InvalidRequestState> => {
  const inputResponses = Json.own(params, "inputResponses")
  if (inputResponses !== undefined && !Json.isObject(inputResponses)) {
    return Either.left(new InvalidParams({ detail: "params.inputResponses must be an object" }))
  }
  const requestState = Json.own(params, "requestState")
  if (requestState !== undefined && typeof requestState !== "string") {
    return Either.left(new InvalidRequestState())
  }
  return Either.right({ inputResponses, requestState })
}
