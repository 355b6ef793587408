/** What the server tells clients of handshake revisions unasked, and what they can have it tell them. */
import { assert, layer } from "@effect/vitest"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Effect from "effect/Effect"
import type { Json } from "../support/rawHttp.js"
import type { Peer } from "./support/peer.js"
import * as Peers from "./support/peers.js"
import { versions } from "./support/schema.js"

const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]

const of = (method: string) => (message: Json) => message.method === method

layer(Peers.layer(), { excludeTestServices: true })("a client of a handshake revision", (it) => {
  for (const transport of Peers.transports) {
    /** Lets the client of a revision do something, and looks at all that it was sent. */
    const checked = (version: LegacyVersion, use: (peer: Peer) => Effect.Effect<void>) =>
      Effect.gen(function* () {
        const peer = yield* (yield* Peers.Peers).of(transport, version)
        yield* use(peer)
        assert.deepStrictEqual(peer.problems, [])
      })

    // verifies: PG-01, PG-02, EN-28, EN-60, SH-10
    it.scoped.each(versions)(
      `of %s on ${transport} is told the progress of a call that has a token`,
      (version) =>
        checked(version, (peer) =>
          Effect.gen(function* () {
            const heard = peer.listen()
            yield* peer.call("test_tool_with_progress")
            assert.lengthOf(heard.told("notifications/progress"), 0)
            for (const progressToken of ["a", 0]) {
              const { id } = yield* peer.call("test_tool_with_progress", {}, { progressToken })
              const message = (step: number) =>
                version === "2024-11-05" ? {} : { message: `Completed step ${step} of 100` }
              assert.deepStrictEqual(
                heard
                  .told("notifications/progress")
                  .filter((params) => params.progressToken === progressToken),
                [0, 50, 100].map((progress) => ({
                  progressToken,
                  progress,
                  total: 100,
                  ...message(progress)
                }))
              )
              const order = heard
                .messages()
                .filter((one) => one.id === id || one.params?.progressToken === progressToken)
              assert.strictEqual(order.at(-1)?.id, id)
            }
          })
        )
    )

    // verifies: LO-01, LO-02, LO-03, LO-04, DL-30, TRAP-02
    it.scoped.each(versions)(
      `of %s on ${transport} is sent what is logged, from the level on that it has set`,
      (version) =>
        checked(version, (peer) =>
          Effect.gen(function* () {
            const logged = Effect.gen(function* () {
              const heard = peer.listen()
              yield* peer.call("test_logging_levels")
              return heard.told("notifications/message").map(({ level }) => level)
            })
            const set = (level: string) => peer.request("logging/setLevel", { level })
            assert.deepStrictEqual(yield* logged, levels.slice(1), "info is the default")
            for (const [index, level] of levels.entries()) {
              assert.deepStrictEqual((yield* set(level)).result, {})
              assert.deepStrictEqual(yield* logged, levels.slice(index))
            }
            assert.strictEqual((yield* set("loud")).error.code, -32602)
            assert.deepStrictEqual(yield* logged, ["emergency"])
          })
        )
    )

    // verifies: RE-02, RE-03, DL-32
    it.scoped.each(versions)(
      `of %s on ${transport} is told of the resources that it subscribed to`,
      (version) =>
        checked(version, (peer) =>
          Effect.gen(function* () {
            const uri = "test://watched-resource"
            const updated = "notifications/resources/updated"
            const heard = peer.listen()
            yield* peer.call("test_trigger_resource_update")
            assert.deepStrictEqual((yield* peer.request("resources/subscribe", { uri })).result, {})
            yield* peer.call("test_trigger_resource_update")
            assert.deepStrictEqual((yield* heard.next(of(updated))).params, { uri })
            assert.deepStrictEqual((yield* peer.request("resources/unsubscribe", { uri })).result, {})
            yield* peer.call("test_trigger_resource_update")
            // Lists are told after updates.
            yield* peer.call("test_trigger_tool_change")
            yield* heard.next(of("notifications/tools/list_changed"))
            assert.lengthOf(heard.told(updated), 1)
          })
        )
    )

    // verifies: TO-02, PR-03, SH-21, SH-23, TRAP-21, DL-31
    it.scoped.each(versions)(`of %s on ${transport} is told once of each list that has changed`, (version) =>
      checked(version, (peer) =>
        Effect.gen(function* () {
          const heard = peer.listen()
          yield* peer.call("test_trigger_tool_change")
          yield* heard.next(of("notifications/tools/list_changed"))
          yield* peer.call("test_trigger_prompt_change")
          yield* heard.next(of("notifications/prompts/list_changed"))
          yield* peer.request("ping")
          assert.lengthOf(heard.told("notifications/tools/list_changed"), 1)
          assert.lengthOf(heard.told("notifications/prompts/list_changed"), 1)
        })
      )
    )

    // verifies: CA-01, CA-05, TRAP-33
    it.scoped.each(versions)(`of %s on ${transport} cancels a call by the id that it has sent`, (version) =>
      checked(version, (peer) =>
        Effect.gen(function* () {
          const heard = peer.listen()
          const call = {
            name: "test_waiting",
            arguments: { seconds: 3600 },
            _meta: { progressToken: "begun" }
          }
          yield* peer.send({ jsonrpc: "2.0", id: "slow", method: "tools/call", params: call })
          yield* heard.next(of("notifications/progress"))
          const cancel = (requestId: unknown) =>
            peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } })
          yield* cancel("slower")
          const again = { name: "test_simple_text" }
          yield* peer.send({ jsonrpc: "2.0", id: "slow", method: "tools/call", params: again })
          const refused = yield* heard.next(({ id }) => id === "slow")
          assert.strictEqual(refused.error.code, -32600, "it still runs")
          yield* cancel("slow")
          yield* peer.request("ping")
          assert.lengthOf(
            heard.messages().filter(({ id }) => id === "slow"),
            1
          )
        })
      )
    )
  }
})
