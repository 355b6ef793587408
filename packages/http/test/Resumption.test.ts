import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { send, stream } from "./support/client.js"
import * as Events from "./support/events.js"
import * as LegacyClient from "./support/legacyClient.js"
import { connectionLost, start } from "./support/server.js"
import { serve, toolOf } from "./support/subscriptions.js"
import { echo, makePolled, makePolledWith, makeWaiting, steps } from "./support/tools.js"

const marked = { "x-marker": "dropped" }

/** Takes a stream up to its first progress, and drops the connection. */
const dropped = (client: LegacyClient.LegacyClient, id: number) =>
  Effect.gen(function* () {
    const lost = yield* connectionLost("dropped")
    const seen = yield* Effect.scoped(
      Effect.gen(function* () {
        const reply = yield* stream(client.post(LegacyClient.callTool(id, "wait", `p${id}`), marked))
        const first = yield* Events.next(reply)
        return first.message === undefined ? yield* Events.next(reply) : first
      })
    )
    yield* lost
    return seen.id ?? ""
  })

describe("a stream that has lost its connection", () => {
  for (const version of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
    // verifies: SH-13, SH-26, SH-27, TRAP-07
    it.scopedLive(`goes on, and is resumed where its client was (${version})`, () =>
      Effect.gen(function* () {
        const wait = yield* makeWaiting
        const { url } = yield* start([wait.tool])
        const client = yield* LegacyClient.open(url, version)
        const id = yield* dropped(client, 1)
        const resumed = yield* stream(client.get(id))
        assert.strictEqual(resumed.status, 200)
        yield* Deferred.succeed(wait.gate, "went on")
        const progress = (yield* Events.next(resumed)).message
        assert.deepStrictEqual(progress.params, { progressToken: "p1", progress: 2 })
        const response = (yield* Events.next(resumed)).message
        assert.deepStrictEqual([response.id, response.result.content[0].text], [1, "went on"])
        assert.strictEqual(yield* resumed.rest, "")
      })
    )
  }

  // verifies: SH-13, TRAP-09
  it.scopedLive("keeps what came meanwhile, and gives it again and again once it has ended", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const client = yield* LegacyClient.open(url)
      const id = yield* dropped(client, 1)
      yield* Deferred.succeed(wait.gate, "kept")
      yield* Deferred.await(wait.finished)
      const last = Events.parseAll((yield* send(client.get(id))).body).at(-1)
      assert.strictEqual(last?.message.result.content[0].text, "kept")
      const again = Events.parseAll((yield* send(client.get(id))).body)
      assert.deepStrictEqual(again.at(-1), last)
      assert.deepStrictEqual(again[0]?.message.params, { progressToken: "p1", progress: 2 })
      const nothing = yield* send(client.get(last?.id))
      assert.deepStrictEqual(
        [nothing.status, nothing.headers["content-type"], nothing.body],
        [200, "text/event-stream", ""]
      )
    })
  )

  // verifies: SH-22, SH-27
  it.scopedLive("is given its own messages only", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool, steps])
      const client = yield* LegacyClient.open(url)
      const id = yield* dropped(client, 1)
      const other = yield* send(client.post(LegacyClient.callTool(2, "steps", "other")))
      assert.include(other.body, '"other"')
      yield* Deferred.succeed(wait.gate, "own")
      const messages = Events.parseAll((yield* send(client.get(id))).body).map(({ message }) => message)
      assert.deepStrictEqual(
        messages.map(({ id, params }) => params?.progressToken ?? id),
        ["p1", 1]
      )
    })
  )

  // verifies: SH-27
  it.scopedLive("carries again what belongs to no request, if a GET had opened it", () =>
    Effect.gen(function* () {
      const { registry, url } = yield* serve([toolOf("first")])
      const client = yield* LegacyClient.open(url)
      const { id } = yield* Effect.scoped(Effect.flatMap(stream(client.get()), Events.next))
      const resumed = yield* stream(client.get(id))
      yield* registry.add([toolOf("a")])
      const told = yield* Events.next(resumed)
      assert.strictEqual(told.message.method, "notifications/tools/list_changed")
      assert.strictEqual(told.id?.split("-")[0], id?.split("-")[0], "it is the same stream")
    })
  )

  // verifies: SH-28, TRAP-20
  it.scopedLive("is found by its own session alone, and by events that are still known", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool, steps], { events: { maxEvents: 3 } })
      const client = yield* LegacyClient.open(url)
      const other = yield* LegacyClient.open(url)
      const id = yield* dropped(client, 1)
      assert.strictEqual((yield* send(other.get(id))).status, 400)
      for (const unknown of ["", "nonsense", "s999-0", `${id}9`, id.replace("-", "--")]) {
        const refused = yield* send(client.get(unknown))
        assert.strictEqual(refused.status, 400, unknown)
        assert.strictEqual(JSON.parse(refused.body).error.code, -32600)
      }
      yield* send(client.post(LegacyClient.callTool(2, "steps", 2)))
      const pruned = id.replace(/\d+$/, "0")
      assert.strictEqual((yield* send(client.get(pruned))).status, 400, "its events made room for others")
      const resumed = yield* stream(client.get(id))
      assert.strictEqual(resumed.status, 200, "nothing came after it yet")
    })
  )

  it.scopedLive("ends where its client was, when it is resumed while it is still connected", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const { url } = yield* start([wait.tool])
      const client = yield* LegacyClient.open(url)
      const first = yield* stream(client.post(LegacyClient.callTool(1, "wait", 1)))
      const { id } = yield* Events.next(first)
      const second = yield* stream(client.get(id))
      assert.strictEqual((yield* Events.next(second)).message.params.progress, 1)
      yield* first.rest
      yield* Deferred.succeed(wait.gate, "second")
      yield* Events.next(second)
      assert.strictEqual((yield* Events.next(second)).message.id, 1)
    })
  )
})

