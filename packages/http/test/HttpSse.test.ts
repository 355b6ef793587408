import { assert, describe, it } from "@effect/vitest"
import { legacyVersions } from "@pushbutton/protocol/ProtocolVersion"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as HttpTransport from "../src/HttpTransport.js"
import { send } from "./support/client.js"
import { initialize as initializeMessage, legacy, modern } from "./support/messages.js"
import { start, startWith } from "./support/server.js"
import { call, connect, connectLegacy, initialize, notification, request } from "./support/sse.js"
import { echo } from "./support/tools.js"

/** The tool on a server with both transports. */
const serve = (options: Partial<HttpTransport.Options> = {}) =>
  Effect.map(start([echo], { sse: {}, ...options }), ({ port, url }) => ({
    url,
    sse: `http://127.0.0.1:${port}/sse`,
    root: `http://127.0.0.1:${port}`
  }))

const json = { "content-type": "application/json" }

describe("HTTP+SSE", () => {
  // verifies: HS-01, HS-02, HS-03, HS-07
  it.scopedLive.each(legacyVersions)(
    "serves a client that speaks %s, all answers on the one stream",
    (version) =>
      Effect.gen(function* () {
        const client = yield* connect((yield* serve()).sse)
        const accepted = yield* client.post(initialize(version))
        assert.deepStrictEqual([accepted.status, accepted.body], [202, ""])
        assert.notProperty(accepted.headers, "mcp-session-id")
        assert.strictEqual((yield* client.next).result.protocolVersion, version)
        yield* client.tell(
          notification("notifications/initialized"),
          call(1, "echo", { text: "echo" }),
          request("1", "ping")
        )
        const answers = [yield* client.next, yield* client.next]
        assert.sameMembers(
          answers.map(({ id }) => id),
          [1, "1"]
        )
        assert.deepStrictEqual(answers.find(({ id }) => id === 1)?.result, {
          content: [{ type: "text", text: "echo" }]
        })
        assert.strictEqual(client.response.headers["content-type"], "text/event-stream")
        assert.notProperty(client.response.headers, "mcp-session-id")
      })
  )

  // verifies: HS-08, DC-10
  it.scopedLive("is off by default, and where no handshake revision is served", () =>
    Effect.gen(function* () {
      const { port } = yield* start([echo])
      const modernOnly = yield* startWith(
        McpServer.layer({ name: "tests", version: "1", revisions: "modern" }),
        {
          sse: {}
        }
      )
      for (const there of [port, modernOnly.port]) {
        const { status } = yield* send({ url: `http://127.0.0.1:${there}/sse`, method: "GET" })
        assert.strictEqual(status, 404)
      }
    })
  )

  it.scopedLive("does not begin where two paths are one", () =>
    Effect.gen(function* () {
      for (const options of [
        { sse: { path: "mcp/" } },
        { sse: { messagesPath: "/mcp" } },
        { sse: { path: "/both", messagesPath: "both/" } },
        { path: "/sse", sse: {} }
      ]) {
        const failure = yield* Effect.exit(serve(options))
        assert.isTrue(Exit.isFailure(failure) && Cause.isDie(failure.cause))
      }
      yield* serve({ sse: { path: "/mcp/sse", messagesPath: "/mcp/messages" } })
    })
  )

  it.scopedLive("leaves the other transport what it was", () =>
    Effect.gen(function* () {
      const { sse, url } = yield* serve()
      const client = yield* connectLegacy(sse)
      const answer = yield* send(modern(url, 1, "tools/call", { name: "echo" }))
      assert.property(JSON.parse(answer.body).result, "resultType")
      const session = yield* send(legacy(url, undefined, initialize("2025-06-18")))
      assert.property(session.headers, "mcp-session-id")
      const key = new URL(client.messages).searchParams.get("sessionId") ?? ""
      assert.strictEqual((yield* send(legacy(url, key, request(1, "ping")))).status, 404)
      yield* client.tell(request(2, "ping"))
      assert.strictEqual((yield* client.next).id, 2)
    })
  )

  // verifies: TRAP-23, HS-02, HS-06
  it.scopedLive("names where to post relative to the stream, with a key of its own", () =>
    Effect.gen(function* () {
      const { root, sse } = yield* serve({ sse: { path: "/old/sse", messagesPath: "old/messages" } })
      assert.strictEqual(sse, `${root}/sse`)
      const clients = [yield* connect(`${root}/old/sse`), yield* connect(`${root}/old/sse/`)]
      for (const { messages } of clients)
        assert.isTrue(messages.startsWith(`${root}/old/messages?sessionId=`))
      const [one, other] = clients.map(({ reference }) => reference)
      assert.match(one ?? "", /^\.\/messages\?sessionId=id-\d$/)
      assert.match(other ?? "", /^\.\.\/messages\?sessionId=id-\d$/)
      assert.notStrictEqual(clients[0]?.messages, clients[1]?.messages)
    })
  )

  // verifies: HS-06, SH-41
  it.scopedLive("has keys that nobody can guess, as the sessions of the other transport have", () =>
    Effect.gen(function* () {
      const server = yield* Layer.build(
        HttpTransport.layer({ port: 0, sse: {} }).pipe(
          Layer.provide(McpServer.layer({ name: "tests", version: "1" }))
        )
      )
      const { sseUrl = "", url } = Context.get(server, HttpTransport.HttpTransport)
      const key = new URL((yield* connect(sseUrl)).messages).searchParams.get("sessionId")
      const { headers } = yield* send(legacy(url, undefined, initializeMessage()))
      for (const id of [key, headers["mcp-session-id"]]) assert.match(String(id), /^[0-9a-f-]{36}$/)
    })
  )

  // verifies: TRAP-23
  it.scopedLive("names what it was told to, for a proxy that changes more than a prefix", () =>
    Effect.gen(function* () {
      const { sse } = yield* serve({ sse: { messagesUrl: "/elsewhere/post?tenant=a" } })
      const { reference } = yield* connect(sse)
      assert.match(reference, /^\/elsewhere\/post\?tenant=a&sessionId=id-\d$/)
    })
  )

  // verifies: HS-04, HS-05
  it.scopedLive("refuses with a status what is no message of a session", () =>
    Effect.gen(function* () {
      const { root, sse } = yield* serve({ maxBodyBytes: 300 })
      const client = yield* connectLegacy(sse)
      const ping = JSON.stringify(request(1, "ping"))
      const posted = (url: string, headers: Record<string, string>, body: string) =>
        Effect.map(send({ url, headers, body }), ({ status }) => status)
      const statuses = yield* Effect.all({
        text: posted(client.messages, json, "not json"),
        shape: posted(client.messages, json, '{"id":1}'),
        empty: posted(client.messages, json, ""),
        long: posted(client.messages, json, JSON.stringify({ ...request(1, "ping"), more: "x".repeat(400) })),
        type: posted(client.messages, { "content-type": "text/plain" }, ping),
        unknown: posted(`${client.messages}x`, json, ping),
        keyless: posted(`${root}/messages`, json, ping),
        origin: posted(client.messages, { ...json, origin: "https://evil.example" }, ping),
        host: posted(client.messages, { ...json, host: "evil.example" }, ping)
      })
      assert.deepStrictEqual(statuses, {
        text: 400,
        shape: 400,
        empty: 400,
        long: 413,
        type: 415,
        unknown: 404,
        keyless: 400,
        origin: 403,
        host: 403
      })
      const stranger = yield* send({ url: sse, method: "GET", headers: { origin: "https://evil.example" } })
      assert.strictEqual(stranger.status, 403)
      yield* client.tell(request(2, "ping"))
      assert.strictEqual((yield* client.next).id, 2)
    })
  )

  // verifies: HS-09
  it.scopedLive(
    "answers a modern request with the versions there are, on the stream, and takes nothing of it",
    () =>
      Effect.gen(function* () {
        const { sse } = yield* serve()
        for (const client of [yield* connect(sse), yield* connectLegacy(sse)]) {
          const _meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}
          }
          for (const [id, method] of ["server/discover", "tools/call", "initialize"].entries()) {
            yield* client.tell(request(id, method, { name: "echo", _meta }))
            const { error, ...rest } = yield* client.next
            assert.deepStrictEqual(rest, { jsonrpc: "2.0", id })
            assert.strictEqual(error.code, -32022)
            assert.deepStrictEqual(error.data, { requested: "2026-07-28", supported: legacyVersions })
          }
          yield* client.tell(notification("notifications/initialized", { _meta }), request("last", "ping"))
          assert.deepStrictEqual(yield* client.next, { jsonrpc: "2.0", id: "last", result: {} })
        }
      })
  )

  // verifies: LC-09, LC-10, LC-12, HS-07
  it.scopedLive("holds the lifecycle, whatever the headers say", () =>
    Effect.gen(function* () {
      const client = yield* connect((yield* serve()).sse)
      const headers = { "mcp-protocol-version": "2026-07-28", "mcp-session-id": "x", "last-event-id": "y" }
      const tell = (message: object) =>
        Effect.map(client.post(message, headers), ({ status }) => assert.strictEqual(status, 202))
      yield* tell(request(1, "ping"))
      assert.deepStrictEqual((yield* client.next).result, {})
      yield* tell(request(2, "tools/list"))
      assert.strictEqual((yield* client.next).error.code, -32602)
      yield* tell(initialize("2024-11-05"))
      assert.strictEqual((yield* client.next).result.protocolVersion, "2024-11-05")
      yield* tell(initialize("2025-11-25"))
      assert.strictEqual((yield* client.next).error.code, -32600)
      yield* tell(request(3, "tools/list"))
      assert.deepStrictEqual(Object.keys((yield* client.next).result.tools[0]).sort(), [
        "inputSchema",
        "name"
      ])
    })
  )

  // verifies: BA-01, BA-04, BA-07, HS-10
  it.scopedLive("takes batches of 2025-03-26, and sends each response as an event of its own", () =>
    Effect.gen(function* () {
      const client = yield* connectLegacy((yield* serve()).sse, "2025-03-26")
      yield* client.tell([
        call(1, "echo", { text: "echo" }),
        notification("notifications/x"),
        7,
        request("1", "ping")
      ])
      const ids = [yield* client.next, yield* client.next].map(({ id }) => id)
      assert.sameMembers(ids, [1, "1"])
      yield* client.tell(
        [notification("notifications/x")],
        [{ jsonrpc: "2.0", id: 1, result: {} }],
        request(2, "ping")
      )
      assert.strictEqual((yield* client.next).id, 2)
    })
  )

  // verifies: BA-05, BA-06, LC-13
  it.scopedLive("refuses any other array in the reply to its POST", () =>
    Effect.gen(function* () {
      const { sse } = yield* serve()
      const early = yield* connect(sse)
      const older = yield* connectLegacy(sse, "2024-11-05")
      const right = yield* connectLegacy(sse, "2025-03-26")
      for (const refused of [
        yield* early.post([initialize("2025-03-26")]),
        yield* older.post([request(1, "ping")]),
        yield* right.post([]),
        yield* right.post([initialize("2025-03-26")])
      ]) {
        assert.strictEqual(refused.status, 400)
        assert.strictEqual(JSON.parse(refused.body).error.code, -32600)
      }
    })
  )
})
