import { assert, describe, it } from "@effect/vitest"
import type { JsonValue } from "@pushbutton/protocol/Json"
import type { Granted, ListMember } from "@pushbutton/protocol/Subscription"
import * as Subscriptions from "@pushbutton/server/Subscriptions"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { subscribe, summary } from "./support/subscriber.js"

/** A list that the test changes. */
const listOf = (member: ListMember, first: JsonValue) => {
  let content = first
  const listeners = new Set<() => void>()
  const source: Subscriptions.ListSource = {
    member,
    listed: () => content,
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
  const change = (next: JsonValue) => {
    content = next
    for (const listener of listeners) listener()
  }
  return { source, change, listeners }
}

const opening = (id: string | number, granted: Partial<Granted>, principal?: string) => ({
  id,
  principal,
  identity: { name: "test", version: "1" },
  granted: { lists: [], uris: [], extra: {}, ...granted }
})

const acknowledged = "subscriptions/acknowledged"

/** The service with a list of tools and a list of prompts. */
const setUp = (options: Subscriptions.Options = {}) =>
  Effect.gen(function* () {
    const subscriptions = yield* Subscriptions.make(options)
    const tools = listOf("toolsListChanged", ["a"])
    const prompts = listOf("promptsListChanged", [])
    yield* subscriptions.watch(tools.source)
    yield* subscriptions.watch(prompts.source)
    const open = (id: string | number, granted: Partial<Granted>, reader?: Parameters<typeof subscribe>[1]) =>
      subscribe((listener) => subscriptions.open(opening(id, granted), listener), reader)
    return { subscriptions, tools, prompts, open }
  })

const bothLists: Partial<Granted> = { lists: ["toolsListChanged", "promptsListChanged"] }
const toolList: Partial<Granted> = { lists: ["toolsListChanged"] }

describe("Subscriptions", () => {
  // verifies: P-89
  it.scoped("tells changes of one window once, when it has passed", () =>
    Effect.gen(function* () {
      const { open, tools } = yield* setUp()
      const subscriber = open(7, bothLists)
      for (let count = 0; count < 100; count++) tools.change([count])
      yield* TestClock.adjust("99 millis")
      assert.deepStrictEqual(subscriber.messages.map(summary), [acknowledged])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(subscriber.messages.map(summary), [acknowledged, "tools/list_changed"])
      assert.deepStrictEqual(subscriber.messages[1], {
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: { _meta: { "io.modelcontextprotocol/subscriptionId": 7 } }
      })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(subscriber.messages.length, 2)
    })
  )

  it.scoped("tells a later change too", () =>
    Effect.gen(function* () {
      const { open, prompts, tools } = yield* setUp({ window: "1 second" })
      const subscriber = open(1, bothLists)
      tools.change(["b"])
      yield* TestClock.adjust("1 second")
      tools.change(["c"])
      prompts.change(["p"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(subscriber.messages.map(summary), [
        acknowledged,
        "tools/list_changed",
        "tools/list_changed",
        "prompts/list_changed"
      ])
    })
  )

  // verifies: P-89
  it.scoped("tells nothing when a list was touched, or is back to what it was", () =>
    Effect.gen(function* () {
      const { open, tools } = yield* setUp()
      const subscriber = open(1, bothLists)
      tools.change(["a"])
      yield* TestClock.adjust("1 second")
      tools.change(["b"])
      tools.change(["a"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(subscriber.messages.map(summary), [acknowledged])
    })
  )

  it.scoped("compares with what each subscriber has seen", () =>
    Effect.gen(function* () {
      const { open, tools } = yield* setUp()
      const early = open(1, toolList)
      tools.change(["b"])
      const late = open(2, toolList)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(early.messages.map(summary), [acknowledged, "tools/list_changed"])
      assert.deepStrictEqual(late.messages.map(summary), [acknowledged])
      tools.change(["a"])
      yield* TestClock.adjust("1 second")
      assert.strictEqual(early.messages.length, 3)
      assert.strictEqual(late.messages.length, 2)
    })
  )

  it.scoped("tells a change between two subscriptions of the same list to the first alone", () =>
    Effect.gen(function* () {
      const { open, tools } = yield* setUp()
      const early = open(1, toolList)
      tools.change(["b"])
      open(2, toolList)
      tools.change(["a"])
      const late = open(3, toolList)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(early.messages.map(summary), [acknowledged])
      assert.deepStrictEqual(late.messages.map(summary), [acknowledged])
    })
  )

  // verifies: SUB-05, SUB-06
  it.scoped("acknowledges before anything else, whatever happens meanwhile", () =>
    Effect.gen(function* () {
      const { open, subscriptions, tools } = yield* setUp()
      const subscriber = open("x", { ...toolList, uris: ["file:///a"] }, { readsAlong: false })
      tools.change(["b"])
      yield* subscriptions.resourceUpdated("file:///a")
      yield* TestClock.adjust("1 second")
      const messages = subscriber.takeAll()
      assert.deepStrictEqual(messages.map(summary), [
        acknowledged,
        "resources/updated file:///a",
        "tools/list_changed"
      ])
      assert.deepStrictEqual(messages[0]?.params, {
        notifications: { toolsListChanged: true, resourceSubscriptions: ["file:///a"] },
        _meta: { "io.modelcontextprotocol/subscriptionId": "x" }
      })
    })
  )

  it.scoped("tells an update once for each subscription that names the resource or one above it", () =>
    Effect.gen(function* () {
      const { open, subscriptions } = yield* setUp()
      const named = open(1, { uris: ["file:///a/b"] })
      const above = open("1", { uris: ["file:///a", "file:///"] })
      const other = open(2, { uris: ["file:///c"], ...toolList })
      yield* subscriptions.resourceUpdated("file:///a/b")
      yield* subscriptions.resourceUpdated("file:///a/b")
      yield* TestClock.adjust("100 millis")
      const update = (id: unknown) => ({
        jsonrpc: "2.0",
        method: "notifications/resources/updated",
        params: { uri: "file:///a/b", _meta: { "io.modelcontextprotocol/subscriptionId": id } }
      })
      assert.deepStrictEqual(named.messages.slice(1), [update(1)])
      assert.deepStrictEqual(above.messages.slice(1), [update("1")])
      assert.deepStrictEqual(other.messages.map(summary), [acknowledged])
    })
  )

  // verifies: SUB-12
  it.scoped("tells updates in the spelling that each subscriber asked for", () =>
    Effect.gen(function* () {
      const { open, subscriptions } = yield* setUp()
      const filters = ["file:///%7e/é", "FILE:///~/%C3%A9", "file:///~", "FILE:///%7E"]
      const subscribers = filters.map((uri, id) => open(id, { uris: [uri] }))
      const told = Effect.map(TestClock.adjust("1 second"), () =>
        subscribers.map(({ messages }) => messages.splice(0).map(({ params }) => params?.["uri"]))
      )
      yield* told
      yield* subscriptions.resourceUpdated("file:///~/é")
      assert.deepStrictEqual(yield* told, [
        ["file:///%7e/é"],
        ["FILE:///~/%C3%A9"],
        ["file:///~/é"],
        ["FILE:///%7E/%C3%A9"]
      ])
      yield* subscriptions.resourceUpdated("FILE:///~/%c3%a9")
      yield* subscriptions.resourceUpdated("file:///~/é")
      assert.deepStrictEqual(yield* told, [
        ["file:///%7e/é"],
        ["FILE:///~/%C3%A9"],
        ["file:///~/é"],
        ["FILE:///%7E/%C3%A9"]
      ])
    })
  )

  it.scoped("tells nobody of an update of what is no URI", () =>
    Effect.gen(function* () {
      const { open, subscriptions } = yield* setUp()
      const subscriber = open(1, { uris: ["file:///a"] })
      yield* subscriptions.resourceUpdated("file:///a/ b")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(subscriber.messages.map(summary), [acknowledged])
    })
  )

  it.scoped("looks at no subscription that an update is not for", () =>
    Effect.gen(function* () {
      const { subscriptions } = yield* setUp()
      let looks = 0
      const granted: Granted = {
        lists: [],
        extra: {},
        get uris() {
          looks++
          return ["file:///a", "file:///a/b"]
        }
      }
      subscribe((listener) => subscriptions.open({ ...opening(1, {}), granted }, listener))
      const before = looks
      yield* subscriptions.resourceUpdated("file:///b")
      assert.strictEqual(looks, before)
    })
  )

  it.scoped("tells of the nearest of the resources named, when too many updates wait", () =>
    Effect.gen(function* () {
      const { open, subscriptions } = yield* setUp({ maxPending: 1 })
      const stalled = open(1, { uris: ["file:///a", "file:///a/b"] }, { readsAlong: false })
      yield* subscriptions.resourceUpdated("file:///a/1")
      yield* subscriptions.resourceUpdated("file:///a/b/c")
      assert.deepStrictEqual(stalled.takeAll().map(summary), [
        acknowledged,
        "resources/updated file:///a/1",
        "resources/updated file:///a/b"
      ])
    })
  )

  it.scoped("tells one who is left of two of the same resource", () =>
    Effect.gen(function* () {
      const { open, subscriptions } = yield* setUp()
      const gone = open(1, { uris: ["file:///a"] })
      const left = open(2, { uris: ["file:///a"] })
      gone.subscription.close()
      yield* subscriptions.resourceUpdated("file:///a")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(gone.messages.map(summary), [acknowledged])
      assert.deepStrictEqual(left.messages.map(summary), [acknowledged, "resources/updated file:///a"])
    })
  )

  it.scoped("encodes no list that nobody asked for", () =>
    Effect.gen(function* () {
      const { open, prompts, subscriptions } = yield* setUp()
      let encoded = 0
      const listed = () => {
        encoded++
        return []
      }
      yield* subscriptions.watch({ ...prompts.source, listed })
      open(1, toolList)
      prompts.change(["p"])
      yield* TestClock.adjust("1 second")
      assert.strictEqual(encoded, 0)
      open(2, bothLists)
      assert.strictEqual(encoded, 1)
    })
  )

  it.scoped("keeps little for a subscriber that takes nothing, and serves the others", () =>
    Effect.gen(function* () {
      const { open, subscriptions, tools } = yield* setUp({ maxPending: 3 })
      const stalled = open(1, { ...toolList, uris: ["file:///a", "file:///z"] }, { readsAlong: false })
      const reader = open(2, { uris: ["file:///a"] })
      for (let round = 0; round < 20; round++) {
        yield* subscriptions.resourceUpdated(`file:///a/${round}`)
        yield* subscriptions.resourceUpdated("file:///z")
        tools.change([round])
        yield* TestClock.adjust("100 millis")
      }
      assert.strictEqual(reader.messages.length, 21)
      assert.deepStrictEqual(stalled.takeAll().map(summary), [
        acknowledged,
        "resources/updated file:///a/0",
        "resources/updated file:///z",
        "tools/list_changed",
        // Updates beyond the limit, as one of what the subscriber named.
        "resources/updated file:///a"
      ])
    })
  )

  // verifies: SUB-16, SUB-17
  it.scoped("ends with what waits and the result", () =>
    Effect.gen(function* () {
      const { open, subscriptions, tools } = yield* setUp()
      const subscriber = open(7, toolList)
      tools.change(["b"])
      subscriber.subscription.end()
      assert.deepStrictEqual(subscriber.messages.map(summary), [acknowledged, "tools/list_changed", "result"])
      assert.deepStrictEqual(subscriber.messages[2], {
        jsonrpc: "2.0",
        id: 7,
        result: {
          resultType: "complete",
          _meta: {
            "io.modelcontextprotocol/subscriptionId": 7,
            "io.modelcontextprotocol/serverInfo": { name: "test", version: "1" }
          }
        }
      })
      assert.strictEqual(subscriber.subscription.state(), "over")
      assert.strictEqual(subscriptions.size(), 0)
      tools.change(["c"])
      subscriber.subscription.end()
      yield* TestClock.adjust("1 second")
      assert.strictEqual(subscriber.messages.length, 3)
    })
  )

  // verifies: SUB-18, CANC-07
  it.scoped("tells of its end first where the transport wants that", () =>
    Effect.gen(function* () {
      const { open } = yield* setUp()
      const subscriber = open("s", toolList, { tellsEnd: true })
      subscriber.subscription.end()
      assert.deepStrictEqual(subscriber.messages.map(summary), [acknowledged, "cancelled", "result"])
      assert.deepStrictEqual(subscriber.messages[1]?.params, {
        requestId: "s",
        reason: "The server ends the subscription",
        _meta: { "io.modelcontextprotocol/subscriptionId": "s" }
      })
    })
  )

  it.scoped("is `ending` until a subscriber that takes nothing has taken the rest", () =>
    Effect.gen(function* () {
      const { open, subscriptions } = yield* setUp()
      const { subscription, takeAll } = open(1, toolList, { readsAlong: false })
      assert.strictEqual(subscription.state(), "open")
      subscription.end()
      assert.strictEqual(subscription.state(), "ending")
      assert.strictEqual(subscriptions.size(), 0)
      assert.deepStrictEqual(takeAll().map(summary), [acknowledged, "result"])
      assert.strictEqual(subscription.state(), "over")
    })
  )

  // verifies: SUB-20
  it.scoped("sends nothing after the client has ended it", () =>
    Effect.gen(function* () {
      const { open, subscriptions, tools } = yield* setUp()
      const subscriber = open(1, toolList)
      tools.change(["b"])
      subscriber.subscription.close()
      subscriber.subscription.end()
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(subscriber.takeAll(), [])
      assert.deepStrictEqual(subscriber.messages.map(summary), [acknowledged])
      assert.strictEqual(subscriptions.size(), 0)
    })
  )

  it.scoped("acknowledges an empty filter and ends", () =>
    Effect.gen(function* () {
      const { open, subscriptions } = yield* setUp()
      const subscriber = open(1, {}, { tellsEnd: true })
      assert.deepStrictEqual(subscriber.messages.map(summary), [acknowledged, "result"])
      assert.deepStrictEqual(subscriber.messages[0]?.params?.["notifications"], {})
      assert.strictEqual(subscriptions.size(), 0)
    })
  )

  // verifies: P-74
  it.scoped("counts callers apart, and all together", () =>
    Effect.gen(function* () {
      const { subscriptions } = yield* setUp({ max: 4, maxPerPrincipal: 2 })
      const open = (principal: string | undefined) =>
        subscribe((listener) => subscriptions.open(opening(1, toolList, principal), listener)).subscription
      assert.isUndefined(subscriptions.exceeded("ada"))
      const first = open("ada")
      const second = open("ada")
      assert.strictEqual(subscriptions.exceeded("ada"), 2)
      assert.isUndefined(subscriptions.exceeded("bob"))
      open(undefined)
      open(undefined)
      assert.strictEqual(subscriptions.exceeded(undefined), 4)
      assert.strictEqual(subscriptions.exceeded("bob"), 4)
      first.close()
      first.close()
      assert.isUndefined(subscriptions.exceeded("ada"))
      second.end()
      second.close()
      open("ada")
      assert.isUndefined(subscriptions.exceeded("ada"))
      assert.strictEqual(subscriptions.size(), 3)
    })
  )

  // verifies: P-74
  it.scoped("leaves nothing behind after many have come and gone", () =>
    Effect.gen(function* () {
      const { open, subscriptions, tools } = yield* setUp({ max: 1 })
      for (let round = 0; round < 1000; round++) {
        assert.isUndefined(subscriptions.exceeded(undefined))
        const { subscription } = open(round, toolList)
        if (round % 2 === 0) subscription.end()
        else subscription.close()
      }
      assert.strictEqual(subscriptions.size(), 0)
      tools.change(["b"])
      yield* TestClock.adjust("1 second")
    })
  )

  // verifies: P-74
  it.scoped("survives a subscriber and a list that throw", () =>
    Effect.gen(function* () {
      const { open, subscriptions, tools } = yield* setUp()
      const broken = listOf("promptsListChanged", [])
      let isBroken = false
      yield* subscriptions.watch({
        ...broken.source,
        listed: () => {
          if (isBroken) throw new Error("no list")
          return []
        }
      })
      subscriptions.open(opening(1, toolList), {
        tellsEnd: false,
        wake: () => {
          throw new Error("no client")
        }
      })
      const subscriber = open(2, toolList)
      const fragile = open(3, bothLists)
      tools.change(["b"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(subscriber.messages.map(summary), [acknowledged, "tools/list_changed"])
      isBroken = true
      broken.change([])
      tools.change(["c"])
      yield* TestClock.adjust("1 second")
      assert.strictEqual(subscriber.messages.length, 3)
      assert.strictEqual(fragile.messages.length, 3)
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  )

  it.effect("ends with its scope, wherever it was made", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { tools } = yield* Effect.uninterruptible(Scope.extend(setUp(), scope))
      assert.strictEqual(tools.listeners.size, 1)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(tools.listeners.size, 0)
    })
  )
})

describe("events of an extension", () => {
  const event = (taskId: string, status: string): Subscriptions.Event => ({
    key: `task/${taskId}`,
    notice: { method: "notifications/tasks", params: { taskId, status } },
    isFor: ({ extra }) => Array.isArray(extra["taskIds"]) && extra["taskIds"].includes(taskId)
  })

  it.scoped("reach the subscriptions they are for, the newest of each key", () =>
    Effect.gen(function* () {
      const { open, subscriptions } = yield* setUp()
      const one = open(1, { extra: { taskIds: ["a"] } })
      const other = open(2, { extra: { taskIds: ["b"] }, ...toolList })
      yield* subscriptions.publish(event("a", "working"))
      yield* subscriptions.publish(event("a", "completed"))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(one.messages[0]?.params?.["notifications"], { taskIds: ["a"] })
      assert.deepStrictEqual(
        one.messages.slice(1).map(({ params }) => params),
        [{ taskId: "a", status: "completed", _meta: { "io.modelcontextprotocol/subscriptionId": 1 } }]
      )
      assert.strictEqual(other.messages.length, 1)
    })
  )

  it.scoped("give way to newer ones when too many wait", () =>
    Effect.gen(function* () {
      const { open, subscriptions, tools } = yield* setUp({ maxPending: 2 })
      const stalled = open(1, { extra: { taskIds: ["a", "b", "c"] }, ...toolList }, { readsAlong: false })
      tools.change(["b"])
      yield* TestClock.adjust("1 second")
      for (const taskId of ["a", "b", "c", "c"]) yield* subscriptions.publish(event(taskId, "working"))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        stalled.takeAll().map(({ method, params }) => params?.["taskId"] ?? method),
        ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed", "c"]
      )
    })
  )
})

describe("whatever happens", () => {
  const uris = ["file:///a", "file:///a/b", "file:///a/b/c", "file:///z"] as const
  const Happening = FastCheck.oneof(
    FastCheck.constantFrom("tools", "prompts").map((list) => ({ list }) as const),
    FastCheck.constantFrom(...uris).map((uri) => ({ uri }) as const),
    FastCheck.constant({ wait: true } as const)
  )
  const Asked = FastCheck.record({
    lists: FastCheck.subarray<ListMember>(["toolsListChanged", "promptsListChanged"]),
    uris: FastCheck.subarray([...uris])
  })

  // verifies: SUB-04, SUB-09, META-12
  it.effect.prop(
    "a subscriber gets nothing outside its filter, all of it tagged, and never waits behind another",
    [FastCheck.array(Happening, { maxLength: 12 }), FastCheck.array(Asked, { minLength: 1, maxLength: 3 })],
    ([happenings, filters]) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { open, prompts, subscriptions, tools } = yield* setUp({ maxPending: 2 })
          open("stalled", { uris: [...uris], ...bothLists }, { readsAlong: false })
          const subscribers = filters.map((granted, id) => ({ granted, id, ...open(id, granted) }))
          let version = 0
          for (const happening of happenings) {
            if ("wait" in happening) yield* TestClock.adjust("100 millis")
            else if ("uri" in happening) yield* subscriptions.resourceUpdated(happening.uri)
            else if (happening.list === "tools") tools.change([++version])
            else prompts.change([++version])
          }
          yield* TestClock.adjust("100 millis")
          for (const { granted, id, messages } of subscribers) {
            const [first, ...rest] = messages.filter(({ result }) => result === undefined)
            assert.strictEqual(first?.method, "notifications/subscriptions/acknowledged")
            for (const { method, params } of rest) {
              assert.deepStrictEqual(params?.["_meta"], { "io.modelcontextprotocol/subscriptionId": id })
              if (method === "notifications/tools/list_changed")
                assert.include(granted.lists, "toolsListChanged")
              else if (method === "notifications/prompts/list_changed")
                assert.include(granted.lists, "promptsListChanged")
              else {
                assert.strictEqual(method, "notifications/resources/updated")
                assert.isTrue(granted.uris.some((uri) => `${params?.["uri"]}/`.startsWith(`${uri}/`)))
              }
            }
            const told = (list: string) => happenings.some((one) => "list" in one && one.list === list)
            for (const [member, list] of [
              ["toolsListChanged", "tools"],
              ["promptsListChanged", "prompts"]
            ] as const) {
              const isTold = rest.some(({ method }) => method === `notifications/${list}/list_changed`)
              assert.strictEqual(isTold, granted.lists.includes(member) && told(list))
            }
          }
        })
      )
  )
})
