/** The everything fixture in this process, over HTTP or on a pipe. */
import { PassThrough } from "node:stream"
import * as HttpTransport from "@pushbutton/http/HttpTransport"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Server from "../../../src/everything/server.js"
import { modern } from "../../support/messages.js"
import * as RawHttp from "../../support/rawHttp.js"

const quiet = Layer.provideMerge(Server.layer, Logger.remove(Logger.defaultLogger))

export const everyCapability = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
  extensions: { "io.modelcontextprotocol/tasks": {} }
}

export const declaring = (capabilities: object) => ({
  "io.modelcontextprotocol/clientCapabilities": capabilities
})

/** The URL of the fixture, and a way to ask there with every capability. */
export const overHttp = Effect.gen(function* () {
  const context = yield* Layer.build(Layer.provide(HttpTransport.layer({ port: 0, drainGrace: 0 }), quiet))
  const { url } = Context.get(context, HttpTransport.HttpTransport)
  return {
    url,
    ask: (method: string, params: object = {}, meta: object = declaring(everyCapability)) =>
      RawHttp.post(url, { body: modern(1, method, params, meta) })
  }
})

/** A pipe to the fixture. */
export const onStdio = Effect.gen(function* () {
  const input = new PassThrough()
  const output = new PassThrough()
  const lines = yield* Queue.unbounded<string>()
  let rest = ""
  output.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n")
    rest = parts.pop() ?? ""
    for (const line of parts) Queue.unsafeOffer(lines, line)
  })
  yield* Layer.build(Layer.provide(StdioTransport.layer({ input, output, drainGrace: 0 }), quiet))
  return {
    send: (message: object) => Effect.sync(() => void input.write(`${JSON.stringify(message)}\n`)),
    next: Effect.map(Queue.take(lines), (line): RawHttp.Json => JSON.parse(line))
  }
})
