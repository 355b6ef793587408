/** A client of a handshake revision, in a session of its own. */
import * as Effect from "effect/Effect"
import { type Sent, send } from "./client.js"
import { legacy } from "./messages.js"

export interface LegacyClient {
  readonly sessionId: string
  /** A POST of this message. */
  readonly post: (message: object, headers?: Record<string, string>) => Sent
  readonly get: (lastEventId?: string) => Sent
  readonly remove: Sent
}

/** Opens a session; with `headers` on every request. */
export const open = (
  url: string,
  protocolVersion = "2025-11-25",
  headers: Record<string, string> = {},
  capabilities: object = {}
): Effect.Effect<LegacyClient, Error> =>
  Effect.gen(function* () {
    const params = { protocolVersion, capabilities, clientInfo: { name: "tests", version: "1.0.0" } }
    const opened = yield* send(legacy(url, undefined, { id: 0, method: "initialize", params }, headers))
    const sessionId = opened.headers["mcp-session-id"]?.toString() ?? ""
    const own = { ...headers, "mcp-session-id": sessionId }
    const client: LegacyClient = {
      sessionId,
      post: (message, more = {}) => {
        const sent = legacy(url, sessionId, message, { ...headers, ...more })
        return Array.isArray(message) ? { ...sent, body: JSON.stringify(message) } : sent
      },
      get: (lastEventId) => ({
        url,
        method: "GET",
        headers: {
          ...own,
          accept: "text/event-stream",
          ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId })
        }
      }),
      remove: { url, method: "DELETE", headers: own }
    }
    yield* send(client.post({ method: "notifications/initialized" }))
    return client
  })

export const callTool = (id: number | string, name: string, progressToken?: number | string) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: {}, ...(progressToken === undefined ? {} : { _meta: { progressToken } }) }
})
