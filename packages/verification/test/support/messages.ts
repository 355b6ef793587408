/** Messages as clients send them. */

export const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

export const request = (id: unknown, method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params })
})

export const modern = (id: unknown, method: string, params: object = {}, meta: object = {}) =>
  request(id, method, { ...params, _meta: { ...modernMeta, ...meta } })

export const modernPress = (id: unknown, name: string, args?: object, meta: object = {}) =>
  modern(id, "tools/call", { name: "buttons_press", arguments: { name, ...(args && { args }) } }, meta)

export const initialize = (id: unknown, protocolVersion: unknown = "2025-11-25") =>
  request(id, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } })

export const initialized = { jsonrpc: "2.0", method: "notifications/initialized" }

export const cancelled = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId }
})
