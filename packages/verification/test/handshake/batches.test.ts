/** Batches: 2025-03-26 has to take them, on every transport, and no other revision may. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { initialize, request } from "../support/messages.js"
import type { Json } from "../support/rawHttp.js"
import * as Peers from "./support/peers.js"

const notification = { jsonrpc: "2.0", method: "notifications/zzz" }

const batch = [
  request("a", "tools/call", { name: "test_simple_text", arguments: {} }),
  notification,
  request("b", "ping"),
  request("c", "nope"),
  request("d", "tools/call", { name: "test_tool_with_progress", arguments: {} })
]

const ids = (messages: ReadonlyArray<Json>) =>
  messages.filter((message) => "result" in message || "error" in message).map(({ id }) => id)

layer(Peers.layer(), { excludeTestServices: true })("a batch", (it) => {
  for (const transport of Peers.transports) {
    // verifies: BA-01, BA-02, BA-03, BA-04, ST-04, SH-07, DL-07, EN-34, TRAP-17
    it.scoped(`of 2025-03-26 on ${transport} has each of its requests answered once`, () =>
      Effect.gen(function* () {
        const peer = yield* (yield* Peers.Peers).of(transport, "2025-03-26")
        const heard = peer.listen()
        yield* peer.send(batch)
        yield* heard.next(({ id }) => id === "d")
        yield* peer.request("ping")
        const answered = ids(heard.messages()).filter((id) => typeof id === "string")
        assert.deepStrictEqual(answered.sort(), ["a", "b", "c", "d"])
        const of = (wanted: string) => heard.messages().find(({ id }) => id === wanted)
        assert.strictEqual(of("a").result.content[0].text, "This is a simple text response for testing.")
        assert.deepStrictEqual(of("b").result, {})
        assert.strictEqual(of("c").error.code, -32601)
      })
    )

    // verifies: BA-01, BA-03
    it.scoped(`of 2025-03-26 on ${transport} may hold notifications only`, () =>
      Effect.gen(function* () {
        const peer = yield* (yield* Peers.Peers).of(transport, "2025-03-26")
        const heard = peer.listen()
        yield* peer.send([notification, notification])
        yield* peer.request("ping")
        assert.lengthOf(heard.messages(), 1)
      })
    )

    // verifies: LC-13, BA-05
    it.scoped(`of 2025-03-26 on ${transport} is refused where it is empty, or would open a session`, () =>
      Effect.gen(function* () {
        const peer = yield* (yield* Peers.Peers).of(transport, "2025-03-26")
        for (const wrong of [[], [initialize("i", "2025-03-26")]]) {
          const heard = peer.listen()
          yield* peer.send(wrong)
          assert.deepStrictEqual((yield* peer.request("ping")).result, {})
          // Where there is no id to answer under, some transports have nothing to say in this revision.
          for (const { error } of heard.messages().slice(0, -1)) assert.strictEqual(error.code, -32600)
        }
      })
    )

    // verifies: BA-06, SH-08, ST-05, TRAP-17
    it.scoped.each(["2024-11-05", "2025-06-18", "2025-11-25"] as const)(
      `of %s on ${transport} runs nothing`,
      (version) =>
        Effect.gen(function* () {
          const peer = yield* (yield* Peers.Peers).of(transport, version)
          const heard = peer.listen()
          yield* peer.send(batch.slice(0, 4))
          // Longer than any part of the batch would take.
          yield* peer.call("test_tool_with_progress")
          assert.lengthOf(
            heard.messages().filter(({ result }) => result !== undefined),
            1
          )
        })
    )
  }
})
