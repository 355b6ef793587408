import { assert, describe, it } from "@effect/vitest"
import * as Progress from "@pushbutton/server/Progress"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import {
  cancel,
  connect,
  connectLegacy,
  initialize,
  initialized,
  type Json,
  modern,
  notification,
  request
} from "./support/peer.js"
import { build, captureLogs, gated, toolOf } from "./support/server.js"

const call = (id: string | number, name: string, _meta?: object) =>
  request(id, "tools/call", { name, ...(_meta && { _meta }) })

const idsOf = (batch: Json): ReadonlyArray<unknown> => batch.map(({ id }: Json) => id)

const response = (id: number) => ({ jsonrpc: "2.0", id, result: {} })

describe("a batch on a session of 2025-03-26", () => {
  // verifies: BA-01, BA-04, ST-04, TRAP-17
  it.scopedLive("is answered by one array, when all of it is done", () =>
    Effect.gen(function* () {
      const { gate, started, tool } = yield* gated("slow")
      const peer = yield* connectLegacy(yield* build([tool, toolOf("echo")]), "2025-03-26")
      yield* peer.write([
        call(1, "slow"),
        call("1", "echo"),
        request(2, "ping"),
        notification("notifications/x")
      ])
      yield* Deferred.await(started)
      yield* peer.write(call(3, "echo"))
      assert.strictEqual((yield* peer.next).id, 3)
      yield* Deferred.succeed(gate, undefined)
      const batch = yield* peer.next
      assert.sameMembers([...idsOf(batch)], [1, "1", 2])
      for (const one of batch) assert.property(one, "result")
    })
  )

  it.scopedLive("has an error for each request that is refused", () =>
    Effect.gen(function* () {
      const peer = yield* connectLegacy(yield* build(), "2025-03-26")
      yield* peer.write([
        call(1, "nothing"),
        request(2, "no/such"),
        { jsonrpc: "1.0", id: 3 },
        call(4, "echo")
      ])
      const batch = yield* peer.next
      const codes = new Map(batch.map(({ error, id }: Json) => [id, error?.code]))
      assert.deepStrictEqual(Object.fromEntries(codes), { 1: -32602, 2: -32601, 3: -32600, 4: undefined })
    })
  )

  // verifies: BA-02, BA-03
  it.scopedLive("without a request is answered by nothing", () =>
    Effect.gen(function* () {
      const peer = yield* connectLegacy(yield* build(), "2025-03-26")
      yield* peer.write(
        [notification("notifications/x"), cancel(9)],
        [response(1), response(2)],
        request(1, "ping")
      )
      assert.strictEqual((yield* peer.next).id, 1)
    })
  )

  it.scopedLive("leaves out what is cancelled, and is nothing when that is all", () =>
    Effect.gen(function* () {
      const one = yield* gated("one")
      const other = yield* gated("other")
      const peer = yield* connectLegacy(yield* build([one.tool, other.tool, toolOf("echo")]), "2025-03-26")
      yield* peer.write([call(1, "one"), call(2, "echo")], [call(3, "other")])
      yield* Deferred.await(one.started)
      yield* Deferred.await(other.started)
      yield* peer.write([cancel(3), cancel(1)])
      assert.deepStrictEqual(idsOf(yield* peer.next), [2])
      yield* Deferred.await(other.interrupted)
      yield* peer.write(request(4, "ping"))
      assert.strictEqual((yield* peer.next).id, 4)
    })
  )

  it.scopedLive("has the progress of its requests go out as they run", () =>
    Effect.gen(function* () {
      const { gate, tool } = yield* gated("slow")
      const work = toolOf("work", Progress.report({ progress: 1 }))
      const peer = yield* connectLegacy(yield* build([tool, work]), "2025-03-26")
      yield* peer.write([call(1, "slow"), call(2, "work", { progressToken: "t" })])
      assert.deepInclude((yield* peer.next).params, { progressToken: "t", progress: 1 })
      yield* Deferred.succeed(gate, undefined)
      assert.sameMembers([...idsOf(yield* peer.next)], [1, 2])
    })
  )

  it.scopedLive("names each request once", () =>
    Effect.gen(function* () {
      const { gate, started, tool } = yield* gated("slow")
      const peer = yield* connectLegacy(yield* build([tool, toolOf("echo")]), "2025-03-26")
      yield* peer.write([call(1, "slow"), call(1, "echo")])
      yield* Deferred.await(started)
      yield* Deferred.succeed(gate, undefined)
      const batch = yield* peer.next
      assert.deepStrictEqual(
        batch.map(({ error }: Json) => error?.code),
        [-32600, undefined]
      )
    })
  )

  // verifies: LC-29
  it.scopedLive("has no error for what has no id, which is logged", () =>
    Effect.gen(function* () {
      const logs = yield* captureLogs
      const server = yield* build()
      const peer = yield* Effect.provide(connectLegacy(server, "2025-03-26"), logs.layer)
      yield* peer.write([7, request(1, "ping"), { jsonrpc: "2.0" }], [7], request(2, "ping"))
      assert.deepStrictEqual(yield* peer.next, [response(1)])
      assert.strictEqual((yield* peer.next).id, 2)
      assert.strictEqual(logs.lines.length, 3)
    })
  )

  it.scopedLive("is finished when the input ends", () =>
    Effect.gen(function* () {
      const { gate, started, tool } = yield* gated("slow")
      const peer = yield* connectLegacy(yield* build([tool, toolOf("echo")]), "2025-03-26", {
        drainGrace: "1 hour"
      })
      yield* peer.write([call(1, "echo"), call(2, "slow")])
      yield* Deferred.await(started)
      yield* peer.hangUp
      const ended = yield* Effect.fork(peer.ended)
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(idsOf(yield* peer.next), [1, 2])
      yield* Fiber.join(ended)
    })
  )
})

