import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { send } from "./support/client.js"
import * as LegacyClient from "./support/legacyClient.js"
import { start } from "./support/server.js"
import { echo } from "./support/tools.js"

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" })
const notification = { jsonrpc: "2.0", method: "notifications/x" }

describe("what is no message, in a batch of 2025-03-26", () => {
  const post = (messages: ReadonlyArray<unknown>) =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const client = yield* LegacyClient.open(url, "2025-03-26")
      return yield* send(client.post(messages))
    })

  // verifies: BA-01
  it.scopedLive("is in no answer, for an error without an id is no message there", () =>
    Effect.gen(function* () {
      const { body, status } = yield* post([7, ping(1), { jsonrpc: "2.0", id: {}, method: "ping" }])
      assert.deepStrictEqual([status, JSON.parse(body)], [200, [{ jsonrpc: "2.0", id: 1, result: {} }]])
    })
  )

  // verifies: BA-02
  it.scopedLive("has the batch refused where nothing of it is answered", () =>
    Effect.gen(function* () {
      const { body, status } = yield* post([notification, 7])
      const { error, ...rest } = JSON.parse(body)
      assert.deepStrictEqual([status, error.code, rest], [400, -32600, { jsonrpc: "2.0" }])
    })
  )
})
