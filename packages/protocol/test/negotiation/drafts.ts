/** What the negotiation tests share: a policy, requests and headers to break one part of, and outcomes as text. */
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import type { Request } from "@pushbutton/protocol/JsonRpc"
import type * as Negotiation from "@pushbutton/protocol/Negotiation"
import type { ProtocolError } from "@pushbutton/protocol/ProtocolError"
import * as Either from "effect/Either"

export const policy: Negotiation.Policy = {
  modern: ["2026-07-28"],
  legacy: ["2025-11-25", "2025-06-18", "2024-11-05"],
  isModernMethod: (method) => method === "tools/call" || method === "tools/list"
}

export const modernOnly: Negotiation.Policy = { ...policy, legacy: [] }

export type Headers = { readonly [lowerCaseName: string]: string }

export const lookup = (sent: Headers) => (name: string) =>
  Object.hasOwn(sent, name) ? sent[name] : undefined

export const request = (method: string, params?: JsonValue): Request => ({
  _tag: "Request",
  id: 0,
  method,
  params
})

/** What a case comes to: the tag, and for an error what distinguishes it from others of the tag. */
export const outcome = (result: Either.Either<Negotiation.Accepted, ProtocolError>): string => {
  if (Either.isRight(result)) {
    return result.right._tag === "Legacy" ? `Legacy ${result.right.version}` : result.right._tag
  }
  const error = result.left
  switch (error._tag) {
    case "MissingMetadata":
      return `MissingMetadata ${error.field}`
    case "HeaderMismatch":
      return `HeaderMismatch ${error.header} ${error.detail}`
    default:
      return error._tag
  }
}

export const noVersion = 'MissingMetadata _meta["io.modelcontextprotocol/protocolVersion"]'
export const noCapabilities = 'MissingMetadata _meta["io.modelcontextprotocol/clientCapabilities"]'

/** Everything a claimed request is judged by; undefined leaves the part out. */
export interface Draft {
  readonly method: string
  readonly name: JsonValue
  readonly claim: JsonValue
  readonly capabilities: JsonValue | undefined
  readonly logLevel: JsonValue
  readonly versionHeader: string | undefined
  readonly methodHeader: string | undefined
  readonly nameHeader: string | undefined
}

export const sound: Draft = {
  method: "tools/call",
  name: "press",
  claim: "2026-07-28",
  capabilities: {},
  logLevel: "info",
  versionHeader: "2026-07-28",
  methodHeader: "tools/call",
  nameHeader: "press"
}

export const paramsOf = (draft: Draft): JsonObject => ({
  name: draft.name,
  _meta: {
    "io.modelcontextprotocol/protocolVersion": draft.claim,
    ...(draft.capabilities === undefined
      ? {}
      : { "io.modelcontextprotocol/clientCapabilities": draft.capabilities }),
    "io.modelcontextprotocol/logLevel": draft.logLevel
  }
})

export const headersOf = (draft: Draft): Headers => ({
  ...(draft.versionHeader === undefined ? {} : { "mcp-protocol-version": draft.versionHeader }),
  ...(draft.methodHeader === undefined ? {} : { "mcp-method": draft.methodHeader }),
  ...(draft.nameHeader === undefined ? {} : { "mcp-name": draft.nameHeader })
})
