import * as Http from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { connect, send } from "./support/client.js"
import { json, modern, modernMeta } from "./support/messages.js"
import { connectionLost, start } from "./support/server.js"
import { echo } from "./support/tools.js"

const refusals: ReadonlyArray<
  readonly [name: string, status: number, method: string, headers: Record<string, string>]
> = [
  ["a foreign Origin", 403, "POST", { ...json, origin: "https://evil.test" }],
  ["a foreign Host", 403, "POST", { ...json, host: "evil.test" }],
  ["GET without a session", 405, "GET", { accept: "text/event-stream" }],
  ["a body that is not JSON", 415, "POST", { "content-type": "text/plain" }],
  ["a client that takes no reply", 406, "POST", { ...json, accept: "text/html" }]
]

describe("HttpTransport refuses", () => {
  for (const [name, status, method, headers] of refusals) {
    // verifies: HTTP-04, HTTP-12, HTTP-02, HTTP-03, SH-04
    it.scopedLive(`${name} with ${status} and an error without an id`, () =>
      Effect.gen(function* () {
        const { url } = yield* start([echo])
        const answer = yield* send({ url, method, headers, body: method === "GET" ? "" : "{}" })
        assert.strictEqual(answer.status, status)
        assert.strictEqual(answer.headers["content-type"], "application/json")
        const body = JSON.parse(answer.body)
        assert.notProperty(body, "id")
        assert.strictEqual(body.jsonrpc, "2.0")
        assert.strictEqual(body.error.code, -32600)
      })
    )
  }

  // verifies: HTTP-01
  it.scopedLive("other paths with 404", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      assert.strictEqual((yield* send(modern(`${url}/x`, 1, "tools/list"))).status, 404)
    })
  )

  // verifies: P-37
  it.scopedLive("HEAD with 405, without a body", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const answer = yield* send({ url, method: "HEAD" })
      assert.deepStrictEqual([answer.status, answer.body], [405, ""])
      assert.strictEqual(answer.headers.allow, "GET, POST, DELETE, OPTIONS")
    })
  )

  // verifies: CORE-06
  it.scopedLive("what is no JSON, or no message, with 400", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const cases: ReadonlyArray<readonly [body: string, code: number]> = [
        ["", -32700],
        ["not json", -32700],
        ["[]", -32600],
        ['{"jsonrpc":"2.0","id":null,"method":"tools/list"}', -32600]
      ]
      for (const [body, code] of cases) {
        const answer = yield* send({ url, headers: json, body })
        assert.strictEqual(answer.status, 400)
        assert.strictEqual(JSON.parse(answer.body).error.code, code)
      }
    })
  )

  it.scopedLive("bytes that are no UTF-8 rather than change them", () =>
    Effect.gen(function* () {
      const { port } = yield* start([echo])
      const connection = yield* connect(port)
      connection.write(head(port, "Content-Length: 3\r\nConnection: close"))
      connection.write(Uint8Array.of(0x22, 0xff, 0x22))
      const answer = yield* connection.closed
      assert.match(answer, /^HTTP\/1\.1 400 /)
      assert.include(answer, '"code":-32700')
    })
  )

  it.scopedLive("a body whose length is over the limit before any of it arrives", () =>
    Effect.gen(function* () {
      const { port } = yield* start([echo], { maxBodyBytes: 70_000 })
      const connection = yield* connect(port)
      connection.write(head(port, "Content-Length: 70001"))
      const answer = yield* connection.until('"error"')
      assert.match(answer, /^HTTP\/1\.1 413 /)
      assert.match(answer, /\r\nConnection: close\r\n/)
      assert.include(answer, "70000 bytes")
    })
  )

  it.scopedLive("a body one byte over the limit, and takes one at the limit", () =>
    Effect.gen(function* () {
      const whole = modern("", 1, "tools/call", { name: "echo", arguments: { text: "hello" } }).body ?? ""
      const { port } = yield* start([echo], { maxBodyBytes: whole.length })
      for (const [body, status] of [
        [whole, 200],
        [`${whole} `, 413]
      ] as const) {
        const connection = yield* connect(port)
        connection.write(head(port, "Transfer-Encoding: chunked\r\nConnection: close", "tools/call", "echo"))
        connection.write(`${chunk(body.slice(0, 7))}${chunk(body.slice(7))}0\r\n\r\n`)
        assert.include(yield* connection.until("jsonrpc"), `HTTP/1.1 ${status} `)
      }
    })
  )

  // verifies: P-28
  it.scopedLive("a chunked body of 100 MB early, and goes on serving", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const { received, sentBytes } = yield* upload(url, 100 * 1024 * 1024)
      assert.strictEqual(received.statusCode, 413)
      assert.strictEqual(received.headers.connection, "close")
      assert.isBelow(sentBytes, 50 * 1024 * 1024)
      assert.strictEqual((yield* send(modern(url, 1, "tools/list"))).status, 200)
    })
  )

  it.scopedLive("a body that goes on after the refusal, without reading it", () =>
    Effect.gen(function* () {
      const { port } = yield* start([echo])
      const connection = yield* connect(port)
      connection.write(head(port, "Transfer-Encoding: chunked"))
      const blocks = yield* connection.flood(Buffer.from(chunk(" ".repeat(64 * 1024))), 1600)
      assert.isBelow(blocks, 800)
      assert.include(yield* connection.closed, "HTTP/1.1 413 ")
    })
  )

  it.scopedLive("a long body so that a client that is still sending gets to read why", () =>
    Effect.gen(function* () {
      const { port, url } = yield* start([echo])
      const connection = yield* connect(port)
      connection.pause()
      connection.write(head(port, "Content-Length: 33554432"))
      connection.write(Buffer.alloc(32 * 1024 * 1024))
      // A whole exchange, so that the server has refused by now.
      yield* send(modern(url, 1, "tools/list"))
      connection.resume()
      assert.include(yield* connection.until('"error"'), "HTTP/1.1 413 ")
    })
  )

  it.scopedLive("a long body of the wrong type without reading it", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const { received, sentBytes } = yield* upload(url, 100 * 1024 * 1024, { "content-type": "text/plain" })
      assert.strictEqual(received.statusCode, 415)
      assert.isBelow(sentBytes, 50 * 1024 * 1024)
    })
  )

  it.scopedLive("malformed HTTP with 400, and closes the connection", () =>
    Effect.gen(function* () {
      const { port, url } = yield* start([echo])
      const connection = yield* connect(port)
      connection.write("this is not HTTP\r\n\r\n")
      assert.match(yield* connection.closed, /^HTTP\/1\.1 400 /)
      assert.strictEqual((yield* send(modern(url, 1, "tools/list"))).status, 200)
    })
  )
})

