import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { send, stream } from "./support/client.js"
import * as Events from "./support/events.js"
import * as LegacyClient from "./support/legacyClient.js"
import { legacy } from "./support/messages.js"
import { start } from "./support/server.js"

const greet = Tool.make("greet", {
  input: Schema.Struct({}),
  handler: () =>
    Effect.map(
      Ask.form("name", { message: "Name?", schema: Schema.Struct({ name: Schema.String }) }),
      (outcome) => (outcome._tag === "Accepted" ? `Hello ${outcome.content.name}` : outcome._tag)
    )
})

const answer = (id: unknown, name: string) => ({ id, result: { action: "accept", content: { name } } })

describe("what a session has asked", () => {
  // verifies: EL-13
  it.scopedLive("is answered by the user who opened it, and by nobody who knows its id", () =>
    Effect.gen(function* () {
      const { url } = yield* start([greet], { principalOf: ({ header }) => header("x-user") })
      const ann = yield* LegacyClient.open(url, "2025-11-25", { "x-user": "ann" }, { elicitation: {} })
      const reply = yield* stream(ann.post(LegacyClient.callTool(1, "greet")))
      const next = Effect.repeat(Events.next(reply), { while: ({ message }) => message === undefined })
      const asked = (yield* next).message
      const stolen = (headers: Record<string, string>) =>
        legacy(url, ann.sessionId, answer(asked.id, "Eve"), headers)
      for (const user of [{ "x-user": "eve" }, {}]) {
        assert.strictEqual((yield* send(stolen(user))).status, 404)
      }
      yield* send(ann.post(answer(asked.id, "Ann")))
      assert.strictEqual((yield* next).message.result.content[0].text, "Hello Ann")
    })
  )
})
