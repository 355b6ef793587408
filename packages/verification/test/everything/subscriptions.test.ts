import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { modern } from "../support/messages.js"
import { declaring, everyCapability, onStdio } from "./support/served.js"

const tag = (id: unknown) => ({ "io.modelcontextprotocol/subscriptionId": id })

describe("a subscription to the fixture", () => {
  it.scopedLive("is told what the trigger tools change, and nothing that it did not ask for", () =>
    Effect.gen(function* () {
      const peer = yield* onStdio
      const asked = { promptsListChanged: true, resourceSubscriptions: ["test://watched-resource"] }
      yield* peer.send(modern("s", "subscriptions/listen", { notifications: asked }))
      assert.deepStrictEqual((yield* peer.next).params, { notifications: asked, _meta: tag("s") })
      for (const [id, name, told] of [
        [1, "test_trigger_tool_change", undefined],
        [2, "test_trigger_prompt_change", { _meta: tag("s") }],
        [3, "test_trigger_resource_update", { uri: "test://watched-resource", _meta: tag("s") }]
      ] as const) {
        yield* peer.send(modern(id, "tools/call", { name }))
        assert.strictEqual((yield* peer.next).id, id)
        if (told !== undefined) assert.deepStrictEqual((yield* peer.next).params, told)
      }
    })
  )

  it.scopedLive("is told how a task goes, as a poll would tell it", () =>
    Effect.gen(function* () {
      const peer = yield* onStdio
      const meta = declaring(everyCapability)
      yield* peer.send(
        modern(1, "tools/call", { name: "confirm_delete", arguments: { filename: "a.txt" } }, meta)
      )
      const { taskId } = (yield* peer.next).result
      yield* peer.send(modern(2, "subscriptions/listen", { notifications: { taskIds: [taskId] } }, meta))
      assert.deepStrictEqual((yield* peer.next).params.notifications, { taskIds: [taskId] })
      const status = Effect.gen(function* () {
        yield* Effect.yieldNow()
        yield* peer.send(modern(4, "tasks/get", { taskId }, meta))
        return (yield* Effect.repeat(peer.next, { until: ({ id }) => id === 4, times: 10 })).result.status
      })
      yield* Effect.repeat(status, { until: (now) => now === "input_required", times: 1_000 })
      const inputResponses = { confirm: { action: "accept", content: { confirm: true } } }
      yield* peer.send(modern(3, "tasks/update", { taskId, inputResponses }, meta))
      const told = yield* Effect.repeat(peer.next, {
        until: ({ params }) => params?.status === "completed",
        times: 10
      })
      assert.strictEqual(told.method, "notifications/tasks")
      assert.deepStrictEqual(told.params._meta, tag(2))
      assert.strictEqual(told.params.taskId, taskId)
      assert.strictEqual(told.params.result.content[0].text, "Deleted a.txt.")
    })
  )
})
