import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { send, stream } from "./support/client.js"
import * as LegacyClient from "./support/legacyClient.js"
import { modern } from "./support/messages.js"
import { start } from "./support/server.js"
import { echo, makeWaiting } from "./support/tools.js"

const callEcho = {
  jsonrpc: "2.0",
  id: 9,
  method: "tools/call",
  params: { name: "echo", arguments: { text: "x" } }
}

describe("requests that run at a time", () => {
  it.scopedLive("are so many in one session, and so many in all", () =>
    Effect.gen(function* () {
      const wait = yield* makeWaiting
      const limits = { maxRequestsPerSession: 1, maxRequests: 2 }
      const { url } = yield* start([wait.tool, echo], limits)
      const [one, other] = [yield* LegacyClient.open(url), yield* LegacyClient.open(url)]
      const waits = one.post(LegacyClient.callTool(1, "wait", 1))
      const first = yield* stream(waits)
      yield* Deferred.await(wait.started)
      const refused = yield* send(one.post(callEcho))
      assert.strictEqual(refused.status, 200)
      assert.include(JSON.parse(refused.body).error.message, "limit 1")
      assert.property(JSON.parse((yield* send(other.post(callEcho))).body), "result")

      yield* stream(other.post(LegacyClient.callTool(2, "wait", 2)))
      const full = yield* send(modern(url, 3, "tools/call", callEcho.params))
      assert.include(JSON.parse(full.body).error.message, "limit 2")

      yield* Deferred.succeed(wait.gate, "done")
      yield* first.rest
      assert.property(JSON.parse((yield* send(one.post(callEcho))).body), "result")
    })
  )
})
