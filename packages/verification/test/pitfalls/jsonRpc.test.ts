/** Messages that other servers have answered wrongly, twice or not at all. */
import { assert, describe, it } from "@effect/vitest"
import * as ButtonCatalogue from "@pushbutton/buttons/ButtonCatalogue"
import * as ButtonTools from "@pushbutton/buttons/ButtonTools"
import * as Press from "@pushbutton/buttons/Press"
import * as PressHistory from "@pushbutton/buttons/PressHistory"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { httpOf, onStdio, stdioOf } from "../everything/support/served.js"
import { initialize, initialized, modern, modernMeta, request } from "../support/messages.js"
import * as RawHttp from "../support/rawHttp.js"
import * as Odd from "./support/odd.js"

const call = (id: unknown, name: string, args?: unknown, meta: object = {}) =>
  modern(id, "tools/call", { name, ...(args === undefined ? {} : { arguments: args }) }, meta)

const steps = Effect.gen(function* () {
  const { layer } = yield* Odd.make
  const pipe = yield* stdioOf(layer)
  /** What comes until the response, which is the last. */
  const until = (id: unknown): Effect.Effect<ReadonlyArray<RawHttp.Json>> =>
    Effect.flatMap(pipe.next, (message) =>
      message.id === id && message.method === undefined
        ? Effect.succeed([message])
        : Effect.map(until(id), (rest) => [message, ...rest])
    )
  return (id: unknown, meta: object) => Effect.zipRight(pipe.send(call(id, "steps", {}, meta)), until(id))
})

describe("ids and tokens", () => {
  const ids = [0, -1, "", "0", 1, "1"]

  // verifies: P-17, P-18
  it.scopedLive("that are falsy or alike are told apart, all in flight at once", () =>
    Effect.gen(function* () {
      const pipe = yield* onStdio
      for (const id of ids) {
        yield* pipe.send(call(id, "test_tool_with_progress", {}, { progressToken: id }))
      }
      const told = new Map<unknown, Array<number>>(ids.map((id) => [id, []]))
      const answered: Array<unknown> = []
      while (answered.length < ids.length) {
        const { id, params, result } = yield* pipe.next
        if (result !== undefined) answered.push(id)
        else told.get(params.progressToken)?.push(params.progress)
      }
      assert.sameMembers(answered, ids)
      for (const id of ids) assert.deepStrictEqual(told.get(id), [0, 50, 100], JSON.stringify(id))
    })
  )

  // verifies: P-19, P-20
  it.scopedLive("of progress are the client's own: rising, without a total, before the response", () =>
    Effect.gen(function* () {
      const run = yield* steps
      assert.strictEqual((yield* run(1, {})).length, 1)
      const messages = yield* run(2, { progressToken: "abc" })
      assert.deepStrictEqual(
        messages.slice(0, -1).map(({ method, params }) => [method, params]),
        [1, 2].map((progress) => ["notifications/progress", { progressToken: "abc", progress }])
      )
      // The next response comes first: nothing was told after the last one.
      assert.strictEqual((yield* run(3, {})).length, 1)
    })
  )

  // verifies: P-27
  it.scopedLive("of a megabyte are refused, and not repeated", () =>
    Effect.gen(function* () {
      const { url } = yield* httpOf((yield* Odd.make).layer)
      for (const id of ["x".repeat(1_000_000), { deep: ["x".repeat(1_000_000)] }]) {
        const { body, status } = yield* RawHttp.post(url, { body: modern(id, "tools/list") })
        assert.deepStrictEqual([status, body.error.code, "id" in body], [400, -32600, false])
        assert.isBelow(JSON.stringify(body).length, 500)
      }
    })
  )

  // verifies: P-30
  it.scopedLive("beyond what a number holds are refused as arguments too, not rounded", () =>
    Effect.gen(function* () {
      const pipe = yield* stdioOf((yield* Odd.make).layer)
      const text = JSON.stringify(call(1, "integer", { count: 7 }))
      yield* pipe.send(text.replace('"count":7', '"count":9007199254740993'))
      const { result } = yield* pipe.next
      assert.isTrue(result.isError)
      assert.include(result.content[0].text, "count")
      yield* pipe.send(text.replace('"count":7', '"count":9007199254740991'))
      assert.strictEqual((yield* pipe.next).result.content[0].text, "9007199254740991")
    })
  )
})

