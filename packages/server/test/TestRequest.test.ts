import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as Progress from "@pushbutton/server/Progress"
import { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as TestRequest from "@pushbutton/server/testing/TestRequest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Deploy = Tool.make("deploy", {
  input: Schema.Struct({ build: Schema.String }),
  handler: ({ build }) =>
    Effect.gen(function* () {
      yield* Progress.report({ progress: 1, message: "asking" })
      const answer = yield* Ask.form("sure", {
        message: `Ship ${build}?`,
        schema: Schema.Struct({ yes: Schema.Boolean })
      })
      const { principal } = yield* RequestContext
      return answer._tag === "Accepted" ? `${principal} ships ${build}: ${answer.content.yes}` : answer._tag
    })
})

const deploy = (request: TestRequest.TestRequest) =>
  Effect.map(Effect.provide(Deploy.call({ build: "7" }), request.layer), ({ content: [block] }) =>
    block !== undefined && "text" in block ? block.text : undefined
  )

describe("TestRequest", () => {
  it.effect("lets a handler run as for a client, with scripted answers", () =>
    Effect.gen(function* () {
      const request = TestRequest.make({
        principal: "ada",
        answers: { sure: { action: "accept", content: { yes: true } } }
      })
      assert.strictEqual(yield* deploy(request), "ada ships 7: true")
      assert.deepStrictEqual(request.progress(), [{ progress: 1, message: "asking" }])
    })
  )

  it.effect("has no answer that was not given, and takes none that does not fit the question", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* deploy(TestRequest.make()), "Unavailable")
      const wrong = TestRequest.make({ answers: { sure: { action: "accept", content: { yes: "maybe" } } } })
      assert.strictEqual(yield* deploy(wrong), "Failed")
    })
  )
})
