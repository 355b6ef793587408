import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as ListSources from "../src/internal/listSources.js"
import * as Subscribers from "../src/internal/subscribers.js"

const maxPending = 3
const maxResources = 4

const make = (maxSessionNames = 10_000) =>
  Subscribers.make(
    { max: 1, maxPerPrincipal: 1, maxPending, maxResources, maxSessionNames },
    ListSources.make(
      () => {},
      () => {}
    ),
    () => {}
  )

const uriOf = (text: string): string => JSON.parse(text).params.uri

const takeAll = (entry: Subscribers.SessionEntry): ReadonlyArray<string> => {
  const taken: Array<string> = []
  for (let text = entry.take(); text !== undefined; text = entry.take()) taken.push(uriOf(text))
  return taken
}

describe("the entry of a session", () => {
  it("is told of an update in its own spelling, once for all that wait", () => {
    const subscribers = make()
    const entry = subscribers.openSession([], () => {})
    entry.subscribe("NOTE:///a")
    for (const uri of ["note:///a/b", "note:///a", "note:///a/b"]) subscribers.resourceUpdated(uri)
    assert.deepStrictEqual(takeAll(entry), ["NOTE:///a/b", "NOTE:///a"])
  })

  it("is not told of what waited for a resource that it has let go", () => {
    const subscribers = make()
    const entry = subscribers.openSession([], () => {})
    for (const uri of ["note:///a", "note:///a/b", "note:///c"]) entry.subscribe(uri)
    for (const uri of ["note:///a", "note:///a/b/d", "note:///a/e", "note:///c"]) {
      subscribers.resourceUpdated(uri)
    }
    entry.unsubscribe("note:///a")
    assert.deepStrictEqual(takeAll(entry), ["note:///a/b/d", "note:///c"])
  })

  it("is woken once for all that happened, and does not count as a subscription", () => {
    const subscribers = make()
    let wakes = 0
    const entry = subscribers.openSession([], () => wakes++)
    entry.subscribe("note:///a")
    for (const uri of ["note:///a/b", "note:///a"]) subscribers.resourceUpdated(uri)
    for (const { wake } of subscribers.collect()) wake()
    assert.deepStrictEqual([wakes, subscribers.size(), subscribers.exceeded(undefined)], [1, 0, undefined])
    subscribers.resourceUpdated("note:///a")
    entry.close()
    assert.deepStrictEqual(subscribers.collect(), [])
  })

  it("shares the room for names with all others, and leaves it when it is closed", () => {
    const subscribers = make(500)
    const [one, other] = [subscribers.openSession([], () => {}), subscribers.openSession([], () => {})]
    assert.isTrue(one.subscribe("note:///a"))
    assert.isTrue(other.subscribe("note:///b"))
    assert.isFalse(other.subscribe("note:///c"))
    other.unsubscribe("note:///b")
    assert.isTrue(other.subscribe("note:///c"))
    assert.isFalse(one.subscribe("note:///d"))
    other.close()
    assert.isTrue(one.subscribe("note:///d"))
  })

  it("does not hear of events that are for subscriptions", () => {
    const subscribers = make()
    subscribers.openSession([], () => {})
    let asked = 0
    subscribers.publish({
      key: "k",
      notice: { method: "notifications/x", params: {} },
      isFor: () => {
        asked += 1
        return true
      }
    })
    assert.deepStrictEqual([asked, subscribers.collect()], [0, []])
  })

  it("names nothing once it is closed", () => {
    const subscribers = make()
    const entry = subscribers.openSession([], () => {})
    entry.close()
    entry.subscribe("note:///a")
    subscribers.resourceUpdated("note:///a")
    assert.deepStrictEqual(subscribers.collect(), [])
  })

  const segment = FastCheck.constantFrom("a", "b", "c")
  const uri = FastCheck.array(segment, { minLength: 1, maxLength: 3 }).map(
    (parts) => `note:///${parts.join("/")}`
  )
  const step = FastCheck.record({
    what: FastCheck.constantFrom("subscribe", "unsubscribe", "update", "take"),
    session: FastCheck.constantFrom(0, 1),
    uri
  })

  const covers = (name: string, changed: string) => changed === name || changed.startsWith(`${name}/`)

  // verifies: RE-03
  it("is told exactly of what it names and what lies below, within a bound, whatever the others do", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(step, { maxLength: 60 }), (steps) => {
        const subscribers = make()
        const sessions = [0, 1].map(() => ({
          entry: subscribers.openSession([], () => {}),
          named: new Set<string>(),
          due: new Set<string>()
        }))
        for (const { session, uri, what } of steps) {
          const one = sessions[session]
          if (one === undefined) continue
          switch (what) {
            case "subscribe":
              if (one.entry.subscribe(uri)) one.named.add(uri)
              else assert.strictEqual(one.named.size, maxResources)
              break
            case "unsubscribe":
              one.entry.unsubscribe(uri)
              one.named.delete(uri)
              for (const waiting of one.due) {
                if (![...one.named].some((name) => covers(name, waiting))) one.due.delete(waiting)
              }
              break
            case "update":
              subscribers.resourceUpdated(uri)
              for (const { due, named } of sessions)
                if ([...named].some((name) => covers(name, uri))) due.add(uri)
              break
            case "take": {
              const taken = takeAll(one.entry)
              assert.isAtMost(taken.length, maxPending + maxResources)
              assert.strictEqual(new Set(taken).size, taken.length)
              for (const told of taken) {
                assert.isTrue([...one.named].some((name) => covers(name, told)))
                assert.isTrue([...one.due].some((waiting) => covers(told, waiting)))
              }
              for (const waiting of one.due) assert.isTrue(taken.some((told) => covers(told, waiting)))
              one.due.clear()
            }
          }
        }
      }),
      { numRuns: 1_000 }
    )
  })
})
