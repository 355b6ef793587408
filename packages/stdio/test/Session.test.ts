import { assert, describe, it } from "@effect/vitest"
import { levels } from "@pushbutton/protocol/Logging"
import * as Log from "@pushbutton/server/Log"
import * as Progress from "@pushbutton/server/Progress"
import * as Subscriptions from "@pushbutton/server/Subscriptions"
import * as Tool from "@pushbutton/server/Tool"
import { ToolRegistry } from "@pushbutton/server/ToolRegistry"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import {
  connect,
  connectLegacy,
  initialize,
  initialized,
  type Json,
  legacyVersions,
  type Peer,
  request
} from "./support/peer.js"
import { build, toolOf } from "./support/server.js"

const told = (peer: Peer) =>
  peer.lines.filter(({ method }) => method !== undefined).map(({ method, params }) => ({ method, params }))

/** What the peer is told until it has an answer to a ping. */
const fence = (peer: Peer, id: string) => Effect.zipRight(peer.write(request(id, "ping")), peer.answerTo(id))

const listChanged = { jsonrpc: "2.0", method: "notifications/tools/list_changed" }
const updated = (uri: string) => ({
  jsonrpc: "2.0",
  method: "notifications/resources/updated",
  params: { uri }
})

const update = (server: Context.Context<Subscriptions.Subscriptions>, uri: string) =>
  Context.get(server, Subscriptions.Subscriptions).resourceUpdated(uri)

const addTool = (server: Context.Context<ToolRegistry>, name: string) =>
  Context.get(server, ToolRegistry).add([toolOf(name)])

