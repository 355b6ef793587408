import { execFile } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { dataFolder } from "../support/buttons.js"
import { cancelled, initialize, initialized, modern, modernPress, request } from "../support/messages.js"
import * as Pipe from "../support/pipe.js"
import * as RawHttp from "../support/rawHttp.js"

const served = Effect.flatMap(dataFolder, (folder) => Binary.http(folder))

const discover = modern("alive", "server/discover")
const claiming = (version: string) =>
  modern(1, "tools/list", {}, { "io.modelcontextprotocol/protocolVersion": version })

type Row = readonly [name: string, post: RawHttp.Post, status: number, code: number | undefined, id?: unknown]

const rows: ReadonlyArray<Row> = [
  ["not JSON", { body: "{nope" }, 400, -32700],
  ["an empty body", { body: "" }, 400, -32700],
  ["JSON that is not JSON-RPC", { body: { hello: 1 } }, 400, -32600],
  ["a batch", { body: [discover] }, 400, -32600],
  ["a null id", { body: request(null, "tools/list") }, 400, -32600],
  ["missing _meta", { body: request(1, "tools/list", {}) }, 400, -32602, 1],
  [
    "missing _meta under a modern header",
    { body: request(1, "tools/list", {}), headers: { "mcp-protocol-version": "2026-07-28" } },
    400,
    -32602,
    1
  ],
  [
    "a version header that is missing",
    { body: discover, headers: { "mcp-protocol-version": undefined } },
    400,
    -32020,
    "alive"
  ],
  [
    "a version header that differs",
    { body: discover, headers: { "mcp-protocol-version": "2025-11-25" } },
    400,
    -32020,
    "alive"
  ],
  ["an unknown version", { body: claiming("2030-01-01") }, 400, -32022, 1],
  [
    "a method header that is missing",
    { body: discover, headers: { "mcp-method": undefined } },
    400,
    -32020,
    "alive"
  ],
  [
    "a method header that differs",
    { body: discover, headers: { "mcp-method": "Server/Discover" } },
    400,
    -32020,
    "alive"
  ],
  [
    "a name header that is missing",
    { body: modernPress(1, "greet"), headers: { "mcp-name": undefined } },
    400,
    -32020,
    1
  ],
  [
    "a name header that differs",
    { body: modernPress(1, "greet"), headers: { "mcp-name": "other" } },
    400,
    -32020,
    1
  ],
  ["an unknown method", { body: modern(1, "nope") }, 404, -32601, 1],
  ["a removed method", { body: modern(1, "ping") }, 404, -32601, 1],
  ["an unknown tool", { body: modern(1, "tools/call", { name: "nope" }) }, 200, -32602, 1],
  [
    "arguments of a wrong type",
    { body: modern(1, "tools/call", { name: "buttons_list", arguments: 7 }) },
    200,
    -32602,
    1
  ],
  ["a foreign origin", { body: discover, headers: { origin: "https://evil.test" } }, 403, -32600],
  ["an origin that is null", { body: discover, headers: { origin: "null" } }, 403, -32600],
  ["another content type", { body: discover, headers: { "content-type": "text/plain" } }, 415, -32600],
  ["nothing acceptable", { body: discover, headers: { accept: "image/png" } }, 406, -32600],
  [
    "a dead session",
    { body: request(1, "tools/list"), headers: { "mcp-session-id": "gone" } },
    404,
    -32600,
    1
  ],
  [
    "a legacy request without a session",
    { body: request(1, "tools/list"), headers: { "mcp-protocol-version": "2025-11-25" } },
    400,
    -32602,
    1
  ],
  ["a stray response", { body: { jsonrpc: "2.0", id: 1, result: {} } }, 400, -32600]
]

describe("bad input over HTTP", () => {
  // verifies: HTTP-03, HTTP-27, HTTP-28, HTTP-29, HTTP-30, HDR-02, HDR-07, HDR-08, META-02
  // verifies: P-06, P-21, P-25, P-23, P-34, P-39, P-46
  it.scopedLive("refuses each wrong message with its status and error, and lives on", () =>
    Effect.gen(function* () {
      const { url } = yield* served
      for (const [name, post, status, code, id] of rows) {
        const answer = yield* RawHttp.post(url, post)
        assert.strictEqual(answer.status, status, name)
        assert.strictEqual(answer.body?.error?.code, code, name)
        assert.strictEqual(answer.body?.id, id, name)
      }
      assert.strictEqual((yield* RawHttp.post(url, { body: discover })).status, 200)
    })
  )

  it.scopedLive("refuses a body over the limit without reading it whole", () =>
    Effect.gen(function* () {
      const { url } = yield* served
      const answer = yield* RawHttp.post(url, { body: `"${"x".repeat(5 * 1024 * 1024)}"` })
      assert.strictEqual(answer.status, 413)
      assert.strictEqual((yield* RawHttp.post(url, { body: discover })).status, 200)
    })
  )

  // verifies: HTTP-24, CANC-01, P-42
  it.scopedLive("ends a modern press when its response is closed", () =>
    Effect.gen(function* () {
      const { url } = yield* served
      const pipe = yield* Pipe.make
      const controller = new AbortController()
      const response = yield* Effect.promise(() =>
        RawHttp.fetchRaw(url, {
          body: modernPress(1, "hold", { pipe: pipe.path }, { progressToken: 1 }),
          signal: controller.signal
        })
      )
      assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
      controller.abort()
      yield* pipe.released
      assert.strictEqual((yield* RawHttp.post(url, { body: discover })).status, 200)
    })
  )

  // verifies: P-54, P-17, CA-05, TRAP-33
  it.scopedLive("ends a legacy press by a notification in its session, by value and type of the id", () =>
    Effect.gen(function* () {
      const { url } = yield* served
      const opened = yield* RawHttp.post(url, { body: initialize(0) })
      const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" }
      assert.strictEqual((yield* RawHttp.post(url, { body: initialized, headers: session })).status, 202)
      const pipe = yield* Pipe.make
      const press = request(5, "tools/call", {
        name: "buttons_press",
        arguments: { name: "hold", args: { pipe: pipe.path } },
        _meta: { progressToken: "p" }
      })
      const response = yield* Effect.promise(() => RawHttp.fetchRaw(url, { body: press, headers: session }))
      yield* RawHttp.post(url, { body: cancelled("5"), headers: session })
      const list = yield* RawHttp.post(url, { body: request(6, "tools/list"), headers: session })
      assert.strictEqual(list.status, 200)
      assert.strictEqual((yield* RawHttp.post(url, { body: cancelled(5), headers: session })).status, 202)
      yield* pipe.released
      const events = RawHttp.eventsOf(yield* Effect.promise(() => response.text()))
      assert.deepStrictEqual(
        events.map((event) => event.method),
        ["notifications/progress"]
      )
    })
  )
})

