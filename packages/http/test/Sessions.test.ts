import { assert, describe, it } from "@effect/vitest"
import type * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as Sessions from "../src/internal/Sessions.js"

/** A minute of idleness ends a session. `ended` has the ids of those that have ended, `defects` what they threw. */
const make = (cap = 10) => {
  const ended: Array<string> = []
  const defects: Array<unknown> = []
  const open = (sessions: Sessions.Sessions<Sessions.Session>, id: string, principal?: string) =>
    sessions.keep({ id, principal, end: () => void ended.push(id) })
  return Effect.map(
    Sessions.make<Sessions.Session>({ cap, idle: "1 minute", report: (defect) => defects.push(defect) }),
    (sessions) => ({
      sessions,
      ended,
      defects,
      open: (id: string, principal?: string) => open(sessions, id, principal),
      isThere: (id: string, principal?: string) => sessions.find(id, principal)?.id === id
    })
  )
}

describe("Sessions", () => {
  it.scoped("finds an open session by its id", () =>
    Effect.gen(function* () {
      const { isThere, open } = yield* make()
      open("a")
      open("b")
      assert.deepStrictEqual(
        ["a", "b", "c"].map((id) => isThere(id)),
        [true, true, false]
      )
    })
  )

  it.scoped("forgets a closed session", () =>
    Effect.gen(function* () {
      const { isThere, open, sessions } = yield* make()
      open("a")
      assert.isTrue(sessions.close("a", undefined))
      assert.isFalse(isThere("a"))
      assert.isFalse(sessions.close("a", undefined))
    })
  )

  // verifies: P-47
  it.scoped("expires a session that was idle for the whole time allowed", () =>
    Effect.gen(function* () {
      const { isThere, open, sessions } = yield* make()
      open("early")
      open("late")
      yield* TestClock.adjust("59999 millis")
      assert.isTrue(isThere("early"))
      yield* TestClock.adjust("1 millis")
      assert.isFalse(isThere("late"))
      assert.isFalse(sessions.close("late", undefined))
    })
  )

  it.scoped("counts the time from the last use", () =>
    Effect.gen(function* () {
      const { isThere, open } = yield* make()
      open("a")
      yield* TestClock.adjust("40 seconds")
      assert.isTrue(isThere("a"))
      yield* TestClock.adjust("40 seconds")
      assert.isTrue(isThere("a"))
      yield* TestClock.adjust("60 seconds")
      assert.isFalse(isThere("a"))
    })
  )

  it.scoped("keeps a session while a request of it runs, and counts from the end of the last one", () =>
    Effect.gen(function* () {
      const { isThere, open, sessions } = yield* make()
      open("a")
      sessions.hold("a")
      sessions.hold("a")
      yield* TestClock.adjust("10 minutes")
      sessions.release("a")
      yield* TestClock.adjust("10 minutes")
      sessions.release("a")
      yield* TestClock.adjust("59 seconds")
      assert.isTrue(isThere("a"))
      yield* TestClock.adjust("1 minute")
      assert.isFalse(isThere("a"))
    })
  )

  // verifies: P-47
  it.scoped("ends the least recently used session when there is no room for one more", () =>
    Effect.gen(function* () {
      const { isThere, open } = yield* make(2)
      open("a")
      open("b")
      isThere("a")
      open("c")
      assert.deepStrictEqual(
        ["a", "b", "c"].map((id) => isThere(id)),
        [true, false, true]
      )
    })
  )

  it.scoped("ends sessions without running requests first", () =>
    Effect.gen(function* () {
      const { isThere, open, sessions } = yield* make(2)
      open("a")
      open("b")
      sessions.hold("a")
      isThere("b")
      open("c")
      assert.deepStrictEqual(
        ["a", "b"].map((id) => isThere(id)),
        [true, false]
      )
      isThere("c")
      sessions.hold("c")
      open("d")
      assert.isFalse(isThere("a"))
      sessions.release("a")
      assert.isTrue(isThere("c"))
    })
  )

  it.scoped("makes room with expired sessions, not with live ones", () =>
    Effect.gen(function* () {
      const { isThere, open, sessions } = yield* make(3)
      open("held")
      sessions.hold("held")
      open("b")
      yield* TestClock.adjust("30 seconds")
      open("live")
      yield* TestClock.adjust("30 seconds")
      open("d")
      assert.isTrue(isThere("held"))
      assert.isTrue(isThere("live"))
    })
  )

  // verifies: SH-46, TRAP-20
  it.scoped("finds and ends a session for whoever opened it, and nobody else", () =>
    Effect.gen(function* () {
      const { isThere, open, sessions } = yield* make()
      open("a", "ann")
      for (const other of ["bob", "", undefined]) {
        assert.isFalse(isThere("a", other))
        assert.isFalse(sessions.close("a", other))
      }
      assert.isTrue(isThere("a", "ann"))
      assert.isTrue(sessions.close("a", "ann"))
    })
  )

  it.effect("ends a session by whatever takes it away", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { ended, open, sessions } = yield* Scope.extend(make(2), scope)
      open("expires")
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(ended, ["expires"], "without anybody looking")
      for (const id of ["is evicted", "is deleted", "lives"]) open(id)
      assert.deepStrictEqual(ended, ["expires", "is evicted"])
      sessions.close("is deleted", undefined)
      assert.deepStrictEqual(ended, ["expires", "is evicted", "is deleted"])
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(ended, ["expires", "is evicted", "is deleted", "lives"])
    })
  )

  it.scoped("looks for sessions to end as often as timers can, however long one may be idle", () =>
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const asked = yield* Deferred.make<number>()
      const noting: Clock.Clock = {
        ...clock,
        sleep: (duration) =>
          Effect.zipRight(Deferred.succeed(asked, Duration.toMillis(duration)), clock.sleep(duration))
      }
      yield* Effect.withClock(Sessions.make({ cap: 1, idle: "1000 days", report: () => {} }), noting)
      assert.isBelow(yield* Deferred.await(asked), 2 ** 31)
    })
  )

  it.scoped("goes on ending others when one breaks at its end", () =>
    Effect.gen(function* () {
      const { defects, ended, open, sessions } = yield* make()
      const broken = (id: string) =>
        sessions.keep({
          id,
          principal: undefined,
          end: () => {
            throw new Error(id)
          }
        })
      broken("first")
      open("second")
      yield* TestClock.adjust("2 minutes")
      broken("third")
      open("fourth")
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(ended, ["second", "fourth"])
      assert.deepStrictEqual(defects.map(String), ["Error: first", "Error: third"])
    })
  )
})
