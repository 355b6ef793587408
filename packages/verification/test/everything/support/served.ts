/** The everything fixture, or another server, in this process: over HTTP or on a pipe. */
import { PassThrough } from "node:stream"
import * as HttpTransport from "@pushbutton/http/HttpTransport"
import type { Dispatcher } from "@pushbutton/server/Dispatcher"
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

/** The URL of a server, and a way to ask there with every capability. */
export const httpOf = (server: Layer.Layer<Dispatcher>) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.provide(HttpTransport.layer({ port: 0, drainGrace: 0 }), server))
    const { url } = Context.get(context, HttpTransport.HttpTransport)
    return {
      url,
      ask: (method: string, params: object = {}, meta: object = declaring(everyCapability)) =>
        RawHttp.post(url, { body: modern(1, method, params, meta) })
    }
  })

export const overHttp = httpOf(quiet)

/** A pipe to a server. */
export const stdioOf = (server: Layer.Layer<Dispatcher>) =>
  Effect.gen(function* () {
    const input = new PassThrough()
    const output = new PassThrough()
    const lines = yield* Queue.unbounded<string>()
    let rest = ""
    output.setEncoding("utf8").on("data", (text: string) => {
      const parts = (rest + text).split("\n")
      rest = parts.pop() ?? ""
      for (const line of parts) Queue.unsafeOffer(lines, line)
    })
    yield* Layer.build(Layer.provide(StdioTransport.layer({ input, output, drainGrace: 0 }), server))
    return {
      /** A text is a line as it stands. */
      send: (message: object | string) =>
        Effect.sync(
          () => void input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`)
        ),
      next: Effect.map(Queue.take(lines), (line): RawHttp.Json => JSON.parse(line))
    }
  })

export const onStdio = stdioOf(quiet)