describe("pushbutton http", () => {
  it.scopedLive("prints what it serves, and a curl line that presses a button", () =>
    Effect.gen(function* () {
      const binary = yield* served
      const [, line = ""] = yield* binary.prints(/^ {2}(curl .*)$/m)
      assert.include(binary.stdout(), '"mcpServers"')
      const text = yield* Effect.async<string, Error>((resume) => {
        execFile("sh", ["-c", line], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout) =>
          resume(error ? Effect.fail(error) : Effect.succeed(stdout))
        )
      })
      assert.strictEqual(JSON.parse(text).result.resultType, "complete")
    })
  )

  // verifies: P-44, P-101
  it.scopedLive("ends a running press at SIGINT after its grace, answers it, and exits 0", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const binary = yield* Binary.http(folder, ["--grace", "0"])
      const pipe = yield* Pipe.make
      const response = yield* Effect.promise(() =>
        RawHttp.fetchRaw(binary.url, {
          body: modernPress(1, "hold", { pipe: pipe.path }, { progressToken: 1 })
        })
      )
      binary.process.kill("SIGINT")
      const events = RawHttp.eventsOf(yield* Effect.promise(() => response.text()))
      assert.strictEqual(events.at(-1).error.code, -32603)
      yield* pipe.released
      assert.deepStrictEqual(yield* binary.exited, { code: 0, signal: null })
    })
  )

  it.scopedLive("leaves nothing running when a second signal ends it at once", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const binary = yield* Binary.http(folder, ["--grace", "1000"])
      const pipe = yield* Pipe.make
      yield* Effect.promise(() =>
        RawHttp.fetchRaw(binary.url, {
          body: modernPress(1, "hold", { pipe: pipe.path }, { progressToken: 1 })
        })
      )
      binary.process.kill("SIGTERM")
      yield* binary.logs(/Stopping/)
      binary.process.kill("SIGTERM")
      yield* pipe.released
      assert.strictEqual((yield* binary.exited).code, 143)
    })
  )

  it.scopedLive("ends in order when its terminal closes", () =>
    Effect.gen(function* () {
      const binary = yield* Binary.http(yield* dataFolder, ["--grace", "0"])
      const pipe = yield* Pipe.make
      const response = yield* Effect.promise(() =>
        RawHttp.fetchRaw(binary.url, {
          body: modernPress(1, "hold", { pipe: pipe.path }, { progressToken: 1 })
        })
      )
      binary.process.kill("SIGHUP")
      const events = RawHttp.eventsOf(yield* Effect.promise(() => response.text()))
      assert.strictEqual(events.at(-1).error.code, -32603)
      yield* pipe.released
      assert.deepStrictEqual(yield* binary.exited, { code: 0, signal: null })
    })
  )

  it.scopedLive("says in one line that a port is in use, and exits 1", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const { url } = yield* Binary.http(folder)
      const second = yield* Binary.start(["http", "--dir", folder], { PUSHBUTTON_PORT: new URL(url).port })
      assert.deepStrictEqual(yield* second.exited, { code: 1, signal: null })
      assert.strictEqual(second.stdout(), "")
      assert.match(second.stderr(), /^[^\n]*\bport\b[^\n]*in use[^\n]*\n$/i)
    })
  )

  // verifies: HTTP-06, P-39, SH-61
  it.scopedLive("refuses to serve other machines unless it is told to", () =>
    Effect.gen(function* () {
      const refused = yield* Binary.start([
        "http",
        "--dir",
        yield* dataFolder,
        "--port",
        "0",
        "--host",
        "0.0.0.0"
      ])
      assert.strictEqual((yield* refused.exited).code, 1)
      assert.include(refused.stderr(), "--allow-remote")
    })
  )
})
