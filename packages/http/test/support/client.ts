/** HTTP clients of the tests: whole answers, event streams, and bytes on a socket. */
import * as Http from "node:http"
import * as Net from "node:net"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

export interface Sent {
  readonly url: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly agent?: Http.Agent
}

export interface Answer {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly body: string
}

const open = ({ agent, body, headers, method = "POST", url }: Sent): Http.ClientRequest => {
  const request = Http.request(url, { method, headers, agent: agent ?? new Http.Agent() })
  request.end(body)
  return request
}

/** Sends a request and reads the whole answer. Interrupting it drops the connection. */
export const send = (sent: Sent): Effect.Effect<Answer, Error> =>
  Effect.async((resume) => {
    const request = open(sent)
    request.on("error", (error) => resume(Effect.fail(error)))
    request.on("response", (response) => {
      let body = ""
      response.setEncoding("utf8")
      response.on("data", (text: string) => {
        body += text
      })
      response.on("error", (error) => resume(Effect.fail(error)))
      response.on("end", () =>
        resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, body }))
      )
    })
    return Effect.sync(() => void request.destroy())
  })

export interface EventStream {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  /** The next event or comment, without the empty line that ends it. */
  readonly next: Effect.Effect<string>
  /** What came after the last whole event, once the stream has ended. */
  readonly rest: Effect.Effect<string>
  readonly response: Http.IncomingMessage
}

/** Sends a request and takes its answer event by event. */
export const stream = (sent: Sent): Effect.Effect<EventStream, Error, Scope.Scope> =>
  Effect.gen(function* () {
    const events = yield* Queue.unbounded<string>()
    const rest = yield* Deferred.make<string>()
    const response = yield* Effect.acquireRelease(
      Effect.async<Http.IncomingMessage, Error>((resume) => {
        const request = open(sent)
        request.on("error", (error) => resume(Effect.fail(error)))
        request.on("response", (response) => resume(Effect.succeed(response)))
      }),
      (response) => Effect.sync(() => void response.destroy())
    )
    let text = ""
    response.setEncoding("utf8")
    response.on("error", () => {})
    response.on("data", (chunk: string) => {
      const parts = (text + chunk).split("\n\n")
      text = parts.pop() ?? ""
      for (const part of parts) Queue.unsafeOffer(events, part)
    })
    response.on("end", () => Deferred.unsafeDone(rest, Effect.succeed(text)))
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      next: Queue.take(events),
      rest: Deferred.await(rest),
      response
    }
  })

export interface Connection {
  readonly write: (text: string | Uint8Array) => void
  /** Completes with everything received so far as soon as that includes the text. */
  readonly until: (text: string) => Effect.Effect<string>
  /** Completes with everything received once the server has closed the connection. */
  readonly closed: Effect.Effect<string>
  /** Writes a block so many times, as fast as the server takes it; completes with the count when all is closed. */
  readonly flood: (block: Uint8Array, times: number) => Effect.Effect<number>
  readonly destroy: () => void
  /** Stops and goes on taking what the server sends. */
  readonly pause: () => void
  readonly resume: () => void
}

/** A socket for what a well-behaved HTTP client cannot send. */
export const connect = (port: number): Effect.Effect<Connection, Error, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<Net.Socket, Error>((resume) => {
        const socket = Net.connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
        socket.once("error", (error) => resume(Effect.fail(error)))
      }),
      (socket) => Effect.sync(() => void socket.destroy())
    ),
    (socket) => {
      let received = ""
      let isClosed = false
      socket.setEncoding("utf8")
      socket.on("error", () => {})
      socket.on("data", (text) => {
        received += text
      })
      socket.on("close", () => {
        isClosed = true
      })
      return {
        write: (text) => void socket.write(text),
        until: (text) =>
          Effect.async((resume) => {
            const look = () => {
              if (received.includes(text)) resume(Effect.succeed(received))
            }
            socket.on("data", look)
            look()
            return Effect.sync(() => void socket.off("data", look))
          }),
        closed: Effect.async((resume) => {
          if (isClosed) resume(Effect.succeed(received))
          else socket.once("close", () => resume(Effect.succeed(received)))
        }),
        flood: (block, times) =>
          Effect.async((resume) => {
            let count = 0
            const more = () => {
              while (count < times && !socket.destroyed) {
                count++
                if (!socket.write(block)) return
              }
            }
            socket.on("drain", more)
            socket.once("close", () => resume(Effect.succeed(count)))
            more()
          }),
        destroy: () => void socket.destroy(),
        pause: () => void socket.pause(),
        resume: () => void socket.resume()
      }
    }
  )
