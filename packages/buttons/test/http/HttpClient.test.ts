import { once } from "node:events"
import * as Net from "node:net"
import * as Tls from "node:tls"
import * as Zlib from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as HttpClient from "@pushbutton/buttons/http/HttpClient"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Server from "../support/httpServer.js"

interface Got {
  head: HttpClient.HttpHead | undefined
  body: string
}

/** Sends and collects what comes, up to a limit. */
const send = (
  request: HttpClient.HttpRequest,
  limit = Number.POSITIVE_INFINITY,
  got: Got = { head: undefined, body: "" }
) =>
  Effect.as(
    HttpClient.ofNode().send({
      request,
      addresses: ["127.0.0.1"],
      onHead: (head) => {
        got.head = head
        return true
      },
      onBody: (chunk) => {
        got.body += new TextDecoder().decode(chunk)
        return got.body.length < limit
      }
    }),
    got
  )

describe("HttpClient", () => {
  it.scopedLive("sends what it is given to the address that it is given", () =>
    Effect.gen(function* () {
      const server = yield* Server.make((_, response) => {
        response.writeHead(201, "Made", { Location: "/x", "Content-Type": "text/plain" }).end("done")
      })
      const got = yield* send(
        Server.request("nowhere.invalid", server.port, {
          method: "DELETE",
          path: "/a%20b?c={d}",
          headers: [["X-One", "é"]],
          body: "ü"
        })
      )
      assert.deepStrictEqual(got, {
        head: { status: 201, statusText: "Made", location: "/x", contentType: "text/plain" },
        body: "done"
      })
      assert.deepStrictEqual(server.asked, [
        {
          method: "DELETE",
          url: "/a%20b?c={d}",
          headers: {
            host: `nowhere.invalid:${server.port}`,
            "user-agent": "pushbutton",
            "accept-encoding": "gzip",
            "x-one": "é",
            "content-length": "2",
            connection: "close"
          },
          body: "ü"
        }
      ])
      yield* Server.untilUnconnected(server)
    })
  )

  it.scopedLive("unpacks gzip, except for who asks for an encoding", () =>
    Effect.gen(function* () {
      const server = yield* Server.make((_, response) => {
        response.writeHead(200, { "Content-Encoding": "gzip" }).end(Zlib.gzipSync("unpacked"))
      })
      assert.strictEqual((yield* send(Server.request("h", server.port))).body, "unpacked")
      const raw = yield* send(Server.request("h", server.port, { headers: [["accept-encoding", "gzip"]] }))
      assert.notStrictEqual(raw.body, "unpacked")
      assert.strictEqual(server.asked[1]?.headers["accept-encoding"], "gzip")
    })
  )

  it.scopedLive("hangs up when no more is wanted", () =>
    Effect.gen(function* () {
      const server = yield* Server.make((_, response) => {
        response.writeHead(200)
        const write = () => {
          while (response.writable && response.write("x".repeat(65_536)));
        }
        response.on("drain", write)
        write()
      })
      const { body } = yield* send(Server.request("h", server.port), 200_000)
      assert.isAtLeast(body.length, 200_000)
      assert.isBelow(body.length, 400_000)
      yield* Server.untilUnconnected(server)
    })
  )

  it.scopedLive("closes its connection when it is interrupted, before and within the answer", () =>
    Effect.gen(function* () {
      const mute = yield* Server.make(() => {})
      const waiting = yield* Effect.fork(send(Server.request("h", mute.port)))
      yield* mute.reached
      yield* Fiber.interrupt(waiting)
      yield* Server.untilUnconnected(mute)

      const slow = yield* Server.make((_, response) => response.writeHead(200).write("begun"))
      const got: Got = { head: undefined, body: "" }
      const reading = yield* Effect.fork(send(Server.request("h", slow.port), 10_000, got))
      while (got.body === "") yield* Effect.yieldNow()
      yield* Fiber.interrupt(reading)
      yield* Server.untilUnconnected(slow)
      assert.strictEqual(got.body, "begun")
    })
  )

  it.scopedLive.each<[string, Server.Answer, string]>([
    ["without an answer", (_, response) => response.destroy(), "ECONNRESET"],
    [
      "within the body",
      (_, response) => {
        response.writeHead(200, { "Content-Length": "100" }).write("half", () => response.destroy())
      },
      "ECONNRESET"
    ],
    [
      "with what is not HTTP",
      (_, response) => void response.socket?.end("hello\r\n\r\n"),
      "HPE_INVALID_CONSTANT"
    ],
    [
      "with another protocol",
      (_, response) =>
        void response.socket?.write(
          "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
        ),
      "UPGRADED"
    ],
    [
      "with a body that is not gzip",
      (_, response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end("plain"),
      "Z_DATA_ERROR"
    ]
  ])("fails when a server ends %s", ([, answer, code]) =>
    Effect.gen(function* () {
      const server = yield* Server.make(answer)
      const error = yield* Effect.flip(send(Server.request("h", server.port)))
      assert.strictEqual(error.code, code)
      yield* Server.untilUnconnected(server)
    })
  )

  it.scopedLive("fails when nobody listens", () =>
    Effect.gen(function* () {
      const server = Net.createServer().listen(0, "127.0.0.1")
      yield* Effect.promise(() => once(server, "listening"))
      const port = Server.portOf(server)
      server.close()
      assert.strictEqual((yield* Effect.flip(send(Server.request("h", port)))).code, "ECONNREFUSED")
    })
  )

  it.scopedLive("names the host in the handshake, and trusts no certificate that it cannot check", () =>
    Effect.gen(function* () {
      const names: Array<string> = []
      const server = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const tls = Tls.createServer({
            SNICallback: (name, callback) => {
              names.push(name)
              callback(null)
            }
          }).listen(0, "127.0.0.1")
          await once(tls, "listening")
          return tls
        }),
        (tls) => Effect.sync(() => tls.close())
      )
      const request = Server.request("api.example.com", Server.portOf(server))
      yield* Effect.flip(send({ ...request, origin: { ...request.origin, scheme: "https" } }))
      assert.deepStrictEqual(names, ["api.example.com"])
    })
  )
})
