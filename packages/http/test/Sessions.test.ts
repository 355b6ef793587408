import { assert, describe, it } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import * as IdSource from "@pushbutton/server/IdSource"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import * as TestSession from "@pushbutton/server/testing/TestSession"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as Sessions from "../src/Sessions.js"

const sessionOf = (name: string): LegacySession => TestSession.make({ clientInfo: { name, version: "1" } })

const layer = (cap = 10) =>
  Sessions.layerMemory({ cap, idle: "1 minute" }).pipe(Layer.provide(IdSource.layerTest))

describe("Sessions", () => {
  it.effect("finds an open session by the id it was given", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const a = yield* sessions.open(sessionOf("a"))
      const b = yield* sessions.open(sessionOf("b"))
      assert.deepStrictEqual([a, b], ["id-1", "id-2"])
      assertSome(yield* sessions.find(a), sessionOf("a"))
      assertSome(yield* sessions.find(b), sessionOf("b"))
      assertNone(yield* sessions.find("id-3"))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("forgets a closed session", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const id = yield* sessions.open(sessionOf("a"))
      assert.isTrue(yield* sessions.close(id))
      assertNone(yield* sessions.find(id))
      assert.isFalse(yield* sessions.close(id))
    }).pipe(Effect.provide(layer()))
  )

  // verifies: P-47
  it.effect("expires a session that was idle for the whole time allowed", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const early = yield* sessions.open(sessionOf("a"))
      const late = yield* sessions.open(sessionOf("b"))
      yield* TestClock.adjust("59999 millis")
      assertSome(yield* sessions.find(early), sessionOf("a"))
      yield* TestClock.adjust("1 millis")
      assertNone(yield* sessions.find(late))
      assert.isFalse(yield* sessions.close(late))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("counts the time from the last use", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const id = yield* sessions.open(sessionOf("a"))
      yield* TestClock.adjust("40 seconds")
      assertSome(yield* sessions.find(id), sessionOf("a"))
      yield* TestClock.adjust("40 seconds")
      assertSome(yield* sessions.find(id), sessionOf("a"))
      yield* TestClock.adjust("60 seconds")
      assertNone(yield* sessions.find(id))
    }).pipe(Effect.provide(layer()))
  )

  it.effect("keeps a session while a request of it runs, and counts from the end of the last one", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const id = yield* sessions.open(sessionOf("a"))
      yield* sessions.hold(id)
      yield* sessions.hold(id)
      yield* TestClock.adjust("1 hour")
      yield* sessions.release(id)
      yield* TestClock.adjust("1 hour")
      yield* sessions.release(id)
      yield* TestClock.adjust("59 seconds")
      assertSome(yield* sessions.find(id), sessionOf("a"))
      yield* TestClock.adjust("1 minute")
      assertNone(yield* sessions.find(id))
    }).pipe(Effect.provide(layer()))
  )

  // verifies: P-47
  it.effect("ends the least recently used session when there is no room for one more", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const a = yield* sessions.open(sessionOf("a"))
      const b = yield* sessions.open(sessionOf("b"))
      yield* sessions.find(a)
      const c = yield* sessions.open(sessionOf("c"))
      assertSome(yield* sessions.find(a), sessionOf("a"))
      assertNone(yield* sessions.find(b))
      assertSome(yield* sessions.find(c), sessionOf("c"))
    }).pipe(Effect.provide(layer(2)))
  )

  it.effect("ends sessions without running requests first", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const a = yield* sessions.open(sessionOf("a"))
      const b = yield* sessions.open(sessionOf("b"))
      yield* sessions.hold(a)
      yield* sessions.find(b)
      const c = yield* sessions.open(sessionOf("c"))
      assertSome(yield* sessions.find(a), sessionOf("a"))
      assertNone(yield* sessions.find(b))
      yield* sessions.hold(c)
      yield* sessions.open(sessionOf("d"))
      assertNone(yield* sessions.find(a))
      yield* sessions.release(a)
      assertSome(yield* sessions.find(c), sessionOf("c"))
    }).pipe(Effect.provide(layer(2)))
  )

  it.effect("makes room with expired sessions, not with live ones", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const held = yield* sessions.open(sessionOf("a"))
      yield* sessions.hold(held)
      yield* sessions.open(sessionOf("b"))
      yield* TestClock.adjust("30 seconds")
      const live = yield* sessions.open(sessionOf("c"))
      yield* TestClock.adjust("30 seconds")
      yield* sessions.open(sessionOf("d"))
      assertSome(yield* sessions.find(held), sessionOf("a"))
      assertSome(yield* sessions.find(live), sessionOf("c"))
    }).pipe(Effect.provide(layer(3)))
  )
})
