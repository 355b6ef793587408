import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as Progress from "@pushbutton/server/Progress"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { send, stream } from "./support/client.js"
import { modern } from "./support/messages.js"
import { start } from "./support/server.js"

const greet = Tool.make("greet", {
  input: Schema.Struct({}),
  handler: () =>
    Effect.gen(function* () {
      yield* Progress.report({ progress: 1 })
      const name = Ask.form("name", { message: "Name?", schema: Schema.Struct({ name: Schema.String }) })
      return `Hello ${(yield* Ask.orFail(name)).name}`
    })
})

const capable = { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } }

const call = (url: string, retry: object = {}, meta: Record<string, unknown> = capable) => {
  const params = { name: "greet", arguments: {}, _meta: meta, ...retry }
  return modern(url, 1, "tools/call", params)
}

const answers = { name: { action: "accept", content: { name: "Ada" } } }

describe("HttpTransport and asks", () => {
  // verifies: MRTR-01
  it.scopedLive("carries a question in one answer, and its answer in the next request", () =>
    Effect.gen(function* () {
      const { url } = yield* start([greet])
      const asked = yield* send(call(url))
      assert.strictEqual(asked.status, 200)
      const { inputRequests, requestState, resultType } = JSON.parse(asked.body).result
      assert.strictEqual(resultType, "input_required")
      assert.deepStrictEqual(Object.keys(inputRequests), ["name"])
      const done = yield* send(call(url, { inputResponses: answers, requestState }))
      assert.strictEqual(JSON.parse(done.body).result.content[0].text, "Hello Ada")
    })
  )

  // verifies: META-06, HTTP-31
  it.scopedLive("answers 400 to a client that cannot be asked", () =>
    Effect.gen(function* () {
      const { url } = yield* start([greet])
      const refused = yield* send(call(url, {}, {}))
      assert.strictEqual(refused.status, 400)
      const { error } = JSON.parse(refused.body)
      assert.strictEqual(error.code, -32021)
      assert.deepStrictEqual(error.data, { requiredCapabilities: { elicitation: { form: {} } } })
    })
  )

  it.scopedLive("asks at the end of an event stream too", () =>
    Effect.gen(function* () {
      const { url } = yield* start([greet])
      const events = yield* stream(call(url, {}, { ...capable, progressToken: "p" }))
      assert.include(yield* events.next, "notifications/progress")
      assert.include(yield* events.next, '"resultType":"input_required"')
      assert.strictEqual(yield* events.rest, "")
    })
  )

  // verifies: MRTR-15, P-69
  it.scopedLive("does not open the state of another server", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* start([greet]), yield* start([greet])]
      const { requestState } = JSON.parse((yield* send(call(one.url))).body).result
      const refused = yield* send(call(other.url, { inputResponses: answers, requestState }))
      assert.strictEqual(refused.status, 200)
      assert.strictEqual(JSON.parse(refused.body).error.code, -32602)
    })
  )
})
