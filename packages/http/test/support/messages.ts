/** The requests of both eras, ready to send. */
import type { Sent } from "./client.js"

export const json = { "content-type": "application/json", accept: "application/json, text/event-stream" }

export const modernMeta = (extra: Record<string, unknown> = {}) => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  ...extra
})

/** A request of 2026-07-28 with the headers that belong to it. */
export const modern = (
  url: string,
  id: number | string,
  method: string,
  params: {
    readonly name?: string
    readonly arguments?: unknown
    readonly _meta?: Record<string, unknown>
  } = {},
  headers: Record<string, string> = {}
): Sent => ({
  url,
  headers: {
    ...json,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(params.name === undefined ? {} : { "mcp-name": params.name }),
    ...headers
  },
  body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: modernMeta(params._meta) } })
})

/** A message of a legacy client; without a session it can only be `initialize`. */
export const legacy = (
  url: string,
  sessionId: string | undefined,
  message: object,
  headers: Record<string, string> = {}
): Sent => ({
  url,
  headers: { ...json, ...(sessionId === undefined ? {} : { "mcp-session-id": sessionId }), ...headers },
  body: JSON.stringify({ jsonrpc: "2.0", ...message })
})

export const initialize = (id: number | string = 1) => ({
  id,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "tests", version: "1.0.0" }
  }
})
