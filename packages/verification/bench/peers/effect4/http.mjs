// Effect 4 over HTTP.
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as McpServer from "effect/ai/McpServer"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import { keepAliveMillis, report, settings } from "../../contenders/control.mjs"
import { options } from "./tools.mjs"

const server = createServer()
server.keepAliveTimeout = keepAliveMillis

const routes = McpServer.layerHttp({ ...options(settings()), path: "/mcp" })

// Only once the routes are there: the socket listens before, and answers nothing.
const ready = Layer.effectDiscard(Effect.sync(() => report({ port: server.address().port })))

ready.pipe(
  Layer.provide(HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true })),
  Layer.provide(NodeHttpServer.layer(() => server, { host: "127.0.0.1", port: 0 })),
  Layer.launch,
  Effect.runFork
)
