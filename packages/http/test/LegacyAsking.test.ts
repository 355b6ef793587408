import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { send, stream } from "./support/client.js"
import * as Events from "./support/events.js"
import * as LegacyClient from "./support/legacyClient.js"
import { connectionLost, start } from "./support/server.js"

const makeGreet = Effect.gen(function* () {
  const interrupted = yield* Deferred.make<void>()
  const tool = Tool.make("greet", {
    input: Schema.Struct({}),
    handler: () =>
      Ask.form("name", { message: "Name?", schema: Schema.Struct({ name: Schema.String }) }).pipe(
        Effect.map((outcome) =>
          outcome._tag === "Accepted" ? `Hello ${outcome.content.name}` : outcome._tag
        ),
        Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
      )
  })
  return { tool, interrupted }
})

const openAskable = (url: string, version = "2025-11-25") =>
  LegacyClient.open(url, version, {}, { elicitation: {} })

const answer = (id: unknown) => ({ id, result: { action: "accept", content: { name: "Ada" } } })

const nextMessage = (reply: Parameters<typeof Events.next>[0]) =>
  Effect.map(
    Effect.repeat(Events.next(reply), { while: ({ message }) => message === undefined }),
    ({ message }) => message
  )

describe("HttpTransport and asks in sessions", () => {
  for (const version of ["2025-06-18", "2025-11-25"]) {
    // verifies: SH-05, SH-10, TRAP-26
    it.scopedLive(`asks on the stream of the request, and takes the answer by POST (${version})`, () =>
      Effect.gen(function* () {
        const greet = yield* makeGreet
        const { url } = yield* start([greet.tool])
        const client = yield* openAskable(url, version)
        const reply = yield* stream(client.post(LegacyClient.callTool(1, "greet")))
        const asked = yield* nextMessage(reply)
        assert.strictEqual(asked.method, "elicitation/create")
        const taken = yield* send(client.post(answer(asked.id)))
        assert.deepStrictEqual([taken.status, taken.body], [202, ""])
        assert.strictEqual((yield* nextMessage(reply)).result.content[0].text, "Hello Ada")
        assert.strictEqual(yield* reply.rest, "")
      })
    )
  }

  // verifies: SH-13, SH-27
  it.scopedLive("asks on a stream that has lost its connection, as soon as its client is back", () =>
    Effect.gen(function* () {
      const greet = yield* makeGreet
      const { url } = yield* start([greet.tool])
      const client = yield* openAskable(url)
      const lost = yield* connectionLost("dropped")
      const seen = yield* Effect.scoped(
        Effect.flatMap(
          stream(client.post(LegacyClient.callTool(1, "greet"), { "x-marker": "dropped" })),
          Events.next
        )
      )
      yield* lost
      const reply = yield* stream(client.get(seen.id))
      const asked = yield* nextMessage(reply)
      yield* send(client.post(answer(asked.id)))
      assert.strictEqual((yield* nextMessage(reply)).result.content[0].text, "Hello Ada")
    })
  )

  // verifies: SH-14
  it.scopedLive("takes a question back when its request is cancelled", () =>
    Effect.gen(function* () {
      const greet = yield* makeGreet
      const { url } = yield* start([greet.tool])
      const client = yield* openAskable(url)
      const reply = yield* stream(client.post(LegacyClient.callTool(1, "greet")))
      const asked = yield* nextMessage(reply)
      yield* send(client.post({ method: "notifications/cancelled", params: { requestId: 1 } }))
      yield* Deferred.await(greet.interrupted)
      const { method, params } = yield* nextMessage(reply)
      assert.deepStrictEqual([method, params.requestId], ["notifications/cancelled", asked.id])
      assert.strictEqual(yield* reply.rest, "")
    })
  )

  // verifies: TRAP-25
  it.scopedLive("asks nothing of a client that takes no stream", () =>
    Effect.gen(function* () {
      const greet = yield* makeGreet
      const { url } = yield* start([greet.tool])
      const client = yield* openAskable(url)
      const call = client.post(LegacyClient.callTool(1, "greet"), { accept: "application/json" })
      const result = JSON.parse((yield* send(call)).body).result
      assert.strictEqual(result.content[0].text, "Unavailable")
    })
  )

  // verifies: TRAP-25, IN-18
  it.scopedLive("has no answer at once from a client that left before there was a stream", () =>
    Effect.gen(function* () {
      const [started, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const outcome = yield* Deferred.make<string>()
      const late = Tool.make("late", {
        input: Schema.Struct({}),
        handler: () =>
          Deferred.succeed(started, undefined).pipe(
            Effect.zipRight(Deferred.await(gate)),
            Effect.zipRight(Ask.form("name", { message: "Name?", schema: Schema.Struct({}) })),
            Effect.tap(({ _tag }) => Deferred.succeed(outcome, _tag)),
            Effect.as("done")
          )
      })
      const { url } = yield* start([late])
      const client = yield* openAskable(url)
      const lost = yield* connectionLost("late")
      const leaves = client.post(LegacyClient.callTool(1, "late"), { "x-marker": "late" })
      const call = yield* Effect.fork(send(leaves))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(call)
      yield* lost
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Deferred.await(outcome), "Unavailable")
    })
  )

  // verifies: SH-46
  it.scopedLive("takes no answer from another session", () =>
    Effect.gen(function* () {
      const greet = yield* makeGreet
      const { url } = yield* start([greet.tool])
      const client = yield* openAskable(url)
      const other = yield* openAskable(url)
      const reply = yield* stream(client.post(LegacyClient.callTool(1, "greet")))
      const asked = yield* nextMessage(reply)
      yield* send(other.post({ id: asked.id, result: { action: "accept", content: { name: "Eve" } } }))
      yield* send(client.post(answer(asked.id)))
      assert.strictEqual((yield* nextMessage(reply)).result.content[0].text, "Hello Ada")
    })
  )
})
