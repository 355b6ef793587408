import { PassThrough } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { connect, modern } from "./support/peer.js"
import { build, gated, toolOf } from "./support/server.js"

describe("a peer on stdio", () => {
  it.scopedLive("has only so many requests running at a time, and is told so", () =>
    Effect.gen(function* () {
      const slow = yield* gated("slow")
      const peer = yield* connect(yield* build([slow.tool, toolOf("echo")]), { maxRequests: 2 })
      yield* peer.write(...[1, 2, 3].map((id) => modern(id, "tools/call", { name: "slow" })))
      const refused = yield* peer.next
      assert.deepStrictEqual([refused.id, refused.error.code], [3, -32603])
      assert.include(refused.error.message, "limit 2")
      yield* Deferred.succeed(slow.gate, undefined)
      yield* peer.answerTo(2)
      yield* peer.write(modern(5, "tools/call", { name: "echo" }))
      assert.property(yield* peer.answerTo(5), "result")
    })
  )

  it.scopedLive("that reads nothing loses its connection before its replies fill the memory", () =>
    Effect.gen(function* () {
      const slow = yield* gated("slow")
      const long = toolOf("x".repeat(100))
      const output = new PassThrough({ highWaterMark: 1 })
      const peer = yield* connect(yield* build([slow.tool, long]), { output, maxUnread: 10_000 })
      yield* peer.write(modern("slow", "tools/call", { name: "slow" }))
      for (let id = 0; id < 200; id++) {
        yield* peer.write(modern(id, "tools/call", { name: long.definition.name }))
      }
      yield* Deferred.await(slow.started)
      yield* Deferred.succeed(slow.gate, undefined)
      yield* peer.ended
      assert.isBelow(output.readableLength + output.writableLength, 100_000)
    })
  )
})
