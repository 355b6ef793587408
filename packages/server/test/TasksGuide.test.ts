import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { Server, Tools } from "./guide/tasks.js"
import { call, get, tasks } from "./support/taskClient.js"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

const guide = Layer.provideMerge(Tools, Server)

const capabilities = { ...tasks, elicitation: { form: {} } }

describe("docs/guide/tasks.md", () => {
  it("shows code that compiles", () => {
    const code = read("guide/tasks.ts")
    const blocks = [...read("../../../docs/guide/tasks.md").matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    assert.strictEqual(blocks.length, 4)
    for (const [, block = ""] of blocks) assert.include(code, block)
  })

  it.effect("runs a call as a task", () =>
    Effect.gen(function* () {
      const { result, taskId } = yield* call("backup", { params: { arguments: { database: "shop" } } })
      assert.deepInclude(result, { ttlMs: 7_200_000, pollIntervalMs: 5000 })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* get(taskId)).statusMessage, "Locking the tables")
      yield* TestClock.adjust("9 minutes")
      assert.strictEqual((yield* get(taskId)).text, "shop.dump")
    }).pipe(Effect.provide(guide))
  )

  it.effect("asks first and becomes a task then", () =>
    Effect.gen(function* () {
      const params = { arguments: { dump: "shop.dump" } }
      const { requestState, resultType } = yield* call("restore", { capabilities, params })
      assert.strictEqual(resultType, "input_required")
      const inputResponses = { sure: { action: "accept", content: {} } }
      const handle = yield* call("restore", {
        capabilities,
        params: { ...params, inputResponses, requestState }
      })
      assert.strictEqual(handle.resultType, "task")
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* get(handle.taskId)).text, "Restored.")
    }).pipe(Effect.provide(guide))
  )
})
