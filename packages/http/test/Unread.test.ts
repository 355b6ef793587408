import { assert, describe, it } from "@effect/vitest"
import * as Progress from "@pushbutton/server/Progress"
import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { send, stream } from "./support/client.js"
import * as LegacyClient from "./support/legacyClient.js"
import { connectionLost, start } from "./support/server.js"
import * as Sse from "./support/sse.js"

const calls = 20

/** Its calls wait for each other and for the gate, and then give a megabyte each at once. */
const makeLarge = Effect.gen(function* () {
  const gate = yield* Deferred.make<void>()
  const allRun = yield* Deferred.make<void>()
  let running = 0
  const tool = Tool.make("large", {
    input: Schema.Struct({}),
    handler: () =>
      Effect.gen(function* () {
        yield* Progress.report({ progress: 1 })
        running += 1
        if (running === calls) yield* Deferred.succeed(allRun, undefined)
        yield* Deferred.await(gate)
        return "x".repeat(1_000_000)
      })
  })
  return { tool, allRun, open: Deferred.succeed(gate, undefined) }
})

const maxUnreadBytes = 2_000_000

describe("a client that does not read its event stream", () => {
  // verifies: HS-06
  it.scopedLive("loses its session of HTTP+SSE once too much waits for it, and nobody else does", () =>
    Effect.gen(function* () {
      const { allRun, open, tool } = yield* makeLarge
      const { port } = yield* start([tool], { sse: {}, maxUnreadBytes })
      const url = `http://127.0.0.1:${port}/sse`
      const other = yield* Sse.connectLegacy(url)
      const lost = yield* connectionLost("stalls")
      const client = yield* Sse.connectLegacy(url, "2024-11-05", {}, {}, "stalls")
      client.response.on("error", () => {})
      for (let id = 0; id < calls; id++) yield* client.tell(Sse.call(id, "large"))
      yield* Deferred.await(allRun)
      client.response.pause()
      yield* open
      yield* lost
      assert.strictEqual((yield* client.post(Sse.request("late", "ping"))).status, 404)
      yield* other.tell(Sse.request(1, "ping"))
      assert.strictEqual((yield* other.next).id, 1)
    })
  )

  it.scopedLive("loses its connection to a stream of a session, which goes on", () =>
    Effect.gen(function* () {
      const { allRun, open, tool } = yield* makeLarge
      const { url } = yield* start([tool], { maxUnreadBytes })
      const client = yield* LegacyClient.open(url, "2025-03-26")
      const lost = yield* connectionLost("stalls")
      const batch = Array.from({ length: calls }, (_, id) => LegacyClient.callTool(id, "large", id))
      const reply = yield* stream(client.post(batch, { "x-marker": "stalls" }))
      yield* Deferred.await(allRun)
      reply.response.pause()
      yield* open
      yield* lost
      assert.strictEqual((yield* send(client.post({ id: "late", method: "ping" }))).status, 200)
    })
  )
})
