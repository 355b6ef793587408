import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { send } from "./support/client.js"
import * as LegacyClient from "./support/legacyClient.js"
import { initialize, legacy } from "./support/messages.js"
import { start } from "./support/server.js"
import { echo } from "./support/tools.js"

const list = { id: 1, method: "tools/list" }
const named = (version: string) => ({ "mcp-protocol-version": version })

describe("MCP-Protocol-Version in a session", () => {
  // verifies: SH-50, SH-51, SH-52, SH-54
  it.scopedLive(
    "may be missing, and may name another revision with sessions: the session knows its own",
    () =>
      Effect.gen(function* () {
        const { url } = yield* start([echo])
        const client = yield* LegacyClient.open(url, "2024-11-05")
        const answers = [{}, named("2024-11-05"), named(" 2025-03-26 "), named("2025-11-25")]
        const bodies = yield* Effect.forEach(answers, (headers) => send(client.post(list, headers)))
        for (const { body, status } of bodies) {
          assert.strictEqual(status, 200)
          const [tool] = JSON.parse(body).result.tools
          assert.sameMembers(Object.keys(tool), ["name", "inputSchema"])
        }
      })
  )

  // verifies: SH-53, SH-70
  it.scopedLive("is refused with 400 where nobody serves what it names, whatever the message is", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const client = yield* LegacyClient.open(url, "2025-06-18")
      const messages = [list, { method: "notifications/initialized" }, { id: 1, result: {} }, [list]]
      for (const message of messages) {
        const refused = yield* send(client.post(message, named("1.0.0")))
        assert.strictEqual(refused.status, 400)
        assert.strictEqual(JSON.parse(refused.body).error.code, -32600)
      }
      for (const sent of [client.get(), client.remove]) {
        const refused = yield* send({ ...sent, headers: { ...sent.headers, ...named("1.0.0") } })
        assert.strictEqual(refused.status, 400)
      }
      assert.strictEqual((yield* send(client.post(list))).status, 200)
    })
  )

  // verifies: SH-54
  it.scopedLive("is never served as legacy when it names 2026-07-28", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const client = yield* LegacyClient.open(url)
      const refused = yield* send(client.post(list, named("2026-07-28")))
      assert.deepStrictEqual([refused.status, JSON.parse(refused.body).error.code], [400, -32602])
    })
  )

  // verifies: SH-55, TRAP-40
  it.scopedLive("is not judged on initialize, unless it contradicts it", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      for (const version of ["2025-11-25", "2024-11-05", "1.0.0"]) {
        const opened = yield* send(legacy(url, undefined, initialize(), named(version)))
        assert.strictEqual(opened.status, 200)
        assert.property(opened.headers, "mcp-session-id")
      }
      const refused = yield* send(legacy(url, undefined, initialize(), named("2026-07-28")))
      assert.deepStrictEqual([refused.status, JSON.parse(refused.body).error.code], [400, -32020])
    })
  )
})

describe("requests of sessions", () => {
  // verifies: SH-42, SH-53
  it.scopedLive("are refused without a session by the version they name, whatever the message is", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const initialized = { method: "notifications/initialized" }
      for (const message of [initialized, { id: 1, result: {} }, list]) {
        for (const version of ["1999-01-01", "2025-06-18"]) {
          const refused = yield* send(legacy(url, undefined, message, named(version)))
          assert.strictEqual(refused.status, 400)
          assert.property(JSON.parse(refused.body), "error")
        }
      }
      assert.strictEqual((yield* send(legacy(url, undefined, initialized))).status, 202)
      const stateless = yield* start([echo], { legacy: "stateless" })
      const statuses = yield* Effect.forEach(["1999-01-01", "2025-06-18"], (version) =>
        send(legacy(stateless.url, undefined, initialized, named(version)))
      )
      assert.deepStrictEqual(
        statuses.map(({ status }) => status),
        [400, 202]
      )
    })
  )

  // verifies: SH-42, SH-43, SH-44
  it.scopedLive("are refused without a session, and in one that is over", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      assert.strictEqual((yield* send(legacy(url, undefined, list))).status, 400)
      const client = yield* LegacyClient.open(url)
      yield* send(client.remove)
      const messages = [list, initialize(), { method: "notifications/initialized" }, [list]]
      for (const message of messages) {
        assert.strictEqual((yield* send(client.post(message))).status, 404)
      }
    })
  )

  // verifies: LC-11, TRAP-38
  it.scopedLive("are served before notifications/initialized has come", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const opened = yield* send(legacy(url, undefined, initialize()))
      const sessionId = opened.headers["mcp-session-id"]?.toString()
      assert.strictEqual((yield* send(legacy(url, sessionId, list))).status, 200)
    })
  )

  // verifies: SH-09, TRAP-39
  it.scopedLive("have their errors on 200", () =>
    Effect.gen(function* () {
      const { url } = yield* start([echo])
      const client = yield* LegacyClient.open(url)
      for (const message of [
        { id: 1, method: "nope" },
        { id: 2, method: "tools/call", params: {} },
        { id: 3, method: "resources/read", params: { uri: "file:///nowhere" } }
      ]) {
        const answer = yield* send(client.post(message))
        assert.strictEqual(answer.status, 200)
        assert.property(JSON.parse(answer.body), "error")
      }
    })
  )
})
