/** The ladder that a request with a claim climbs, from the top: each rung is one thing that can be wrong with it. */
import type { Sent } from "./servers.js"

/** A call that passes every rung; `undefined` leaves a part out. */
export interface Draft {
  readonly verb: string
  readonly origin: string | undefined
  readonly contentType: string
  readonly accept: string
  /** In place of the message. */
  readonly text: string | undefined
  readonly versionHeader: string | undefined
  readonly claim: unknown
  readonly capabilities: object | undefined
  readonly logLevel: string | undefined
  readonly methodHeader: string | undefined
  readonly method: string
  readonly nameHeader: string | undefined
  readonly name: string
  readonly seats: unknown
  readonly args: "object" | "array"
  readonly paramHeader: string | undefined
  readonly requestState: string | undefined
}

export const sound: Draft = {
  verb: "POST",
  origin: undefined,
  contentType: "application/json",
  accept: "application/json, text/event-stream",
  text: undefined,
  versionHeader: "2026-07-28",
  claim: "2026-07-28",
  capabilities: { elicitation: {} },
  logLevel: undefined,
  methodHeader: "tools/call",
  method: "tools/call",
  nameHeader: "book",
  name: "book",
  seats: 2,
  args: "object",
  paramHeader: "eu",
  requestState: undefined
}

export const messageOf = (draft: Draft): unknown => {
  if (draft.text !== undefined) return draft.text
  const args = { seats: draft.seats, region: "eu" }
  return {
    jsonrpc: "2.0",
    id: 7,
    method: draft.method,
    params: {
      name: draft.name,
      arguments: draft.args === "array" ? [args] : args,
      requestState: draft.requestState,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": draft.claim,
        "io.modelcontextprotocol/clientCapabilities": draft.capabilities,
        "io.modelcontextprotocol/logLevel": draft.logLevel
      }
    }
  }
}

export const sentOf = (draft: Draft): Sent => ({
  verb: draft.verb,
  headers: {
    "content-type": draft.contentType,
    accept: draft.accept,
    origin: draft.origin,
    "mcp-protocol-version": draft.versionHeader,
    "mcp-method": draft.methodHeader,
    "mcp-name": draft.nameHeader,
    "mcp-param-region": draft.paramHeader
  },
  body: messageOf(draft)
})

export interface Rung {
  readonly name: string
  /** What is wrong on this rung. */
  readonly wrong: Partial<Draft>
  readonly on: "http" | "both"
  readonly status: number
  /** Undefined for a result with `isError`. */
  readonly code: number | undefined
  readonly message: RegExp
  readonly data?: unknown
}

export const rungs: ReadonlyArray<Rung> = [
  {
    name: "Origin",
    wrong: { origin: "https://evil.test" },
    on: "http",
    status: 403,
    code: -32600,
    message: /Origin/
  },
  { name: "HTTP method", wrong: { verb: "PUT" }, on: "http", status: 405, code: -32600, message: /method/ },
  {
    name: "Content-Type",
    wrong: { contentType: "text/plain" },
    on: "http",
    status: 415,
    code: -32600,
    message: /Content-Type/
  },
  {
    name: "Accept",
    wrong: { accept: "text/html" },
    on: "http",
    status: 406,
    code: -32600,
    message: /Accept/
  },
  { name: "JSON", wrong: { text: "{nope" }, on: "both", status: 400, code: -32700, message: /JSON/ },
  { name: "message", wrong: { text: "[]" }, on: "both", status: 400, code: -32600, message: /./ },
  {
    name: "claim is a text",
    wrong: { claim: 2026 },
    on: "both",
    status: 400,
    code: -32602,
    message: /protocolVersion"\] is missing or invalid.*2026-07-28/
  },
  {
    name: "version header is there",
    wrong: { versionHeader: undefined },
    on: "http",
    status: 400,
    code: -32020,
    message: /^MCP-Protocol-Version header is missing/
  },
  {
    name: "version header equals the claim",
    wrong: { versionHeader: "2025-11-25" },
    on: "http",
    status: 400,
    code: -32020,
    message: /^MCP-Protocol-Version header does not match/
  },
  {
    name: "version is served",
    wrong: { claim: "2031-01-01", versionHeader: "2031-01-01" },
    on: "both",
    status: 400,
    code: -32022,
    message: /2031-01-01 \(supported: 2026-07-28\)/,
    data: { supported: ["2026-07-28"], requested: "2031-01-01" }
  },
  {
    name: "client capabilities are there",
    wrong: { capabilities: undefined },
    on: "both",
    status: 400,
    code: -32602,
    message: /clientCapabilities"\] is missing/
  },
  {
    name: "optional metadata",
    wrong: { logLevel: "loud" },
    on: "both",
    status: 200,
    code: -32602,
    message: /logLevel/
  },
  {
    name: "method header is there",
    wrong: { methodHeader: undefined },
    on: "http",
    status: 400,
    code: -32020,
    message: /^Mcp-Method header is missing/
  },
  {
    name: "method header equals the method",
    wrong: { methodHeader: "Tools/Call" },
    on: "http",
    status: 400,
    code: -32020,
    message: /^Mcp-Method header does not match/
  },
  {
    name: "method is known",
    wrong: { method: "logging/setLevel", methodHeader: "logging/setLevel" },
    on: "both",
    status: 404,
    code: -32601,
    message: /^Method not found: logging\/setLevel$/
  },
  {
    name: "name header is there",
    wrong: { nameHeader: undefined },
    on: "http",
    status: 400,
    code: -32020,
    message: /^Mcp-Name header is missing/
  },
  {
    name: "name header equals the name",
    wrong: { nameHeader: "other" },
    on: "http",
    status: 400,
    code: -32020,
    message: /^Mcp-Name header does not match/
  },
  {
    name: "shape of params",
    wrong: { args: "array" },
    on: "both",
    status: 200,
    code: -32602,
    message: /arguments/
  },
  {
    name: "tool is known",
    wrong: { name: "gone", nameHeader: "gone" },
    on: "both",
    status: 200,
    code: -32602,
    message: /^Unknown tool: gone$/
  },
  {
    name: "parameter header",
    wrong: { paramHeader: "us" },
    on: "http",
    status: 400,
    code: -32020,
    message: /^Mcp-Param-Region header/
  },
  {
    name: "requestState",
    wrong: { requestState: "forged" },
    on: "both",
    status: 200,
    code: -32602,
    message: /^Invalid requestState/
  },
  {
    name: "arguments",
    wrong: { seats: "two" },
    on: "both",
    status: 200,
    code: undefined,
    message: /seats/
  },
  {
    name: "client capabilities",
    wrong: { capabilities: {} },
    on: "both",
    status: 400,
    code: -32021,
    message: /client capability/,
    data: { requiredCapabilities: { elicitation: { form: {} } } }
  }
]