describe("HttpTransport reads", () => {
  it.scopedLive("characters that are cut apart by chunks, and bodies of one byte a chunk", () =>
    Effect.gen(function* () {
      const { port } = yield* start([echo])
      const text = "naïve – 🙂"
      const body = Buffer.from(
        JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "echo", arguments: { text }, _meta: modernMeta() }
        })
      )
      const connection = yield* connect(port)
      connection.write(head(port, "Transfer-Encoding: chunked\r\nConnection: close", "tools/call", "echo"))
      for (const byte of body)
        connection.write(Buffer.concat([Buffer.from("1\r\n"), Buffer.from([byte]), Buffer.from("\r\n")]))
      connection.write("0\r\n\r\n")
      assert.include(yield* connection.closed, text)
    })
  )

  it.scopedLive("a body whose client first asks whether to go on", () =>
    Effect.gen(function* () {
      const { port } = yield* start([echo])
      const body = modern("", 1, "tools/list").body ?? ""
      const connection = yield* connect(port)
      connection.write(
        head(
          port,
          `Expect: 100-continue\r\nContent-Length: ${body.length}\r\nConnection: close`,
          "tools/list"
        )
      )
      yield* connection.until("100 Continue")
      connection.write(body)
      assert.include(yield* connection.closed, "HTTP/1.1 200 OK")
    })
  )

  it.scopedLive("on when a client leaves in the middle of its body", () =>
    Effect.gen(function* () {
      const { port, url } = yield* start([echo])
      const lost = yield* connectionLost("leaving")
      const connection = yield* connect(port)
      connection.write(head(port, "X-Marker: leaving\r\nExpect: 100-continue\r\nContent-Length: 100"))
      yield* connection.until("100 Continue")
      connection.write("{")
      connection.destroy()
      yield* lost
      assert.strictEqual((yield* send(modern(url, 1, "tools/list"))).status, 200)
    })
  )

  it.scopedLive("a message behind a byte order mark", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const sent = modern(url, 1, "tools/list")
      assert.strictEqual((yield* send({ ...sent, body: `\uFEFF${sent.body}` })).status, 200)
    })
  )
})

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

const head = (port: number, headers: string, method = "tools/list", name?: string) =>
  [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    "MCP-Protocol-Version: 2026-07-28",
    `Mcp-Method: ${method}`,
    ...(name === undefined ? [] : [`Mcp-Name: ${name}`]),
    headers,
    "\r\n"
  ].join("\r\n")

/** Sends a chunked body for as long as the server takes it, and until it answers. */
const upload = (url: string, bytes: number, headers: Record<string, string> = {}) =>
  Effect.async<{ readonly received: Http.IncomingMessage; readonly sentBytes: number }, Error>((resume) => {
    const request = Http.request(url, {
      method: "POST",
      headers: { ...json, ...headers },
      agent: new Http.Agent()
    })
    const block = Buffer.alloc(64 * 1024, 0x20)
    let sentBytes = 0
    const more = () => {
      while (sentBytes < bytes && !request.destroyed) {
        sentBytes += block.length
        if (!request.write(block)) return
      }
    }
    request.on("drain", more)
    request.on("error", (error) => resume(Effect.fail(error)))
    request.on("response", (received) => {
      received.resume()
      received.on("error", () => {})
      received.on("end", () => {
        resume(Effect.succeed({ received, sentBytes }))
        request.destroy()
      })
    })
    more()
  })