describe("messages of another shape", () => {
  // verifies: P-25
  it.scopedLive("are batches of any kind, which get one error and run nothing", () =>
    Effect.gen(function* () {
      const { called, layer } = yield* Odd.make
      const { url } = yield* httpOf(layer)
      const pipe = yield* stdioOf(layer)
      const one = call(1, "none")
      const notice = { jsonrpc: "2.0", method: "notifications/initialized" }
      for (const batch of [
        [],
        [one],
        [notice],
        [one, notice],
        [request(1, "tools/call", { name: "none" })]
      ]) {
        const headers = {
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": "none"
        }
        const answer = yield* RawHttp.post(url, { body: batch, headers })
        assert.strictEqual(answer.status, 400)
        yield* pipe.send(batch)
        for (const body of [answer.body, yield* pipe.next]) {
          assert.deepStrictEqual([body.error.code, "id" in body], [-32600, false])
        }
      }
      yield* pipe.send(initialize(2))
      assert.strictEqual((yield* pipe.next).id, 2)
      yield* pipe.send([request(3, "tools/call", { name: "none" })])
      assert.strictEqual((yield* pipe.next).error.code, -32600)
      assert.deepStrictEqual(called, [])
    })
  )

  // verifies: P-24
  it.scopedLive("are params that are no object, which keep their id in either era", () =>
    Effect.gen(function* () {
      const { layer } = yield* Odd.make
      const { url } = yield* httpOf(layer)
      const opened = yield* RawHttp.post(url, { body: initialize(0) })
      const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" }
      for (const params of [[1], "x", 42, null]) {
        const body = request("call", "tools/call", params)
        const unclaimed = yield* RawHttp.post(url, { body })
        const legacy = yield* RawHttp.post(url, { body, headers: session })
        assert.deepStrictEqual([unclaimed.status, legacy.status], [400, 200])
        for (const answer of [unclaimed, legacy]) {
          assert.deepInclude(answer.body, { id: "call" })
          assert.strictEqual(answer.body.error.code, -32602)
        }
      }
    })
  )

  // verifies: P-23
  it.scopedLive("are unknown methods, which are answered before, in and out of a session", () =>
    Effect.gen(function* () {
      const pipe = yield* stdioOf((yield* Odd.make).layer)
      const code = (message: object) =>
        Effect.flatMap(Effect.zipRight(pipe.send(message), pipe.next), ({ error, id }) =>
          Effect.sync(() => {
            assert.strictEqual(id, 4)
            return error.code
          })
        )
      assert.strictEqual(yield* code(modern(4, "nope")), -32601)
      // Neither metadata nor a session: what is missing is told first.
      assert.strictEqual(yield* code(request(4, "nope")), -32602)
      yield* pipe.send(initialize(1))
      yield* pipe.next
      yield* pipe.send(initialized)
      assert.strictEqual(yield* code(request(4, "nope")), -32601)
      assert.strictEqual(yield* code(modern(4, "nope")), -32601)
    })
  )
})

describe("the first messages", () => {
  // verifies: P-16
  it.scopedLive("are answered before any button has been read", () =>
    Effect.gen(function* () {
      const folder = ButtonCatalogue.ButtonCatalogue.of({
        list: Effect.never,
        get: () => Effect.never,
        note: () => Effect.never,
        follow: () => Effect.never
      })
      const buttons = Layer.mergeAll(
        Layer.succeed(ButtonCatalogue.ButtonCatalogue, folder),
        Layer.mock(Press.Press, {}),
        Layer.mock(PressHistory.PressHistory, {})
      )
      const server = Layer.provideMerge(ButtonTools.layer(), McpServer.layer({ name: "b", version: "1" }))
      const pipe = yield* stdioOf(Layer.orDie(Layer.provide(server, buttons)))
      yield* pipe.send(modern("waits", "tools/call", { name: "buttons_list" }))
      for (const message of [modern(1, "server/discover"), initialize(2), modern(3, "tools/list")]) {
        yield* pipe.send(message)
        assert.property(yield* pipe.next, "result")
      }
    })
  )

  // verifies: P-59
  it.scopedLive("may be server/discover, whatever it claims, as often as one likes", () =>
    Effect.gen(function* () {
      const pipe = yield* stdioOf((yield* Odd.make).layer)
      const version = "io.modelcontextprotocol/protocolVersion"
      const served = ["2026-07-28"]
      for (const id of [1, 2]) {
        yield* pipe.send(modern(id, "server/discover"))
        assert.deepStrictEqual((yield* pipe.next).result.supportedVersions, served)
      }
      yield* pipe.send(modern(3, "server/discover", {}, { [version]: "2031-01-01" }))
      const { error } = yield* pipe.next
      assert.deepStrictEqual(
        [error.code, error.data],
        [-32022, { supported: served, requested: "2031-01-01" }]
      )
      yield* pipe.send(request(4, "server/discover"))
      assert.strictEqual((yield* pipe.next).error.code, -32602)
    })
  )

  // verifies: P-58, LC-31, ST-09, TRAP-14, TRAP-41, DC-02
  it.scopedLive("decide no era: a late initialize leaves a slow modern call its own, and the reverse", () =>
    Effect.gen(function* () {
      const { gate, layer } = yield* Odd.make
      const pipe = yield* stdioOf(layer)
      yield* pipe.send(call("modern", "slow"))
      yield* pipe.send(request(1, "initialize", { ...(initialize(1).params as object), _meta: modernMeta }))
      assert.deepInclude((yield* pipe.next).error, { code: -32601 })
      yield* pipe.send(initialize(2))
      assert.strictEqual((yield* pipe.next).result.protocolVersion, "2025-11-25")
      yield* pipe.send(request("legacy", "tools/call", { name: "slow" }))
      yield* pipe.send(modern(3, "subscriptions/listen", { notifications: {} }))
      assert.strictEqual((yield* pipe.next).method, "notifications/subscriptions/acknowledged")
      assert.strictEqual((yield* pipe.next).id, 3)
      yield* Deferred.succeed(gate, undefined)
      const both = [yield* pipe.next, yield* pipe.next]
      const types = new Map(both.map(({ id, result }) => [id, result.resultType]))
      assert.deepStrictEqual(Object.fromEntries(types), { modern: "complete", legacy: undefined })
    })
  )
})
