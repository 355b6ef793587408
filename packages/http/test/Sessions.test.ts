import { assert, describe, it } from "@effect/vitest"
import * as IdSource from "@pushbutton/server/IdSource"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as Sessions from "../src/Sessions.js"
import * as TestSessions from "./support/sessions.js"

const open = (name: string, ended?: Array<string>) =>
  Effect.flatMap(Sessions.Sessions, (sessions) =>
    Effect.map(
      sessions.open(TestSessions.make({ clientInfo: { name, version: "1" } }, ended)),
      ({ id }) => id
    )
  )

/** The name of the client whose session it is. */
const find = (id: string, principal?: string) =>
  Effect.flatMap(Sessions.Sessions, (sessions) =>
    Effect.map(sessions.find(id, principal), (found) =>
      Option.getOrUndefined(Option.map(found, ({ legacy }) => legacy.clientInfo.name))
    )
  )

const layer = (cap = 10) =>
  Sessions.layerMemory({ cap, idle: "1 minute" }).pipe(Layer.provide(IdSource.layerTest))

describe("Sessions", () => {
  it.effect("finds an open session by the id it was given", () =>
    Effect.gen(function* () {
      const a = yield* open("a")
      const b = yield* open("b")
      assert.deepStrictEqual([a, b], ["id-1", "id-2"])
      assert.strictEqual(yield* find(a), "a")
      assert.strictEqual(yield* find(b), "b")
      assert.isUndefined(yield* find("id-3"))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("forgets a closed session", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const id = yield* open("a")
      assert.isTrue(yield* sessions.close(id, undefined))
      assert.isUndefined(yield* find(id))
      assert.isFalse(yield* sessions.close(id, undefined))
    }).pipe(Effect.provide(layer()))
  )

  // verifies: P-47
  it.effect("expires a session that was idle for the whole time allowed", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const early = yield* open("a")
      const late = yield* open("b")
      yield* TestClock.adjust("59999 millis")
      assert.strictEqual(yield* find(early), "a")
      yield* TestClock.adjust("1 millis")
      assert.isUndefined(yield* find(late))
      assert.isFalse(yield* sessions.close(late, undefined))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("counts the time from the last use", () =>
    Effect.gen(function* () {
      const id = yield* open("a")
      yield* TestClock.adjust("40 seconds")
      assert.strictEqual(yield* find(id), "a")
      yield* TestClock.adjust("40 seconds")
      assert.strictEqual(yield* find(id), "a")
      yield* TestClock.adjust("60 seconds")
      assert.isUndefined(yield* find(id))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("keeps a session while a request of it runs, and counts from the end of the last one", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const id = yield* open("a")
      yield* sessions.hold(id)
      yield* sessions.hold(id)
      yield* TestClock.adjust("10 minutes")
      yield* sessions.release(id)
      yield* TestClock.adjust("10 minutes")
      yield* sessions.release(id)
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* find(id), "a")
      yield* TestClock.adjust("1 minute")
      assert.isUndefined(yield* find(id))
    }).pipe(Effect.provide(layer()))
  )

  // verifies: P-47
  it.effect("ends the least recently used session when there is no room for one more", () =>
    Effect.gen(function* () {
      const a = yield* open("a")
      const b = yield* open("b")
      yield* find(a)
      const c = yield* open("c")
      assert.strictEqual(yield* find(a), "a")
      assert.isUndefined(yield* find(b))
      assert.strictEqual(yield* find(c), "c")
    }).pipe(Effect.provide(layer(2)))
  )

  it.effect("ends sessions without running requests first", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const a = yield* open("a")
      const b = yield* open("b")
      yield* sessions.hold(a)
      yield* find(b)
      const c = yield* open("c")
      assert.strictEqual(yield* find(a), "a")
      assert.isUndefined(yield* find(b))
      yield* sessions.hold(c)
      yield* open("d")
      assert.isUndefined(yield* find(a))
      yield* sessions.release(a)
      assert.strictEqual(yield* find(c), "c")
    }).pipe(Effect.provide(layer(2)))
  )

  it.effect("makes room with expired sessions, not with live ones", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const held = yield* open("a")
      yield* sessions.hold(held)
      yield* open("b")
      yield* TestClock.adjust("30 seconds")
      const live = yield* open("c")
      yield* TestClock.adjust("30 seconds")
      yield* open("d")
      assert.strictEqual(yield* find(held), "a")
      assert.strictEqual(yield* find(live), "c")
    }).pipe(Effect.provide(layer(3)))
  )

  // verifies: SH-46, TRAP-20
  it.effect("finds and ends a session for whoever opened it, and nobody else", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const { id } = yield* sessions.open(TestSessions.make({ principal: "ann" }))
      for (const other of ["bob", "", undefined]) {
        assert.isTrue(Option.isNone(yield* sessions.find(id, other)))
        assert.isFalse(yield* sessions.close(id, other))
      }
      assert.isTrue(Option.isSome(yield* sessions.find(id, "ann")))
      assert.isTrue(yield* sessions.close(id, "ann"))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("ends a session by whatever takes it away", () =>
    Effect.gen(function* () {
      const ended: Array<string> = []
      const scope = yield* Scope.make()
      const context = yield* Scope.extend(Layer.build(layer(2)), scope)
      yield* Effect.gen(function* () {
        const sessions = yield* Sessions.Sessions
        yield* open("expires", ended)
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual(ended, ["id-1"], "expired, without anybody looking")
        yield* open("is evicted", ended)
        const deleted = yield* open("is deleted", ended)
        yield* open("lives", ended)
        assert.deepStrictEqual(ended, ["id-1", "id-2"])
        yield* sessions.close(deleted, undefined)
        assert.deepStrictEqual(ended, ["id-1", "id-2", "id-3"])
      }).pipe(Effect.provide(context))
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(ended, ["id-1", "id-2", "id-3", "id-4"])
    })
  )
})
