import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as EventStore from "../src/EventStore.js"
import { cases } from "../src/testing/eventStoreContract.js"

const at = (sessionId: string, stream: string, number: number): EventStore.Position => ({
  sessionId,
  stream,
  number
})

const numbers = (events: ReadonlyArray<EventStore.Event> | undefined) => events?.map(({ number }) => number)

describe("EventStore.layerMemory", () => {
  for (const { check, name } of cases) it(name, () => check(EventStore.make()))

  it("drops the oldest events of a session beyond their number, and says so", () => {
    const store = EventStore.make({ maxEvents: 3 })
    for (let number = 0; number < 5; number++) store.append(at("one", "s", number), "")
    store.append(at("two", "s", 0), "")
    assert.isUndefined(store.after(at("one", "s", 0)), "event 1 is gone")
    assert.deepStrictEqual(numbers(store.after(at("one", "s", 1))), [2, 3, 4], "all that followed is there")
    assert.deepStrictEqual(numbers(store.after(at("two", "s", 0))), [])
  })

  it("drops the oldest events of a session beyond their length", () => {
    const store = EventStore.make({ maxSessionLength: 500 })
    for (let number = 0; number < 3; number++) store.append(at("one", "s", number), "x".repeat(100))
    assert.isUndefined(store.after(at("one", "s", -1)))
    assert.deepStrictEqual(numbers(store.after(at("one", "s", 0))), [1, 2])
  })

  it("drops the oldest events of all beyond the length of all", () => {
    const store = EventStore.make({ maxLength: 500 })
    store.append(at("one", "s", 0), "x".repeat(100))
    store.append(at("two", "s", 0), "x".repeat(100))
    store.append(at("two", "s", 1), "x".repeat(100))
    assert.isUndefined(store.after(at("one", "s", 0)))
    assert.deepStrictEqual(numbers(store.after(at("two", "s", 0))), [1])
  })

  it("cannot go on before an event that was too long, and can after it", () => {
    const store = EventStore.make({ maxSessionLength: 1000 })
    store.append(at("one", "s", 0), "")
    store.append(at("one", "s", 1), "x".repeat(1000))
    store.append(at("one", "s", 2), "")
    assert.isUndefined(store.after(at("one", "s", 0)))
    assert.deepStrictEqual(numbers(store.after(at("one", "s", 1))), [2])
  })

  it("says what it cannot keep, and takes another message at the same position", () => {
    const store = EventStore.make({ maxSessionLength: 1000 })
    assert.isTrue(store.append(at("one", "s", 0), ""))
    assert.isFalse(store.append(at("one", "s", 1), "x".repeat(1000)))
    assert.isTrue(store.append(at("one", "s", 1), "short"))
    assert.deepStrictEqual(store.after(at("one", "s", 0)), [{ number: 1, message: "short" }])
    assert.isFalse(store.append(at("one", "s", 2), "x".repeat(1000)))
    assert.isTrue(store.append(at("one", "t", 2), "of another stream"))
    assert.isUndefined(store.after(at("one", "s", 1)))
  })

  it("gives all that followed an event, or nothing", () => {
    const step = FastCheck.record({
      session: FastCheck.constantFrom("one", "two"),
      stream: FastCheck.constantFrom("a", "b"),
      length: FastCheck.nat(400)
    })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(step, { maxLength: 60 }), FastCheck.nat(20), (steps, number) => {
        const store = EventStore.make({ maxEvents: 8, maxSessionLength: 1500, maxLength: 2500 })
        const all = new Map<string, Array<EventStore.Event>>()
        for (const { length, session, stream } of steps) {
          const key = `${session} ${stream}`
          const events = all.get(key) ?? []
          all.set(key, events)
          const event = { number: events.length, message: `${key} ${events.length}`.padEnd(length) }
          events.push(event)
          store.append(at(session, stream, event.number), event.message)
        }
        for (const [key, events] of all) {
          const [session = "", stream = ""] = key.split(" ")
          const found = store.after(at(session, stream, number))
          if (found !== undefined) assert.deepStrictEqual(found, events.slice(number + 1))
          if (number >= events.length) assert.isUndefined(found)
        }
      })
    )
  })
})
