import { assert, describe, it } from "@effect/vitest"
import { BatchReplies } from "@pushbutton/server/BatchReplies"
import type { Reply, SingleDecision } from "@pushbutton/server/Decision"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

const reply = (text: string): Reply => ({ status: 200, text })

const call = (id: number): SingleDecision => ({
  _tag: "Call",
  call: {
    id,
    era: "legacy",
    start: (_, fork) => fork(Effect.never, Context.empty()),
    refuse: (reason) => reply(`${id} ${reason._tag}`)
  }
})

const answered: SingleDecision = { _tag: "Reply", reply: reply("at once") }

describe("BatchReplies", () => {
  it("has all when each reply and each call has settled, cancelled or not", () => {
    const decisions: ReadonlyArray<SingleDecision> = [call(1), { _tag: "Accept" }, call(2), answered]
    const replies = new BatchReplies(decisions)
    replies.settle(answered, reply("at once"))
    replies.settle(call(2), undefined)
    assert.isFalse(replies.isDone)
    replies.settle(call(1), reply("one"))
    assert.isTrue(replies.isDone)
    assert.deepStrictEqual(replies.take(), ["at once", "one"])
    assert.deepStrictEqual(replies.take(), [])
  })

  it("is done from the start when nothing is to be answered", () => {
    assert.isTrue(new BatchReplies([{ _tag: "Accept" }, { _tag: "Cancel", id: 1, reason: undefined }]).isDone)
  })

  it("has an error for a result that there is no room for, until there is room again", () => {
    const replies = new BatchReplies([call(1), call(2), call(3)], 10)
    replies.settle(call(1), reply("x".repeat(8)))
    replies.settle(call(2), reply("x".repeat(8)))
    assert.deepStrictEqual(replies.take(), ["x".repeat(8), "2 BatchTooLong"])
    replies.settle(call(3), reply("x".repeat(8)))
    assert.deepStrictEqual(replies.take(), ["x".repeat(8)])
  })
})