describe.each(legacyVersions)("a session of %s on stdio", (version) => {
  // verifies: TO-02, HS-10
  it.scopedLive("is told that a list differs, without asking", () =>
    Effect.gen(function* () {
      const server = yield* build()
      const peer = yield* connectLegacy(server, version)
      yield* addTool(server, "more")
      assert.deepStrictEqual(yield* peer.next, listChanged)
    })
  )

  it.scopedLive("is not told of a list that is what it was", () =>
    Effect.gen(function* () {
      const server = yield* build()
      const peer = yield* connectLegacy(server, version)
      yield* peer.write(request("s", "resources/subscribe", { uri: "note:///a" }))
      yield* peer.answerTo("s")
      const brief = yield* Scope.make()
      yield* Scope.extend(addTool(server, "brief"), brief)
      yield* Scope.close(brief, Exit.void)
      yield* update(server, "note:///a")
      assert.deepStrictEqual(yield* peer.next, updated("note:///a"))
    })
  )

  // verifies: LC-08
  it.scopedLive("is told nothing before it says that it is ready, and everything then", () =>
    Effect.gen(function* () {
      const server = yield* build()
      const [early, ready] = [yield* connect(server), yield* connectLegacy(server, version)]
      yield* early.write(initialize(version), request(1, "resources/subscribe", { uri: "note:///a" }))
      yield* early.answerTo(1)
      yield* addTool(server, "more")
      yield* update(server, "note:///a")
      assert.deepStrictEqual(yield* ready.next, listChanged)
      yield* fence(early, "f")
      assert.deepStrictEqual(told(early), [])
      yield* early.write(initialized)
      const both = [yield* early.next, yield* early.next].map(({ method }) => method)
      assert.sameMembers(both, [listChanged.method, updated("").method])
    })
  )

  // verifies: RE-02, RE-03
  it.scopedLive("is told of what it has subscribed to and what lies below, until it unsubscribes", () =>
    Effect.gen(function* () {
      const server = yield* build()
      const peer = yield* connectLegacy(server, version)
      const subscribe = (id: number, method: string) =>
        Effect.zipRight(
          peer.write(request(id, `resources/${method}`, { uri: "note:///a" })),
          Effect.map(peer.answerTo(id), (answer) =>
            assert.deepStrictEqual(answer, { jsonrpc: "2.0", id, result: {} })
          )
        )
      yield* subscribe(1, "subscribe")
      for (const uri of ["note:///b", "note:///ab", "note:///a/b"]) yield* update(server, uri)
      assert.deepStrictEqual(yield* peer.next, updated("note:///a/b"))
      yield* update(server, "note:///a")
      assert.deepStrictEqual(yield* peer.next, updated("note:///a"))
      yield* subscribe(2, "unsubscribe")
      yield* update(server, "note:///a")
      yield* addTool(server, "more")
      assert.deepStrictEqual(yield* peer.next, listChanged)
    })
  )

  // verifies: LO-01, LO-02, LO-03, DC-14
  it.scopedLive("is sent logs from the level it has set, and from info before", () =>
    Effect.gen(function* () {
      const chatty = toolOf(
        "chatty",
        Effect.forEach(levels, (level) => Log.send(level, level))
      )
      const server = yield* build([chatty], { logging: true })
      const peer = yield* connectLegacy(server, version)
      const logged = (id: number) =>
        Effect.gen(function* () {
          const from = peer.lines.length
          yield* peer.write(request(id, "tools/call", { name: "chatty" }))
          yield* peer.answerTo(id)
          return peer.lines.slice(from, -1).map(({ params }) => params.level)
        })
      assert.deepStrictEqual(yield* logged(1), levels.slice(1))
      for (const [index, level] of levels.entries()) {
        yield* peer.write(request("set", "logging/setLevel", { level }))
        assert.deepStrictEqual((yield* peer.answerTo("set")).result, {})
        assert.deepStrictEqual(yield* logged(index + 2), levels.slice(index))
      }
    })
  )

  // verifies: LO-06, LC-08
  it.scopedLive("is sent logs before it says that it is ready", () =>
    Effect.gen(function* () {
      const chatty = toolOf("chatty", Log.send("info", "hello"))
      const peer = yield* connect(yield* build([chatty], { logging: true }))
      yield* peer.write(initialize(version), request(1, "tools/call", { name: "chatty" }))
      yield* peer.answerTo("init")
      assert.deepStrictEqual((yield* peer.next).params, { level: "info", data: "hello" })
    })
  )

  // verifies: TO-03
  it.scopedLive("has a tool's failure as a result, and an error for a tool that there is not", () =>
    Effect.gen(function* () {
      const fails = Tool.make("fails", {
        input: Schema.Struct({}),
        handler: () => Effect.fail(new Error("no"))
      })
      const peer = yield* connectLegacy(yield* build([fails]), version)
      yield* peer.write(
        request(1, "tools/call", { name: "fails" }),
        request(2, "tools/call", { name: "nothing" })
      )
      const failed = { content: [{ type: "text", text: "no" }], isError: true }
      assert.deepStrictEqual((yield* peer.answerTo(1)).result, failed)
      assert.strictEqual((yield* peer.answerTo(2)).error.code, -32602)
    })
  )

  // verifies: LO-04
  it.scopedLive("is refused a level that there is not, and keeps the one it had", () =>
    Effect.gen(function* () {
      const chatty = toolOf("chatty", Log.send("notice", "hello"))
      const peer = yield* connectLegacy(yield* build([chatty], { logging: true }), version)
      yield* peer.write(request("set", "logging/setLevel", { level: "notice" }))
      yield* peer.answerTo("set")
      for (const params of [{ level: "loud" }, { level: 1 }, {}, undefined]) {
        yield* peer.write(request("bad", "logging/setLevel", params))
        assert.strictEqual((yield* peer.answerTo("bad")).error.code, -32602)
      }
      yield* peer.write(request(1, "tools/call", { name: "chatty" }))
      assert.deepInclude(yield* peer.next, { method: "notifications/message" })
    })
  )

  // verifies: PG-01, PG-02
  it.scopedLive("is told of progress under its token, with a message where the revision has one", () =>
    Effect.gen(function* () {
      const work = Effect.forEach([1, 2], (progress) =>
        Progress.report({ progress, total: 2, message: "step" })
      )
      const peer = yield* connectLegacy(yield* build([toolOf("work", work)]), version)
      const message = version === "2024-11-05" ? {} : { message: "step" }
      for (const progressToken of [7, "7"]) {
        yield* peer.write(request("c", "tools/call", { name: "work", _meta: { progressToken } }))
        for (const progress of [1, 2]) {
          assert.deepStrictEqual((yield* peer.next).params, { progressToken, progress, total: 2, ...message })
        }
        yield* peer.answerTo("c")
      }
      yield* peer.write(request("d", "tools/call", { name: "work" }))
      assert.strictEqual((yield* peer.next).id, "d")
    })
  )
})

