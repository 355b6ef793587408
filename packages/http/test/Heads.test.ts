/** Request heads that no well-meaning client sends, over a raw socket. */
import * as Net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { start } from "./support/server.js"

/** Sends the text and gives the status line of the answer. */
const statusOf = (port: number, text: string) =>
  Effect.async<string>((resume) => {
    const socket = Net.connect(port, "127.0.0.1", () => socket.write(text))
    let answer = ""
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      answer += chunk
      if (!answer.includes("\r\n")) return
      socket.destroy()
      resume(Effect.succeed(answer.slice(0, answer.indexOf("\r\n"))))
    })
  })

const post = (...headers: ReadonlyArray<string>) =>
  ["POST /mcp HTTP/1.1", ...headers, "Content-Type: application/json", "Content-Length: 2", "", "{}"].join(
    "\r\n"
  )

describe("a request head", () => {
  it.scopedLive("with two Host headers is refused, whichever comes first", () =>
    Effect.gen(function* () {
      const { port } = yield* start([])
      for (const hosts of [
        ["Host: localhost", "Host: evil.test"],
        ["host: localhost", "HOST: localhost"]
      ]) {
        assert.strictEqual(yield* statusOf(port, post(...hosts)), "HTTP/1.1 400 Bad Request")
      }
    })
  )

  // verifies: HTTP-02
  it.scopedLive("has its Origin checked behind however many other headers", () =>
    Effect.gen(function* () {
      const { port } = yield* start([])
      const filler = Array.from({ length: 2_000 }, () => "a:")
      const status = yield* statusOf(port, post("Host: localhost", ...filler, "Origin: http://evil.test"))
      assert.strictEqual(status, "HTTP/1.1 403 Forbidden")
    })
  )
})
