// The official SDK over HTTP: its handler for 2026-07-28, or its session transport for 2025-11-25.
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler } from "@modelcontextprotocol/server"
import { keepAliveMillis, report, settings } from "../../contenders/control.mjs"
import { make } from "./tools.mjs"

const given = settings()

const modern = () => {
  const handler = createMcpHandler(() => make(given), { maxSubscriptions: 100_000 })
  return { serve: toNodeHandler(handler), change: () => handler.notify.toolsChanged() }
}

const legacy = () => {
  const sessions = new Map()
  const open = async () => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => void sessions.set(id, transport)
    })
    await make(given).connect(transport)
    return transport
  }
  const serve = async (req, res) => {
    const id = req.headers["mcp-session-id"]
    const transport = id === undefined ? await open() : sessions.get(id)
    if (transport === undefined) return void res.writeHead(404).end()
    await transport.handleRequest(req, res)
  }
  return { serve, change: undefined }
}

const { change, serve } = given.legacy ? legacy() : modern()

const server = createServer((req, res) => void serve(req, res))
server.keepAliveTimeout = keepAliveMillis
server.listen(0, "127.0.0.1", () => report({ port: server.address().port, change }))
