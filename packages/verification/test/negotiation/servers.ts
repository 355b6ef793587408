/** One server over both transports, in this process: what is sent is what arrives. */
import * as Http from "node:http"
import { PassThrough } from "node:stream"
import * as HttpTransport from "@pushbutton/http/HttpTransport"
import * as Ask from "@pushbutton/server/Ask"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Tool from "@pushbutton/server/Tool"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type { Json } from "../support/rawHttp.js"

export interface Sent {
  readonly verb?: string
  readonly headers?: { readonly [name: string]: string | undefined }
  /** Sent as it is when it is a string. */
  readonly body?: unknown
}

export interface Answer {
  /** Undefined on stdio. */
  readonly status: number | undefined
  readonly headers: Http.IncomingHttpHeaders
  readonly body: Json
}

export interface Servers {
  readonly overHttp: (sent: Sent) => Effect.Effect<Answer>
  /** Each message has a pipe of its own, so that no handshake is left from another. */
  readonly overStdio: (...messages: ReadonlyArray<unknown>) => Effect.Effect<Answer>
}

/** Mirrors an argument, and asks its client: every rung of the ladder is about this tool. */
const Book = Tool.make("book", {
  input: Schema.Struct({
    seats: Schema.Int,
    region: Schema.String.pipe(Tool.header("Region"))
  }),
  handler: () =>
    Effect.as(Ask.orFail(Ask.form("sure", { message: "Sure?", schema: Schema.Struct({}) })), "booked")
})

const make = (revisions: McpServer.Revisions) =>
  Effect.gen(function* () {
    const server = yield* Layer.build(
      Layer.provideMerge(McpServer.tools(Book), McpServer.layer({ name: "ladder", version: "1", revisions }))
    )
    const dispatcher = Layer.succeedContext(server)
    const transport = yield* Layer.build(
      Layer.provide(HttpTransport.layer({ port: 0, drainGrace: 0 }), dispatcher)
    )
    const { url } = Context.get(transport, HttpTransport.HttpTransport)
    const servers: Servers = {
      overHttp: (sent) => exchange(url, sent),
      overStdio: (...messages) =>
        Effect.gen(function* () {
          const input = new PassThrough()
          const output = new PassThrough()
          const lines = yield* Queue.unbounded<string>()
          output.setEncoding("utf8").on("data", (text: string) => {
            for (const line of text.trimEnd().split("\n")) Queue.unsafeOffer(lines, line)
          })
          yield* Effect.forkScoped(StdioTransport.serve({ input, output }))
          for (const message of messages) {
            input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`)
          }
          const answers = yield* Effect.forEach(messages, () => Queue.take(lines))
          return { status: undefined, headers: {}, body: JSON.parse(answers.at(-1) ?? "") }
        }).pipe(Effect.scoped, Effect.provide(dispatcher))
    }
    return servers
  })

export class DualEra extends Context.Tag("test/DualEra")<DualEra, Servers>() {}
export class ModernOnly extends Context.Tag("test/ModernOnly")<ModernOnly, Servers>() {}

export const layer = Layer.merge(
  Layer.scoped(DualEra, make("all")),
  Layer.scoped(ModernOnly, make("modern"))
).pipe(Layer.orDie)

const exchange = (url: string, { body, headers = {}, verb = "POST" }: Sent): Effect.Effect<Answer> =>
  Effect.async((resume) => {
    const all = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers
    }
    const present = Object.entries(all).filter(
      (header): header is [string, string] => header[1] !== undefined
    )
    const request = Http.request(url, {
      method: verb,
      headers: Object.fromEntries(present),
      agent: new Http.Agent()
    })
    request.on("error", (error) => resume(Effect.die(error)))
    request.on("response", (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.on("end", () =>
        resume(
          Effect.sync(() => ({
            status: response.statusCode,
            headers: response.headers,
            body: text === "" ? undefined : JSON.parse(text)
          }))
        )
      )
    })
    request.end(verb === "POST" ? (typeof body === "string" ? body : JSON.stringify(body)) : undefined)
    return Effect.sync(() => void request.destroy())
  })