describe("two sessions on one server", () => {
  it.scopedLive("do not see what is the other's", () =>
    Effect.gen(function* () {
      const chatty = toolOf("chatty", Log.send("debug", "hello"))
      const server = yield* build([chatty], { logging: true })
      const one = yield* connectLegacy(server, "2024-11-05")
      const other = yield* connectLegacy(server, "2025-11-25")
      yield* one.write(
        request(1, "logging/setLevel", { level: "debug" }),
        request(2, "resources/subscribe", { uri: "note:///a" })
      )
      yield* other.write(request(2, "resources/subscribe", { uri: "note:///b" }))
      yield* one.answerTo(2)
      yield* other.answerTo(2)
      yield* update(server, "note:///a")
      yield* update(server, "note:///b")
      assert.deepStrictEqual(yield* one.next, updated("note:///a"))
      assert.deepStrictEqual(yield* other.next, updated("note:///b"))
      for (const peer of [one, other]) {
        yield* peer.write(request(3, "tools/call", { name: "chatty" }))
        yield* peer.answerTo(3)
      }
      assert.strictEqual(told(one).filter(({ method }) => method === "notifications/message").length, 1)
      assert.deepStrictEqual(told(other), [{ method: updated("").method, params: { uri: "note:///b" } }])
    })
  )

  it.scopedLive("and a modern peer are told of a list each in its own way", () =>
    Effect.gen(function* () {
      const server = yield* build()
      const one = yield* connectLegacy(server, "2025-03-26")
      const modern = yield* connect(server)
      yield* addTool(server, "more")
      assert.deepStrictEqual(yield* one.next, listChanged)
      yield* fence(modern, "f")
      assert.deepStrictEqual(told(modern), [])
    })
  )

  it.scopedLive("are not held up by one that has gone", () =>
    Effect.gen(function* () {
      const server = yield* build()
      const gone = yield* connectLegacy(server, "2025-11-25")
      const other = yield* connectLegacy(server, "2025-11-25")
      yield* gone.hangUp
      yield* gone.ended
      yield* addTool(server, "more")
      assert.deepStrictEqual(yield* other.next, listChanged)
      assert.deepStrictEqual(told(gone), [])
    })
  )
})

describe("a level that is set while a request runs", () => {
  // verifies: LO-02
  it.scopedLive("holds for what the request logs from then on", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const work = Effect.all([
        Log.send("debug", "before"),
        Deferred.succeed(started, undefined),
        Deferred.await(gate),
        Log.send("debug", "after")
      ])
      const peer = yield* connectLegacy(yield* build([toolOf("work", work)], { logging: true }), "2025-06-18")
      yield* peer.write(request(1, "tools/call", { name: "work" }))
      yield* Deferred.await(started)
      yield* peer.write(request(2, "logging/setLevel", { level: "debug" }))
      yield* peer.answerTo(2)
      yield* Deferred.succeed(gate, undefined)
      yield* peer.answerTo(1)
      assert.deepStrictEqual(
        told(peer).map(({ params }: Json) => params.data),
        ["after"]
      )
    })
  )
})
