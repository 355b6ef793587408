import { Buffer } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  cancel,
  connect,
  connectLegacy,
  initialize,
  initialized,
  legacyVersions,
  modern,
  request
} from "./support/peer.js"
import { build, captureLogs, gated, toolOf } from "./support/server.js"

const keysOf = (result: object) => Object.keys(result).sort()
const legacyCall = ["content"]
const modernCall = ["_meta", "content", "resultType"]

describe("a handshake on stdio", () => {
  // verifies: LC-02, LC-03, LC-04, TRAP-15
  it.scopedLive.each([
    ...legacyVersions.map((version) => [version, version]),
    ["1.0.0", "2025-11-25"],
    ["2024-10-07", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
    ["2099-01-01", "2025-11-25"]
  ])("that asks for %s is given %s", ([asked = "", given]) =>
    Effect.gen(function* () {
      const peer = yield* connect(yield* build())
      yield* peer.write(initialize(asked))
      const { result } = yield* peer.next
      assert.strictEqual(result.protocolVersion, given)
    })
  )

  // verifies: LC-09, LC-23
  it.scopedLive("may be preceded by a ping, and nothing else without a claim", () =>
    Effect.gen(function* () {
      const peer = yield* connect(yield* build())
      yield* peer.write(request(1, "ping"), request(2, "tools/list"), request("1", "ping"))
      assert.deepStrictEqual(yield* peer.next, { jsonrpc: "2.0", id: 1, result: {} })
      assert.strictEqual((yield* peer.next).error.code, -32602)
      assert.deepStrictEqual(yield* peer.next, { jsonrpc: "2.0", id: "1", result: {} })
    })
  )

  // verifies: LC-10
  it.scopedLive("is named, with the other way in, to whom sends a request before it", () =>
    Effect.gen(function* () {
      const peer = yield* connect(yield* build())
      yield* peer.write(request(2, "tools/call", { name: "echo" }))
      const { error, id } = yield* peer.next
      assert.deepStrictEqual([id, error.code], [2, -32602])
      for (const word of ["initialize", "metadata", "2026-07-28", ...legacyVersions]) {
        assert.include(error.message, word)
      }
    })
  )

  // verifies: LC-11, TRAP-38
  it.scopedLive("serves requests that come before `initialized`", () =>
    Effect.gen(function* () {
      const peer = yield* connect(yield* build())
      yield* peer.write(initialize("2025-06-18"), request(1, "tools/call", { name: "echo" }))
      yield* peer.answerTo("init")
      assert.deepStrictEqual(keysOf((yield* peer.next).result), legacyCall)
    })
  )

  // verifies: LC-21
  it.scopedLive("is open to capabilities that nobody knows", () =>
    Effect.gen(function* () {
      const peer = yield* connect(yield* build())
      yield* peer.write(
        initialize("2024-11-05", { tasks: { list: {} }, extensions: {}, experimental: { x: {} }, roots: 1 })
      )
      assert.property(yield* peer.next, "result")
    })
  )

  it.scopedLive("tells handlers all that the client declares, which may not be long", () =>
    Effect.gen(function* () {
      const declared = (length: number) => ({ experimental: { x: { list: ["y".repeat(length)] } } })
      const tell = Tool.make("tell", {
        input: Schema.Struct({}),
        handler: () => Effect.map(RequestContext, (request) => JSON.stringify(request.clientCapabilities))
      })
      const peer = yield* connect(yield* build([tell]))
      yield* peer.write(initialize("2025-06-18", declared(8_192)))
      const { error } = yield* peer.next
      assert.deepStrictEqual([error.code, error.message.includes("8192")], [-32602, true])
      yield* peer.write(initialize("2025-06-18", declared(8_000)))
      yield* peer.answerTo("init")
      yield* peer.write(request(1, "tools/call", { name: "tell" }))
      const { result } = yield* peer.answerTo(1)
      assert.deepStrictEqual(JSON.parse(result.content[0].text), declared(8_000))
    })
  )

  // verifies: LC-12
  it.scopedLive("is refused a second time, and the session stays as it was", () =>
    Effect.gen(function* () {
      const peer = yield* connectLegacy(yield* build(), "2024-11-05")
      yield* peer.write(initialize("2025-11-25", { roots: {} }, "again"), request(2, "tools/list"))
      const again = yield* peer.answerTo("again")
      assert.strictEqual(again.error.code, -32600)
      const [tool] = (yield* peer.answerTo(2)).result.tools
      assert.deepStrictEqual(keysOf(tool), ["inputSchema", "name"])
    })
  )

  // verifies: LC-14
  it.scopedLive("cannot be cancelled", () =>
    Effect.gen(function* () {
      const peer = yield* connect(yield* build())
      yield* peer.write(cancel("init"), initialize("2025-11-25"), cancel("init"), request(1, "ping"))
      assert.strictEqual((yield* peer.next).result.protocolVersion, "2025-11-25")
      assert.deepStrictEqual(yield* peer.next, { jsonrpc: "2.0", id: 1, result: {} })
    })
  )

  // verifies: ST-09, TRAP-14, LC-31
  it.scopedLive(
    "may come in one write with a probe, which is answered first and goes on being answered",
    () =>
      Effect.gen(function* () {
        const peer = yield* connect(yield* build())
        const lines = [modern("p", "server/discover"), initialize("2025-11-25"), initialized]
        yield* peer.write(lines.map((line) => JSON.stringify(line)).join("\n"))
        const probe = yield* peer.next
        assert.strictEqual(probe.id, "p")
        assert.deepStrictEqual(probe.result.supportedVersions, ["2026-07-28"])
        assert.strictEqual((yield* peer.next).result.protocolVersion, "2025-11-25")
        yield* peer.write(modern("q", "server/discover"))
        assert.deepStrictEqual((yield* peer.answerTo("q")).result, probe.result)
      })
  )
})

describe("both eras on one pipe", () => {
  // verifies: LC-28, TRAP-33, LC-31
  it.scopedLive("are each answered in their own way, under the id and type that was sent", () =>
    Effect.gen(function* () {
      const peer = yield* connectLegacy(yield* build(), "2025-06-18")
      const echo = { name: "echo" }
      yield* peer.write(
        request(1, "tools/call", echo),
        modern("1", "tools/call", echo),
        request("2", "tools/call", echo),
        modern(2, "tools/call", echo)
      )
      const answers = [yield* peer.next, yield* peer.next, yield* peer.next, yield* peer.next]
      assert.deepStrictEqual(
        new Map(answers.map(({ id, result }) => [id, keysOf(result)])),
        new Map<string | number, Array<string>>([
          [1, legacyCall],
          ["1", modernCall],
          ["2", legacyCall],
          [2, modernCall]
        ])
      )
    })
  )

  // verifies: ST-08, TRAP-41, LC-27
  it.scopedLive("share one table of ids, and `cancelled` finds a request of either", () =>
    Effect.gen(function* () {
      const first = yield* gated("first")
      const second = yield* gated("second")
      const peer = yield* connectLegacy(yield* build([first.tool, second.tool, toolOf("echo")]), "2025-11-25")
      yield* peer.write(
        modern(1, "tools/call", { name: "first" }),
        request("1", "tools/call", { name: "second" })
      )
      yield* Deferred.await(first.started)
      yield* Deferred.await(second.started)
      yield* peer.write(request(1, "tools/call", { name: "echo" }))
      assert.strictEqual((yield* peer.next).error.code, -32600)
      yield* peer.write(cancel(1))
      yield* Deferred.await(first.interrupted)
      yield* peer.write(request(1, "tools/call", { name: "echo" }))
      assert.deepStrictEqual(keysOf((yield* peer.answerTo(1)).result), legacyCall)
      yield* peer.write(cancel("1"))
      yield* Deferred.await(second.interrupted)
      assert.deepStrictEqual(
        peer.lines.map(({ id }) => id),
        ["init", 1, 1]
      )
    })
  )

  // verifies: CA-01, CA-03, CA-04, CA-05
  it.scopedLive.each(legacyVersions)("a cancel on %s that names no request is ignored", (version) =>
    Effect.gen(function* () {
      const { gate, started, tool } = yield* gated("wait")
      const peer = yield* connectLegacy(yield* build([tool]), version)
      yield* peer.write(request(7, "tools/call", { name: "wait" }))
      yield* Deferred.await(started)
      yield* peer.write(cancel("7"), cancel(undefined), cancel(null), cancel(8), request(8, "ping"))
      yield* peer.answerTo(8)
      yield* Deferred.succeed(gate, undefined)
      assert.property(yield* peer.answerTo(7), "result")
    })
  )
})

describe("input that no request can be read from", () => {
  const bad = [
    "not json",
    "7",
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1.5}',
    Buffer.from([0xff])
  ]

  // verifies: ST-07, LC-29
  it.scopedLive.each(["2024-11-05", "2025-03-26", "2025-06-18"])(
    "is dropped and logged on %s, which knows no error without an id",
    (version) =>
      Effect.gen(function* () {
        const logs = yield* captureLogs
        const server = yield* build()
        const peer = yield* Effect.provide(
          connectLegacy(server, version, { maxMessageBytes: 400 }),
          logs.layer
        )
        yield* peer.write(...bad, "x".repeat(500), '{"jsonrpc":"2.0","id":5}', request(1, "ping"))
        assert.deepInclude(yield* peer.next, { id: 5 })
        assert.deepInclude(yield* peer.next, { id: 1 })
        assert.strictEqual(logs.lines.length, bad.length + 1)
        for (const line of logs.lines) assert.match(line, /^WARN Input was dropped/)
      })
  )

  // verifies: LC-30
  it.scopedLive("is answered without an id on 2025-11-25 and before a handshake", () =>
    Effect.gen(function* () {
      const server = yield* build()
      for (const peer of [yield* connect(server), yield* connectLegacy(server, "2025-11-25")]) {
        yield* peer.write(...bad)
        for (const code of [-32700, -32600, -32600, -32600, -32700]) {
          const { error, ...rest } = yield* peer.next
          assert.deepStrictEqual(rest, { jsonrpc: "2.0" })
          assert.strictEqual(error.code, code)
        }
      }
    })
  )
})
