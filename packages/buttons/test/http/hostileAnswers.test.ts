/** Servers that answer with more than anybody can use. */
import * as Zlib from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as HostAddresses from "@pushbutton/buttons/http/HostAddresses"
import * as HttpClient from "@pushbutton/buttons/http/HttpClient"
import * as HttpRunner from "@pushbutton/buttons/http/HttpRunner"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Server from "../support/httpServer.js"

const run = (port: number) =>
  Effect.flatMap(HttpRunner.HttpRunner, (runner) =>
    runner.run({
      request: Server.request("h", port),
      maxResponseBytes: 1_000,
      wantsPrivateNetworks: false,
      timeoutMillis: 30_000
    })
  ).pipe(
    Effect.provide(
      Layer.provide(
        HttpRunner.layer({ named: [{ hostname: "h", port }], privateNetworks: false }),
        Layer.merge(
          Layer.succeed(HttpClient.HttpClient, HttpClient.ofNode()),
          HostAddresses.layerTest(() => ["127.0.0.1"])
        )
      )
    )
  )

/** Writes as long as somebody reads. */
const endless =
  (piece: string): Server.Answer =>
  (_, response) => {
    response.writeHead(200)
    const write = () => {
      for (let count = 0; count < 100 && !response.destroyed; count++) response.write(piece)
      if (!response.destroyed) setImmediate(write)
    }
    write()
  }

const bomb: Server.Answer = (_, response) =>
  response.writeHead(200, { "Content-Encoding": "gzip" }).end(Zlib.gzipSync(Buffer.alloc(64_000_000, "a")))

describe("HttpRunner, answers without an end", () => {
  it.scopedLive.each([
    ["in pieces of one byte", endless("a")],
    ["that unpacks to sixty million bytes", bomb]
  ] as const)("takes what it may of one %s, and hangs up", ([, answer]) =>
    Effect.gen(function* () {
      const server = yield* Server.make(answer)
      const { body, reason } = yield* run(server.port)
      assert.strictEqual(reason, "responded")
      assert.deepInclude(body, { text: `${"a".repeat(1_000)}\n[cut after 1000 bytes]`, truncated: true })
      assert.isBelow(body.bytes, 1_000_000)
      yield* Effect.repeat(Effect.zipRight(Effect.sleep("5 millis"), server.connections), {
        until: (count) => count === 0,
        times: 500
      })
      assert.strictEqual(yield* server.connections, 0)
    })
  )

  it.scopedLive("takes no answer whose headers have none", () =>
    Effect.gen(function* () {
      const server = yield* Server.make((_, response) => {
        response.socket?.write(`HTTP/1.1 200 OK\r\n${"X-More: and more\r\n".repeat(10_000)}`)
      })
      const { detail, reason } = yield* run(server.port)
      assert.strictEqual(reason, "unreachable")
      assert.match(detail ?? "", /HEADER_OVERFLOW/)
    })
  )
})
