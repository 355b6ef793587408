import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { send, stream } from "./support/client.js"
import * as Events from "./support/events.js"
import * as LegacyClient from "./support/legacyClient.js"
import { connectionLost } from "./support/server.js"
import { serve, toolOf } from "./support/subscriptions.js"

const changed = "notifications/tools/list_changed"

describe("a GET stream of a session", () => {
  // verifies: SH-20, SH-21, SH-63
  it.scopedLive("carries what belongs to no request", () =>
    Effect.gen(function* () {
      const { registry, url } = yield* serve([toolOf("first")])
      const client = yield* LegacyClient.open(url)
      const opened = yield* stream(client.get())
      assert.strictEqual(opened.status, 200)
      assert.strictEqual(opened.headers["content-type"], "text/event-stream")
      assert.strictEqual(opened.headers["x-accel-buffering"], "no")
      yield* registry.add([toolOf("a")])
      const priming = yield* Events.next(opened)
      assert.isUndefined(priming.message)
      assert.isDefined(priming.id)
      assert.strictEqual((yield* Events.next(opened)).message.method, changed)
    })
  )

  // verifies: SH-30, TRAP-10, SH-25
  it.scopedLive("begins with its first message before 2025-11-25, and its head goes out at once", () =>
    Effect.gen(function* () {
      const { registry, url } = yield* serve([toolOf("first")])
      for (const version of ["2025-03-26", "2025-06-18"]) {
        const client = yield* LegacyClient.open(url, version)
        const opened = yield* stream(client.get())
        yield* registry.add([toolOf(version)])
        const first = yield* Events.next(opened)
        assert.strictEqual(first.message.method, changed)
        assert.isDefined(first.id)
      }
    })
  )

  // verifies: SH-23, SH-24, TRAP-21
  it.scopedLive("is one of several, of which the newest carries", () =>
    Effect.gen(function* () {
      const { registry, url } = yield* serve([toolOf("first")])
      const client = yield* LegacyClient.open(url, "2025-06-18")
      const older = yield* stream(client.get())
      const scope = yield* Scope.make()
      const newer = yield* Scope.extend(
        stream({ ...client.get(), headers: { ...client.get().headers, "x-marker": "newer" } }),
        scope
      )
      yield* registry.add([toolOf("a")])
      assert.strictEqual((yield* Events.next(newer)).message.method, changed)
      const lost = yield* connectionLost("again")
      yield* Scope.close(scope, Exit.void)
      const again = { ...client.get(), headers: { ...client.get().headers, "x-marker": "again" } }
      yield* Effect.scoped(stream(again))
      yield* lost
      yield* registry.add([toolOf("b")])
      assert.strictEqual((yield* Events.next(older)).message.method, changed)
      yield* send(client.remove)
      assert.strictEqual(yield* older.rest, "", "it was told once")
    })
  )

  // verifies: SH-21
  it.scopedLive("is told what has waited for it", () =>
    Effect.gen(function* () {
      const { registry, url } = yield* serve([toolOf("first")])
      const client = yield* LegacyClient.open(url, "2025-06-18")
      yield* registry.add([toolOf("a")])
      yield* registry.add([toolOf("b")])
      const opened = yield* stream(client.get())
      assert.strictEqual((yield* Events.next(opened)).message.method, changed)
    })
  )

  it.scopedLive("is kept alive by comments no more often than asked for, however seldom that is", () =>
    Effect.gen(function* () {
      const { registry, url } = yield* serve([toolOf("first")], { keepAlive: "30 days" })
      const client = yield* LegacyClient.open(url, "2025-06-18")
      const opened = yield* stream(client.get())
      for (let id = 0; id < 20; id++) yield* send(client.post({ id, method: "ping" }))
      yield* registry.add([toolOf("a")])
      assert.strictEqual(yield* opened.next, ": keep-alive", "the one that begins the stream")
      assert.include(yield* opened.next, changed)
    })
  )

  it.scopedLive("is kept alive by comments", () =>
    Effect.gen(function* () {
      const { url } = yield* serve([toolOf("first")], { keepAlive: "5 millis" })
      const client = yield* LegacyClient.open(url, "2025-06-18")
      const opened = yield* stream(client.get())
      assert.strictEqual(yield* opened.next, ": keep-alive")
      assert.strictEqual(yield* opened.next, ": keep-alive")
    })
  )

  // verifies: SH-43, SH-45
  it.scopedLive("ends with its session", () =>
    Effect.gen(function* () {
      const { url } = yield* serve([toolOf("first")])
      const client = yield* LegacyClient.open(url, "2025-06-18")
      const opened = yield* stream(client.get())
      assert.strictEqual((yield* send(client.remove)).status, 204)
      assert.strictEqual(yield* opened.rest, "")
      for (const sent of [client.get(), client.get("s0-0"), client.remove]) {
        assert.strictEqual((yield* send(sent)).status, 404)
      }
    })
  )
})
