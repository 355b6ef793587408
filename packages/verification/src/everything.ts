/**
 * The everything fixture as a process: `--port N` (0 takes any) serves HTTP and prints the URL, with `--sse` HTTP+SSE
 * too, whose URL is printed next; `--stdio` serves its parent.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as HttpTransport from "@pushbutton/http/HttpTransport"
import * as StderrLogger from "@pushbutton/stdio/StderrLogger"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Server from "./everything/server.js"

const http = (port: number, sse: HttpTransport.SseOptions | undefined) =>
  HttpTransport.HttpTransport.pipe(
    Effect.tap(({ sseUrl, url }) => Console.log(sseUrl === undefined ? url : `${url}\n${sseUrl}`)),
    Effect.zipRight(Effect.never),
    Effect.provide(HttpTransport.layer({ port, sse, drainGrace: 0 }).pipe(Layer.provide(Server.layer)))
  )

const [option, value, more] = process.argv.slice(2)
const port = option === "--port" && value !== undefined ? Number(value) : undefined
const isKnown = more === undefined || more === "--sse"

if (port !== undefined && Number.isInteger(port) && isKnown) {
  const serve = http(port, more === undefined ? undefined : {})
  NodeRuntime.runMain(Effect.provide(serve, StderrLogger.layer))
} else if (option === "--stdio") {
  NodeRuntime.runMain(StdioTransport.launch(Server.layer))
} else {
  process.stderr.write("Usage: everything --port N [--sse] | everything --stdio\n")
  process.exitCode = 2
}
