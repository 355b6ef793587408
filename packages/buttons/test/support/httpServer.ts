/** A real server on the loopback interface, and what it was asked. */
import * as Http from "node:http"
import type * as Net from "node:net"
import type { HttpRequest } from "@pushbutton/buttons/http/HttpClient"
import * as Effect from "effect/Effect"

export interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Http.IncomingHttpHeaders
  readonly body: string
}

export interface Server {
  readonly port: number
  /** In the order in which they came. */
  readonly asked: ReadonlyArray<Asked>
  /** How many connections are open. */
  readonly connections: Effect.Effect<number>
  /** Completes when the first request has come. */
  readonly reached: Effect.Effect<void>
}

export type Answer = (asked: Asked, response: Http.ServerResponse) => void

/** Closed with the scope, together with what is connected. */
export const make = (answer: Answer) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const asked: Array<Asked> = []
      let reach = () => {}
      const reached = new Promise<void>((resolve) => {
        reach = resolve
      })
      const server = Http.createServer((request, response) => {
        let body = ""
        request.on("data", (chunk) => {
          body += String(chunk)
        })
        request.on("end", () => {
          const { headers, method, url } = request
          const one = { method, url, headers, body }
          asked.push(one)
          reach()
          answer(one, response)
        })
      })
      await new Promise<void>((resolve) => {
        server.listen(0, "127.0.0.1", resolve)
      })
      const running: Server = {
        port: portOf(server),
        asked,
        connections: Effect.async<number>((resume) => {
          server.getConnections((_, count) => resume(Effect.succeed(count)))
        }),
        reached: Effect.promise(() => reached)
      }
      return { server, running }
    }),
    ({ server }) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          })
      )
  ).pipe(Effect.map(({ running }) => running))

export const portOf = (server: Net.Server): number => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("not listening")
  return address.port
}

export const request = (hostname: string, port: number, fields: Partial<HttpRequest> = {}): HttpRequest => ({
  origin: { scheme: "http", hostname, port },
  method: "GET",
  path: "/",
  headers: [],
  ...fields
})

/** Polls, for at most five seconds of real time, until the server knows of no connection. */
export const untilUnconnected = (server: Server): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let tries = 0; tries < 500; tries++) {
      if ((yield* server.connections) === 0) return
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))
    }
    return yield* Effect.die("still connected")
  })
