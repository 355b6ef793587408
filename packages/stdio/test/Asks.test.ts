import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  cancel,
  connect,
  initialize,
  initialized,
  type Json,
  modern,
  notification,
  request
} from "./support/peer.js"
import { build, toolOf } from "./support/server.js"

const schema = Schema.Struct({ name: Schema.String })

/** A tool that asks for a name, and tells the test what came of it. */
const asking = Effect.gen(function* () {
  const outcome = yield* Deferred.make<Json>()
  const tool = toolOf(
    "greet",
    Effect.flatMap(Ask.form("name", { message: "Name?", schema }), (answer) =>
      Deferred.succeed(outcome, answer)
    )
  )
  return { tool, outcome: Deferred.await(outcome) }
})

const connectAsked = (tools: Parameters<typeof build>[0]) =>
  Effect.gen(function* () {
    const peer = yield* connect(yield* build(tools), { drainGrace: "1 hour" })
    yield* peer.write(initialize("2025-06-18", { elicitation: {} }), initialized)
    yield* peer.answerTo("init")
    return peer
  })

const accepted = { action: "accept", content: { name: "Ada" } }

describe("a question on stdio", () => {
  // verifies: CA-02, LC-27
  it.scopedLive("goes out as a request, whose id has nothing to do with those of the client", () =>
    Effect.gen(function* () {
      const { outcome, tool } = yield* asking
      const peer = yield* connectAsked([tool, toolOf("echo")])
      const call = (id: number) => request(id, "tools/call", { name: "greet" })
      yield* peer.write(call(7))
      const question = yield* peer.next
      assert.strictEqual(question.method, "elicitation/create")
      const { id } = question
      yield* peer.write(
        cancel(id),
        notification("notifications/cancelled", { requestId: String(id) }),
        request(id, "tools/call", { name: "echo" })
      )
      assert.property(yield* peer.answerTo(id), "result")
      yield* peer.write({ jsonrpc: "2.0", id: 7, result: accepted }, { jsonrpc: "2.0", id, result: accepted })
      assert.property(yield* peer.answerTo(7), "result")
      assert.deepInclude(yield* outcome, { _tag: "Accepted" })
    })
  )

  // verifies: CA-02
  it.scopedLive("is taken back when the call that asks is cancelled", () =>
    Effect.gen(function* () {
      const { tool } = yield* asking
      const peer = yield* connectAsked([tool])
      yield* peer.write(request(1, "tools/call", { name: "greet" }))
      const { id } = yield* peer.next
      yield* peer.write(cancel(1))
      const taken = yield* peer.next
      assert.strictEqual(taken.method, "notifications/cancelled")
      assert.strictEqual(taken.params.requestId, id)
      yield* peer.write({ jsonrpc: "2.0", id, result: accepted }, request(2, "ping"))
      assert.strictEqual((yield* peer.next).id, 2)
    })
  )

  it.scopedLive("has no answer when the client hangs up, so that the call ends by itself", () =>
    Effect.gen(function* () {
      const { outcome, tool } = yield* asking
      const peer = yield* connectAsked([tool])
      yield* peer.write(request(1, "tools/call", { name: "greet" }))
      yield* peer.next
      yield* peer.hangUp
      yield* peer.ended
      assert.deepInclude(yield* outcome, { _tag: "Unavailable" })
      assert.property(yield* peer.answerTo(1), "result")
    })
  )

  it.scopedLive("is still part of the result for a modern call on the same pipe", () =>
    Effect.gen(function* () {
      const { tool } = yield* asking
      const peer = yield* connectAsked([tool])
      yield* peer.write(modern(1, "tools/call", { name: "greet" }, { elicitation: { form: {} } }))
      assert.strictEqual((yield* peer.next).result.resultType, "input_required")
    })
  )
})
