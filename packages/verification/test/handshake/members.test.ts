/** The members that one registry is written with, compared over all five revisions. */
import { assert, layer } from "@effect/vitest"
import type { ProtocolVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Effect from "effect/Effect"
import { modernMeta } from "../support/messages.js"
import type { Json } from "../support/rawHttp.js"
import type { Peer } from "./support/peer.js"
import * as Peers from "./support/peers.js"
import { versions } from "./support/schema.js"

/** For each thing its members, by the revision that brought them. */
const members: Readonly<Record<string, Partial<Record<ProtocolVersion, string>>>> = {
  tool: {
    "2024-11-05": "description inputSchema name",
    "2025-03-26": "annotations",
    "2025-06-18": "_meta title",
    "2025-11-25": "icons"
  },
  "tool with output": { "2024-11-05": "description inputSchema name", "2025-06-18": "outputSchema" },
  resource: {
    "2024-11-05": "annotations description mimeType name size uri",
    "2025-06-18": "_meta title",
    "2025-11-25": "icons"
  },
  template: { "2024-11-05": "description mimeType name uriTemplate", "2025-06-18": "title" },
  prompt: {
    "2024-11-05": "arguments description name",
    "2025-06-18": "_meta title",
    "2025-11-25": "icons"
  },
  "argument of a prompt": { "2024-11-05": "description name required", "2025-06-18": "title" },
  "list of tools": { "2024-11-05": "tools", "2026-07-28": "_meta cacheScope resultType ttlMs" },
  reading: { "2024-11-05": "contents", "2026-07-28": "_meta cacheScope resultType ttlMs" },
  contents: { "2024-11-05": "mimeType text uri", "2025-06-18": "_meta" },
  "result of a call": {
    "2024-11-05": "content",
    "2025-06-18": "structuredContent",
    "2026-07-28": "_meta resultType"
  },
  "text block": { "2024-11-05": "annotations text type", "2025-06-18": "_meta" },
  "image block": { "2024-11-05": "annotations data mimeType type", "2025-06-18": "_meta" },
  "embedded block": { "2024-11-05": "annotations resource type", "2025-06-18": "_meta" },
  "annotations of a block": { "2024-11-05": "audience priority", "2025-06-18": "lastModified" },
  "result of a prompt": { "2024-11-05": "description messages", "2026-07-28": "_meta resultType" },
  completion: { "2024-11-05": "completion", "2026-07-28": "_meta resultType" }
}

const ask =
  (peer: Peer, isModern: boolean) =>
  (method: string, params: object = {}) =>
    Effect.map(
      peer.request(method, isModern ? { ...params, _meta: modernMeta } : params),
      ({ result }): Json => result
    )

const named = (items: ReadonlyArray<Json>, name: string): Json => items.find((item) => item.name === name)

const things = (send: ReturnType<typeof ask>) =>
  Effect.gen(function* () {
    const tools = yield* send("tools/list")
    const { resources } = yield* send("resources/list")
    const { resourceTemplates } = yield* send("resources/templates/list")
    const prompts: ReadonlyArray<Json> = (yield* send("prompts/list")).prompts
    const reading = yield* send("resources/read", { uri: "test://decorated" })
    const structured = yield* send("tools/call", {
      name: "test_structured_content",
      arguments: { city: "Ulm" }
    })
    const { content } = yield* send("tools/call", { name: "test_decorated" })
    const decorated = named(prompts, "test_decorated_prompt")
    return {
      tool: named(tools.tools, "test_decorated"),
      "tool with output": named(tools.tools, "test_structured_content"),
      resource: named(resources, "decorated-resource"),
      template: named(resourceTemplates, "template-data"),
      prompt: decorated,
      "argument of a prompt": decorated.arguments[0],
      "list of tools": tools,
      reading,
      contents: reading.contents[0],
      "result of a call": structured,
      "text block": content[0],
      "image block": content[1],
      "embedded block": content[3],
      "annotations of a block": content[0].annotations,
      "result of a prompt": yield* send("prompts/get", { name: "test_decorated_prompt" }),
      completion: yield* send("completion/complete", {
        ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
        argument: { name: "arg1", value: "" }
      })
    }
  })

const expected = (version: ProtocolVersion) =>
  Object.fromEntries(
    Object.entries(members).map(([thing, brought]) => [
      thing,
      Object.entries(brought)
        .flatMap(([first, names]) => (version >= first ? names.split(" ") : []))
        .sort()
    ])
  )

const found = (written: Readonly<Record<string, Json>>) =>
  Object.fromEntries(Object.entries(written).map(([thing, value]) => [thing, Object.keys(value).sort()]))

layer(Peers.layer(), { excludeTestServices: true })("the members that things are written with", (it) => {
  // verifies: LC-16, EN-05, EN-09, EN-10, EN-23, EN-11, EN-13, EN-14, EN-22, EN-24, EN-29, DL-21, DL-22, DL-26, DL-27
  it.scoped.each(versions)("in %s are those that it has", (version) =>
    Effect.gen(function* () {
      const peer = yield* (yield* Peers.Peers).of("stdio", version)
      assert.deepStrictEqual(found(yield* things(ask(peer, false))), expected(version))
    })
  )

  // verifies: DL-01, DL-21, DL-22, LC-31, TRAP-42, DC-02
  it.scoped("in 2026-07-28 are those that it has, on the same pipe as an older revision's", () =>
    Effect.gen(function* () {
      const peer = yield* (yield* Peers.Peers).of("stdio", "2024-11-05")
      assert.deepStrictEqual(found(yield* things(ask(peer, true))), expected("2026-07-28"))
    })
  )

  // verifies: DL-25, DL-30, TRAP-27
  it.scoped("of a log of 2026-07-28 are not there, whatever level the session of the pipe has", () =>
    Effect.gen(function* () {
      const peer = yield* (yield* Peers.Peers).of("stdio", "2025-11-25")
      yield* peer.request("logging/setLevel", { level: "debug" })
      const heard = peer.listen()
      yield* ask(peer, true)("tools/call", { name: "test_tool_with_logging" })
      assert.deepStrictEqual(heard.told("notifications/message"), [])
      yield* ask(peer, false)("tools/call", { name: "test_tool_with_logging" })
      assert.lengthOf(heard.told("notifications/message"), 3)
    })
  )

  // verifies: LC-02, EN-12, EN-25, EN-27, DL-24
  it.scoped.each(versions)("of an introduction in %s are those that it has", (version) =>
    Effect.gen(function* () {
      const { introduction } = yield* (yield* Peers.Peers).of("stdio", version)
      const { capabilities, serverInfo } = introduction
      assert.deepStrictEqual(Object.keys(serverInfo).sort(), [
        ...(version >= "2025-11-25" ? ["description", "icons"] : []),
        "name",
        ...(version >= "2025-06-18" ? ["title"] : []),
        "version",
        ...(version >= "2025-11-25" ? ["websiteUrl"] : [])
      ])
      assert.notProperty(capabilities, "extensions")
      assert.notProperty(capabilities, "tasks")
    })
  )
})
