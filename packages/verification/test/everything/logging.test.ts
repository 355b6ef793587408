import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { modern } from "../support/messages.js"
import { onStdio, overHttp } from "./support/served.js"

const asking = (level: string) => ({ "io.modelcontextprotocol/logLevel": level })
const tool = { name: "test_tool_with_logging" }

describe("log messages of the fixture", () => {
  // verifies: LOG-02
  it.scopedLive("are announced", () =>
    Effect.gen(function* () {
      const { ask } = yield* overHttp
      assert.deepStrictEqual((yield* ask("server/discover")).body.result.capabilities.logging, {})
    })
  )

  // verifies: LOG-04, LOG-03
  it.scopedLive("come before the response of the request that asked for their level, and for no other", () =>
    Effect.gen(function* () {
      const { ask } = yield* overHttp
      const messagesFor = (meta: object) =>
        Effect.map(ask("tools/call", tool, meta), ({ events }) =>
          events.slice(0, -1).map(({ method, params }) => [method, params.level, params.data])
        )
      const all = ["Tool execution started", "Tool processing data", "Tool execution completed"]
      for (const level of ["debug", "info"]) {
        assert.deepStrictEqual(
          yield* messagesFor(asking(level)),
          all.map((text) => ["notifications/message", "info", text])
        )
      }
      assert.deepStrictEqual(yield* messagesFor(asking("warning")), [])
      assert.deepStrictEqual(yield* messagesFor({}), [])
    })
  )

  // verifies: LOG-05
  it.scopedLive("belong to no subscription", () =>
    Effect.gen(function* () {
      const peer = yield* onStdio
      yield* peer.send(
        modern("s", "subscriptions/listen", { notifications: { toolsListChanged: true } }, asking("debug"))
      )
      yield* peer.next
      yield* peer.send(modern(1, "tools/call", tool, asking("debug")))
      for (let count = 0; count < 3; count++) {
        const { method, params } = yield* peer.next
        assert.strictEqual(method, "notifications/message")
        assert.notProperty(params._meta ?? {}, "io.modelcontextprotocol/subscriptionId")
      }
      assert.strictEqual((yield* peer.next).id, 1)
      yield* peer.send(modern(2, "tools/call", tool))
      assert.strictEqual((yield* peer.next).id, 2)
    })
  )
})

describe("the trace of a request", () => {
  const traceOf = (meta: object) =>
    Effect.gen(function* () {
      const { ask } = yield* overHttp
      const answer = yield* ask("tools/call", { name: "test_trace_context" }, meta)
      return JSON.parse(answer.body.result.content[0].text)
    })

  // verifies: META-19
  it.scopedLive("reaches the handler as it was sent, and not at all where it is malformed", () =>
    Effect.gen(function* () {
      const sound = {
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        tracestate: "vendor=value",
        baggage: "user=ada"
      }
      assert.deepStrictEqual(yield* traceOf(sound), sound)
      for (const traceparent of ["00-zz", 7, `00-${"0".repeat(32)}-b7ad6b7169203331-01`]) {
        assert.deepStrictEqual(yield* traceOf({ ...sound, traceparent }), { baggage: "user=ada" })
      }
    })
  )
})
