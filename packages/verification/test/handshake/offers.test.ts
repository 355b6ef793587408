/** What each handshake revision is offered by the everything fixture, end to end: every message fits its schema. */
import { assert, layer } from "@effect/vitest"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Effect from "effect/Effect"
import type { Json } from "../support/rawHttp.js"
import type { Peer } from "./support/peer.js"
import * as Peers from "./support/peers.js"
import { versions } from "./support/schema.js"

const since = (version: LegacyVersion, first: LegacyVersion) => version >= first

const types = (blocks: ReadonlyArray<Json>) => blocks.map(({ type }) => type)

/** What is asked, and what comes of it. */
const offers: Readonly<Record<string, (peer: Peer) => Effect.Effect<void>>> = {
  "an introduction": ({ introduction: { capabilities, protocolVersion, serverInfo }, version }) =>
    Effect.sync(() => {
      assert.strictEqual(protocolVersion, version)
      assert.strictEqual(serverInfo.name, "everything")
      assert.deepStrictEqual(Object.keys(capabilities).sort(), [
        ...(since(version, "2025-03-26") ? ["completions"] : []),
        "logging",
        "prompts",
        "resources",
        "tools"
      ])
      assert.deepStrictEqual(capabilities.resources, { subscribe: true, listChanged: true })
    }),
  ping: (peer) =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* peer.request("ping")).result, {})
    }),
  lists: (peer) =>
    Effect.gen(function* () {
      const { tools } = (yield* peer.request("tools/list")).result
      assert.strictEqual(tools[0].name, "test_simple_text")
      const { resources } = (yield* peer.request("resources/list")).result
      assert.include(
        resources.map(({ uri }: Json) => uri),
        "test://static-text"
      )
      const { resourceTemplates } = (yield* peer.request("resources/templates/list")).result
      assert.strictEqual(resourceTemplates[0].uriTemplate, "test://template/{id}/data")
      const { prompts } = (yield* peer.request("prompts/list")).result
      assert.include(
        prompts.map(({ name }: Json) => name),
        "test_simple_prompt"
      )
    }),
  "content of every kind": (peer) =>
    Effect.gen(function* () {
      const { content } = (yield* peer.call("test_decorated")).result
      assert.deepStrictEqual(types(content), [
        "text",
        "image",
        since(peer.version, "2025-03-26") ? "audio" : "resource",
        "resource",
        since(peer.version, "2025-06-18") ? "resource_link" : "text"
      ])
      const mixed = yield* peer.call("test_multiple_content_types")
      assert.deepStrictEqual(types(mixed.result.content), ["text", "image", "resource"])
    }),
  "structured content": (peer) =>
    Effect.gen(function* () {
      const { content, structuredContent } = (yield* peer.call("test_structured_content", { city: "Ulm" }))
        .result
      assert.deepStrictEqual(JSON.parse(content[0].text), { city: "Ulm", degrees: 21.5 })
      const hasStructure = since(peer.version, "2025-06-18")
      assert.deepStrictEqual(structuredContent, hasStructure ? { city: "Ulm", degrees: 21.5 } : undefined)
      const counted = (yield* peer.call("test_array_output", { to: 2 })).result
      assert.deepStrictEqual(JSON.parse(counted.content[0].text), [1, 2])
      assert.deepStrictEqual(counted.structuredContent, hasStructure ? { result: [1, 2] } : undefined)
    }),
  failures: (peer) =>
    Effect.gen(function* () {
      assert.isTrue((yield* peer.call("test_error_handling")).result.isError)
      assert.isTrue((yield* peer.call("test_structured_content", { city: 7 })).result.isError)
      assert.strictEqual((yield* peer.call("nope")).error.code, -32602)
      assert.strictEqual((yield* peer.request("nope")).error.code, -32601)
      assert.strictEqual((yield* peer.request("server/discover")).error.code, -32601)
      assert.strictEqual((yield* peer.request("tools/list", { cursor: "nope" })).error.code, -32602)
      const missing = yield* peer.request("resources/read", { uri: "test://missing" })
      assert.strictEqual(missing.error.code, -32002)
      assert.deepStrictEqual(missing.error.data, { uri: "test://missing" })
      assert.strictEqual((yield* peer.request("prompts/get", { name: "nope" })).error.code, -32602)
    }),
  readings: (peer) =>
    Effect.gen(function* () {
      const read = (uri: string) =>
        Effect.map(peer.request("resources/read", { uri }), ({ result }) => result.contents[0])
      assert.strictEqual((yield* read("test://static-text")).mimeType, "text/plain")
      assert.match((yield* read("test://static-binary")).blob, /^[A-Za-z0-9+/]+=*$/)
      assert.strictEqual(JSON.parse((yield* read("test://template/7/data")).text).id, "7")
      assert.strictEqual((yield* read("test://decorated")).text, "Decorated.")
    }),
  prompts: (peer) =>
    Effect.gen(function* () {
      const get = (name: string, args?: object) =>
        Effect.map(
          peer.request("prompts/get", { name, ...(args && { arguments: args }) }),
          ({ result }): ReadonlyArray<Json> => result.messages.map(({ content }: Json) => content)
        )
      assert.deepStrictEqual(types(yield* get("test_simple_prompt")), ["text"])
      assert.deepStrictEqual(types(yield* get("test_prompt_with_arguments", { arg1: "a", arg2: "b" })), [
        "text"
      ])
      assert.deepStrictEqual(types(yield* get("test_prompt_with_image")), ["image", "text"])
      assert.deepStrictEqual(types(yield* get("test_decorated_prompt")), [
        "text",
        since(peer.version, "2025-03-26") ? "audio" : "resource",
        since(peer.version, "2025-06-18") ? "resource_link" : "text"
      ])
    }),
  completion: (peer) =>
    Effect.gen(function* () {
      const answer = yield* peer.request("completion/complete", {
        ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
        argument: { name: "arg1", value: "te" }
      })
      assert.deepStrictEqual(answer.result.completion.values, ["test1", "test2", "tent"])
    }),
  "a result at once, whatever a client says of tasks": (peer) =>
    Effect.gen(function* () {
      const answer = yield* peer.request("tools/call", {
        name: "test_simple_text",
        arguments: {},
        task: { ttl: 60_000 }
      })
      assert.strictEqual(answer.result.content[0].text, "This is a simple text response for testing.")
      const slow = yield* peer.call("slow_compute", { seconds: 0, label: "nothing" })
      assert.strictEqual(slow.result.content[0].text, "Computed nothing for 0 s.")
      assert.strictEqual((yield* peer.request("tasks/list")).error.code, -32601)
    })
}

layer(Peers.layer(), { excludeTestServices: true })("what the fixture offers", (it) => {
  for (const transport of Peers.transports) {
    for (const [name, offer] of Object.entries(offers)) {
      // verifies: LC-02, LC-03, LC-16, LC-17, LC-23, SH-09, TO-06, TO-07, TO-08, RE-01, RE-05, RE-06, PR-01, CO-01
      // verifies: LC-20, TK-10, DL-42, DC-09, HS-03, HS-07, TK-01, TK-09, EN-02, EN-03, EN-05, EN-06, EN-63, ER-01, ER-02, DL-20, DL-21, DL-26, DL-27, DL-28
      it.scoped.each(versions)(`to %s on ${transport}: ${name}`, (version) =>
        Effect.gen(function* () {
          const peer = yield* (yield* Peers.Peers).of(transport, version)
          yield* offer(peer)
          assert.deepStrictEqual(peer.problems, [])
        })
      )
    }
  }
})
