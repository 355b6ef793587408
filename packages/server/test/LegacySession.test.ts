import { assert, describe, it } from "@effect/vitest"
import { LegacySession } from "@pushbutton/server/LegacySession"
import * as Subscriptions from "@pushbutton/server/Subscriptions"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"

/** A list of tools that the test changes, and a session that is told of it. */
const setUp = (limits: Subscriptions.Options = {}) =>
  Effect.gen(function* () {
    const subscriptions = yield* Subscriptions.make(limits)
    let content = "a"
    const listeners = new Set<() => void>()
    yield* subscriptions.watch({
      member: "toolsListChanged",
      listed: () => content,
      onChange: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      }
    })
    const open = () =>
      new LegacySession(
        {
          version: "2025-11-25",
          clientInfo: { name: "peer", version: "1" },
          clientCapabilities: {},
          lists: ["toolsListChanged"]
        },
        subscriptions
      )
    return {
      open,
      change: (next: string) =>
        Effect.sync(() => {
          content = next
          for (const listener of listeners) listener()
        }),
      update: subscriptions.resourceUpdated,
      pass: TestClock.adjust("100 millis")
    }
  })

/** A stream that takes what there is when it is woken. */
const stream = (session: LegacySession) => {
  const taken: Array<string> = []
  const takeAll = () => {
    for (let text = session.take(); text !== undefined; text = session.take()) taken.push(shortOf(text))
  }
  const detach = session.attach({ wake: takeAll })
  return { taken, detach, takeAll }
}

const shortOf = (text: string): string => {
  const { method, params } = JSON.parse(text)
  return [method.replace("notifications/", ""), ...(params === undefined ? [] : [params.uri])].join(" ")
}

const list = "tools/list_changed"
const updated = (uri: string) => `resources/updated ${uri}`

describe("LegacySession", () => {
  // verifies: LC-08
  it.scoped("tells nothing before the client is ready, and then once what has piled up", () =>
    Effect.gen(function* () {
      const { change, open, pass, update } = yield* setUp()
      const session = open()
      const { taken } = stream(session)
      session.subscribe("note:///a")
      for (const content of ["b", "c"]) {
        yield* change(content)
        yield* update("note:///a")
        yield* pass
      }
      assert.deepStrictEqual(taken, [])
      session.initialized()
      assert.deepStrictEqual([...taken].sort(), [updated("note:///a"), list])
      session.initialized()
      assert.strictEqual(taken.length, 2)
    })
  )

  // verifies: SH-23
  it.scoped("gives each message to one stream, the newest", () =>
    Effect.gen(function* () {
      const { change, open, pass } = yield* setUp()
      const session = open()
      session.initialized()
      const older = stream(session)
      const newer = stream(session)
      yield* change("b")
      yield* pass
      assert.deepStrictEqual([older.taken, newer.taken], [[], [list]])
      newer.detach()
      yield* change("c")
      yield* pass
      assert.deepStrictEqual([older.taken, newer.taken], [[list], [list]])
    })
  )

  it.scoped("keeps for the next stream what finds none, and for the older what the newest has left", () =>
    Effect.gen(function* () {
      const { change, open, pass, update } = yield* setUp()
      const session = open()
      session.initialized()
      session.subscribe("note:///a")
      yield* change("b")
      yield* pass
      const older = stream(session)
      older.takeAll()
      assert.deepStrictEqual(older.taken, [list])
      const detachSlow = session.attach({ wake: () => {} })
      yield* update("note:///a")
      yield* pass
      assert.deepStrictEqual(older.taken, [list])
      detachSlow()
      detachSlow()
      assert.deepStrictEqual(older.taken, [list, updated("note:///a")])
    })
  )

  it.scoped("has nothing to say once it is closed, and its questions are answered by that", () =>
    Effect.gen(function* () {
      const { change, open, pass, update } = yield* setUp()
      const session = open()
      session.initialized()
      session.subscribe("note:///a")
      const { taken, takeAll } = stream(session)
      const asking = yield* Effect.fork(
        session.requests.ask("ping", undefined, { ask: () => Effect.succeed(true), takeBack: () => {} })
      )
      yield* Effect.repeatN(Effect.yieldNow(), 5)
      yield* change("b")
      session.close()
      session.close()
      assert.deepStrictEqual(yield* Fiber.join(asking), { _tag: "Gone" })
      session.subscribe("note:///b")
      yield* update("note:///b")
      yield* pass
      takeAll()
      assert.deepStrictEqual(taken, [])
    })
  )

  it.scoped("is told of nothing that is another's", () =>
    Effect.gen(function* () {
      const { open, pass, update } = yield* setUp()
      const [one, other] = [open(), open()]
      const streams = [one, other].map((session) => {
        session.initialized()
        return stream(session)
      })
      one.subscribe("note:///a")
      other.subscribe("note:///b")
      yield* update("note:///a")
      yield* pass
      one.unsubscribe("note:///b")
      yield* update("note:///b")
      yield* pass
      assert.deepStrictEqual(
        streams.map(({ taken }) => taken),
        [[updated("note:///a")], [updated("note:///b")]]
      )
    })
  )

  it.scoped("may name so many resources, of such a length together, until it lets some go", () =>
    Effect.gen(function* () {
      const { open } = yield* setUp({ maxResources: 2 })
      const session = open()
      const names = (...uris: ReadonlyArray<string>) => uris.map((uri) => session.subscribe(uri))
      assert.deepStrictEqual(names("note:///a", "NOTE:///a", "note:///b", "note:///c"), [
        true,
        true,
        true,
        false
      ])
      session.unsubscribe("NOTE:///a")
      assert.deepStrictEqual(names("note:///c", "note:///d"), [true, false])
      const long = (yield* setUp()).open()
      const ofLength = (length: number) => `note:///${"x".repeat(length - 8)}`
      const uris = Array.from({ length: 20 }, (_, index) => ofLength(7_000 + index))
      assert.strictEqual(uris.filter((uri) => long.subscribe(uri)).length, 9)
      for (const uri of uris) long.unsubscribe(uri)
      assert.strictEqual(uris.filter((uri) => long.subscribe(uri)).length, 9)
    })
  )
})
