/**
 * What a handler asks, as a request of a handshake revision to its client, and what the client answers, as 2026-07-28
 * has it. What the revision cannot express is refused like what the client has not declared: nothing is sent then.
 */
import * as Either from "effect/Either"
import * as Capabilities from "../Capabilities.js"
import type { InputRequest } from "../InputRequired.js"
import * as Elicitation from "../internal/clientRequest/elicitation.js"
import * as Sampling from "../internal/clientRequest/sampling.js"
import type { JsonObject, JsonValue } from "../Json.js"
import * as Json from "../Json.js"
import type { LegacyVersion } from "../ProtocolVersion.js"
import type { Params } from "../Sampling.js"

export interface ClientRequest {
  readonly method: InputRequest["method"]
  readonly params: JsonObject | undefined
  /** The client's result in the form of 2026-07-28. Left: what in it the revision does not have. */
  readonly readResult: (result: JsonValue) => Either.Either<JsonValue, string>
}

export interface Client {
  readonly version: LegacyVersion
  /** Its capabilities, as `initialize` declared them. */
  readonly capabilities: JsonObject
}

/**
 * The request for a client. `elicitationId` names a visit to a URL, and has to be unique; nothing else uses it.
 * Left: why it cannot be asked, as a clause.
 */
export const encode = (
  client: Client,
  request: InputRequest,
  elicitationId: string
): Either.Either<ClientRequest, string> => {
  switch (request.method) {
    case "roots/list":
      return declares(client, "roots")
        ? Either.right({ method: request.method, params: undefined, readResult: Either.right })
        : undeclared("roots")
    case "sampling/createMessage":
      return declares(client, "sampling") ? sampling(client, request.params) : undeclared("sampling")
    case "elicitation/create":
      return elicitation(client, request, elicitationId)
  }
}

const declares = ({ capabilities }: Client, name: string): boolean =>
  Json.isObject(Json.own(capabilities, name))

const declaresPart = ({ capabilities }: Client, name: string, part: string): boolean =>
  Capabilities.missing({ [name]: { [part]: {} } }, capabilities) === undefined

const undeclared = (name: string) => Either.left(`the client does not declare ${name}`)

const unknown = (version: LegacyVersion, what: string) => Either.left(`revision ${version} has no ${what}`)

const sampling = (client: Client, params: Params): Either.Either<ClientRequest, string> => {
  const { version } = client
  if (Sampling.usesTools(params)) {
    if (version !== "2025-11-25") return unknown(version, "tools in sampling")
    if (!declaresPart(client, "sampling", "tools")) return undeclared("sampling.tools")
  }
  const withContext = version !== "2025-11-25" || declaresPart(client, "sampling", "context")
  return Either.map(Sampling.encode(version, params, withContext), (encoded) => ({
    method: "sampling/createMessage",
    params: encoded,
    readResult: Sampling.readResult(version)
  }))
}

const elicitation = (
  client: Client,
  { method, params }: Extract<InputRequest, { method: "elicitation/create" }>,
  elicitationId: string
): Either.Either<ClientRequest, string> => {
  const { version } = client
  if (version === "2024-11-05" || version === "2025-03-26") return unknown(version, "elicitation")
  if (params.mode === "url") {
    if (version !== "2025-11-25") return unknown(version, "elicitation by URL")
    if (!declaresPart(client, "elicitation", "url")) return undeclared("elicitation.url")
    return Either.right({
      method,
      params: { mode: "url", message: params.message, url: params.url, elicitationId },
      readResult: Elicitation.withoutContent
    })
  }
  // Before 2025-11-25 there is one way to elicit, and its capability has no parts.
  const declared =
    version === "2025-11-25" ? declaresPart(client, "elicitation", "form") : declares(client, "elicitation")
  if (!declared) return undeclared("elicitation of forms")
  return Either.map(Elicitation.form(version, params), (form) => ({ method, ...form }))
}