describe("a batch that is for nobody", () => {
  const refusal = (answer: Json) => {
    assert.strictEqual(answer.error.code, -32600)
    assert.notProperty(answer, "id")
  }

  // verifies: ST-05, BA-06
  it.scopedLive("is refused as one where an error needs no id", () =>
    Effect.gen(function* () {
      const peer = yield* connectLegacy(yield* build(), "2025-11-25")
      yield* peer.write([request(1, "ping"), request(2, "ping")], request(3, "ping"))
      refusal(yield* peer.next)
      assert.strictEqual((yield* peer.next).id, 3)
    })
  )

  // verifies: ST-05, BA-06
  it.scopedLive.each(["2024-11-05", "2025-06-18"])("is dropped and logged as one on %s", (version) =>
    Effect.gen(function* () {
      const logs = yield* captureLogs
      const peer = yield* Effect.provide(connectLegacy(yield* build(), version), logs.layer)
      yield* peer.write([request(1, "ping"), request(2, "ping")], request(3, "ping"))
      assert.strictEqual((yield* peer.next).id, 3)
      assert.lengthOf(logs.lines, 1)
      assert.include(logs.lines[0], "batches are a feature of 2025-03-26 alone")
    })
  )

  // verifies: LC-13
  it.scopedLive("is refused before a handshake, and opens no session", () =>
    Effect.gen(function* () {
      const peer = yield* connect(yield* build())
      yield* peer.write(
        [request(1, "ping")],
        [initialize("2025-03-26"), initialized],
        [initialize("2025-03-26")]
      )
      for (const _ of [1, 2, 3]) refusal(yield* peer.next)
      yield* peer.write(initialize("2025-03-26"))
      assert.property(yield* peer.next, "result")
      yield* peer.write([initialize("2025-03-26")], request(2, "ping"))
      assert.deepInclude(yield* peer.next, { id: 2, result: {} })
    })
  )

  // verifies: BA-05
  it.scopedLive("is dropped when it holds nothing, or too much to be a batch", () =>
    Effect.gen(function* () {
      const peer = yield* connectLegacy(yield* build(), "2025-03-26")
      const many = Array.from({ length: 1_001 }, (_, id) => request(id, "ping"))
      yield* peer.write([], many, many.slice(1))
      assert.strictEqual((yield* peer.next).length, 1_000)
    })
  )

  // verifies: BA-08
  it.scopedLive("is dropped when part of it is modern", () =>
    Effect.gen(function* () {
      const peer = yield* connectLegacy(yield* build(), "2025-03-26")
      yield* peer.write([request(1, "ping"), modern(2, "tools/list")], modern(3, "tools/list"))
      assert.property((yield* peer.next).result, "resultType")
    })
  )
})
