import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cancelled, modern } from "../support/messages.js"
import * as RawHttp from "../support/rawHttp.js"
import { declaring, everyCapability, onStdio, overHttp } from "./support/served.js"

const lists = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]

describe("one connection", () => {
  // verifies: CORE-29, META-05, META-08, MRTR-09, VER-08
  it.scopedLive("remembers nothing of what an earlier request declared", () =>
    Effect.gen(function* () {
      const peer = yield* onStdio
      const asking = { name: "test_input_required_result_elicitation" }
      yield* peer.send(modern(1, "tools/call", asking, declaring(everyCapability)))
      assert.strictEqual((yield* peer.next).result.resultType, "input_required")
      yield* peer.send(modern(2, "tools/call", asking))
      const refused = yield* peer.next
      assert.strictEqual(refused.error.code, -32021)
      assert.deepStrictEqual(refused.error.data, { requiredCapabilities: { elicitation: { form: {} } } })
      const slow = { name: "slow_compute", arguments: { seconds: 0 } }
      yield* peer.send(modern(3, "tools/call", slow, declaring(everyCapability)))
      assert.strictEqual((yield* peer.next).result.resultType, "task")
      yield* peer.send(modern(4, "tools/call", slow))
      assert.strictEqual((yield* peer.next).result.resultType, "complete")
    })
  )

  // verifies: CANC-10
  it.scopedLive("does not end a task by a notification that names its request", () =>
    Effect.gen(function* () {
      const peer = yield* onStdio
      const meta = declaring(everyCapability)
      yield* peer.send(modern(1, "tools/call", { name: "slow_compute", arguments: { seconds: 3600 } }, meta))
      const { taskId } = (yield* peer.next).result
      yield* peer.send(cancelled(1))
      yield* peer.send(modern(2, "tasks/get", { taskId }, meta))
      assert.strictEqual((yield* peer.next).result.status, "working")
      yield* peer.send(modern(3, "tasks/cancel", { taskId }, meta))
      assert.deepStrictEqual(Object.keys((yield* peer.next).result).sort(), ["_meta", "resultType"])
      // Its work ends on its own time.
      const status = Effect.gen(function* () {
        yield* Effect.yieldNow()
        yield* peer.send(modern(4, "tasks/get", { taskId }, meta))
        return (yield* peer.next).result.status
      })
      assert.strictEqual(
        yield* Effect.repeat(status, { until: (now) => now !== "working", times: 1_000 }),
        "cancelled"
      )
    })
  )
})

describe("lists", () => {
  // verifies: CORE-32, TOOL-06, PROM-04, RES-04, TOOL-04
  it.scopedLive("are the same on every connection, whatever was called before", () =>
    Effect.gen(function* () {
      const { ask, url } = yield* overHttp
      const peer = yield* onStdio
      const listed = Effect.forEach(lists, (method) => Effect.map(ask(method), ({ body }) => body.result))
      const before = yield* listed
      yield* ask("tools/call", { name: "test_simple_text" })
      yield* ask("tools/call", { name: "test_error_handling" })
      yield* ask("resources/read", { uri: "test://static-text" })
      yield* ask("prompts/get", { name: "test_simple_prompt" })
      assert.deepStrictEqual(yield* listed, before)
      const undeclared = yield* Effect.forEach(lists, (method) =>
        Effect.map(
          RawHttp.post(url, { body: modern(2, method), headers: { connection: "close" } }),
          ({ body }) => body.result
        )
      )
      assert.deepStrictEqual(undeclared, before)
      for (const [index, method] of lists.entries()) {
        yield* peer.send(modern(1, method))
        assert.deepStrictEqual((yield* peer.next).result, before[index])
      }
    })
  )

  // verifies: CORE-35, DISC-06, DISC-07, VER-06, P-61, P-95
  it.scopedLive("exist exactly where discovery announces them", () =>
    Effect.gen(function* () {
      const { ask } = yield* overHttp
      const { capabilities, supportedVersions } = (yield* ask("server/discover")).body.result
      assert.deepStrictEqual(supportedVersions, ["2026-07-28"])
      assert.deepInclude(capabilities, {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        extensions: { "io.modelcontextprotocol/tasks": {} }
      })
      for (const method of [...lists, "server/discover"]) {
        assert.strictEqual((yield* ask(method)).body.result.resultType, "complete", method)
      }
    })
  )
})