describe("a reply of a session", () => {
  // verifies: SH-25, SH-29, SH-32, DC-12
  it.scopedLive("is primed from 2025-11-25 on, once it streams", () =>
    Effect.gen(function* () {
      const { url } = yield* start([steps, echo])
      const call = LegacyClient.callTool(1, "steps", 1)
      const ids: Array<string> = []
      for (const [version, isPrimed] of [
        ["2025-03-26", false],
        ["2025-06-18", false],
        ["2025-11-25", true]
      ] as const) {
        const client = yield* LegacyClient.open(url, version)
        const events = Events.parseAll((yield* send(client.post(call))).body)
        assert.strictEqual(events[0]?.message === undefined, isPrimed, version)
        assert.strictEqual(events.length, isPrimed ? 4 : 3)
        ids.push(...events.map(({ id }) => id ?? ""))
        const quick = yield* send(client.post(LegacyClient.callTool(2, "steps")))
        assert.strictEqual(quick.headers["content-type"], "application/json")
      }
      assert.strictEqual(new Set(ids).size, 10, "every event has an id of its own")
    })
  )

  // verifies: TRAP-09
  it.scopedLive("is plain JSON for an error that nothing came before", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const client = yield* LegacyClient.open(url)
      const answer = yield* send(client.post(LegacyClient.callTool(1, "echo", 1)))
      assert.strictEqual(answer.headers["content-type"], "application/json")
    })
  )
})

describe("Polling.release", () => {
  // verifies: SH-12, SH-31
  it.scopedLive("ends the connection with the time to wait, and its client comes back for the response", () =>
    Effect.gen(function* () {
      const polled = yield* makePolled
      const { url } = yield* start([polled.tool])
      const client = yield* LegacyClient.open(url)
      const events = Events.parseAll((yield* send(client.post(LegacyClient.callTool(1, "polled", 1)))).body)
      assert.deepStrictEqual(
        events.map(({ id, message, retry }) => [id === undefined, message, retry]),
        [
          [false, undefined, undefined],
          [true, undefined, "20"]
        ]
      )
      const resumed = yield* stream(client.get(events[0]?.id))
      assert.strictEqual((yield* Events.next(resumed)).message.params.progress, 1)
      yield* Deferred.succeed(polled.gate, undefined)
      assert.strictEqual((yield* Events.next(resumed)).message.result.content[0].text, "late")
    })
  )

  // verifies: SH-12
  it.scopedLive("keeps a large response, or else an error for the request, so that it ends", () =>
    Effect.gen(function* () {
      const outcomes: Array<unknown> = []
      for (const length of [900_000, 2_000_000]) {
        const polled = yield* makePolledWith("x".repeat(length))
        const { url } = yield* start([polled.tool])
        const client = yield* LegacyClient.open(url)
        const [primed] = Events.parseAll((yield* send(client.post(LegacyClient.callTool(1, "polled")))).body)
        yield* Deferred.succeed(polled.gate, undefined)
        const resumed = yield* stream(client.get(primed?.id))
        const { error, id, result } = (yield* Events.next(resumed)).message
        outcomes.push([id, result?.content[0].text.length, error?.code])
        assert.strictEqual(yield* resumed.rest, "")
      }
      assert.deepStrictEqual(outcomes, [
        [1, 900_000, undefined],
        [1, undefined, -32603]
      ])
    })
  )

  // verifies: SH-11, SH-32
  it.scopedLive("does nothing to clients that would not come back", () =>
    Effect.gen(function* () {
      const polled = yield* makePolled
      const { url } = yield* start([polled.tool])
      const client = yield* LegacyClient.open(url)
      const older = yield* LegacyClient.open(url, "2025-06-18")
      yield* Deferred.succeed(polled.gate, undefined)
      const call = LegacyClient.callTool(1, "polled")
      for (const sent of [older.post(call), client.post(call, { accept: "application/json" })]) {
        assert.strictEqual(JSON.parse((yield* send(sent)).body).result.content[0].text, "late")
      }
    })
  )
})
