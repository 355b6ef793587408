import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import * as ClientRequest from "@pushbutton/protocol/dialect/ClientRequest"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as ProtocolVersion from "@pushbutton/protocol/ProtocolVersion"
import * as Sampling from "@pushbutton/protocol/Sampling"
import type { Tool } from "@pushbutton/protocol/Tool"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { audio, image, block as offered, text } from "../arbitraries/content.js"
import { jsonObject, jsonValue } from "../arbitraries/json.js"
import { published } from "./published.js"

type Version = ProtocolVersion.LegacyVersion

const older = ["2025-06-18", "2025-03-26", "2024-11-05"] as const

const encode = (
  version: Version,
  params: Sampling.Params,
  sampling: JsonObject = { tools: {}, context: {} }
) =>
  Either.map(
    ClientRequest.encode({ version, capabilities: { sampling } }, Sampling.request(params), "e-1"),
    (request) => request.params ?? {}
  )

const hi = { type: "text", text: "Hi" } as const
const clip = { type: "audio", data: "AAAA", mimeType: "audio/wav" } as const
const picture = { type: "image", data: "AA==", mimeType: "image/png" } as const

const messages = (version: Version, ...sent: ReadonlyArray<Sampling.Message>) =>
  Either.map(encode(version, { messages: sent, maxTokens: 1 }), (params) => params["messages"])

describe("a sampling request", () => {
  const full: Sampling.Params = {
    messages: [],
    maxTokens: 100,
    systemPrompt: "Be brief",
    modelPreferences: {
      hints: [{ name: "small" }],
      costPriority: 0,
      speedPriority: 1,
      intelligencePriority: 0.5
    },
    temperature: 0,
    stopSequences: [""],
    metadata: { "com.example/a": null }
  }

  // verifies: SA-02
  it("has what every revision has", () => {
    for (const version of ProtocolVersion.legacyVersions) assertRight(encode(version, full), { ...full })
  })

  it("leaves out what no revision has", () => {
    const open: Sampling.Params = JSON.parse('{"messages":[],"maxTokens":1,"x":1,"task":{},"_meta":{}}')
    for (const version of ProtocolVersion.legacyVersions) {
      assertRight(encode(version, open), { messages: [], maxTokens: 1 })
    }
  })

  // verifies: EN-43, SA-07
  it("says which context to include before 2025-11-25, and then only to a client that declares it", () => {
    const params: Sampling.Params = JSON.parse('{"messages":[],"maxTokens":1,"includeContext":"thisServer"}')
    const included = (version: Version, sampling: JsonObject) =>
      Either.getOrThrow(encode(version, params, sampling))["includeContext"]
    for (const version of older) assert.strictEqual(included(version, {}), "thisServer")
    assert.strictEqual(included("2025-11-25", {}), undefined)
    assert.strictEqual(included("2025-11-25", { context: {} }), "thisServer")
  })

  // verifies: EN-42, SA-04, SA-05
  it("becomes a message for each block where a message is one block", () => {
    const both: Sampling.Message = { role: "assistant", content: [hi, picture], _meta: { a: 1 } }
    const one: Sampling.Message = { role: "user", content: [hi] }
    for (const version of older) {
      assertRight(messages(version, one, both, { role: "user", content: [] }), [
        { role: "user", content: hi },
        { role: "assistant", content: hi },
        { role: "assistant", content: picture }
      ])
    }
    assertRight(messages("2025-11-25", one, both, { role: "user", content: hi }), [
      one,
      both,
      { role: "user", content: hi }
    ])
  })

  // verifies: EN-41, SA-03
  it("is refused with audio where the revision has none", () => {
    const heard: Sampling.Message = { role: "user", content: [hi, clip] }
    assertLeft(messages("2024-11-05", heard), "revision 2024-11-05 has no content of type audio in sampling")
    for (const version of ["2025-03-26", "2025-06-18", "2025-11-25"] as const) {
      assert.include(JSON.stringify(Either.getOrThrow(messages(version, heard))), "audio/wav")
    }
  })

  const used: Sampling.Message = {
    role: "assistant",
    content: { type: "tool_use", id: "1", name: "t", input: { a: null } }
  }
  const came: Sampling.Message = {
    role: "user",
    content: [
      {
        type: "tool_result",
        toolUseId: "1",
        content: [hi, { type: "resource_link", uri: "file:///a", name: "a" }],
        structuredContent: [1],
        isError: false
      }
    ]
  }

  // verifies: EN-42, SA-06, IN-52
  it("is refused with tools, or with what came of tools, where the revision or the client has none", () => {
    const tool = { name: "t", inputSchema: { type: "object" } }
    for (const params of [
      { messages: [used, came], maxTokens: 1 },
      { messages: [], maxTokens: 1, tools: [tool] },
      { messages: [], maxTokens: 1, toolChoice: { mode: "none" } }
    ] as const) {
      for (const version of older) {
        assertLeft(encode(version, params), `revision ${version} has no tools in sampling`)
      }
      assertLeft(encode("2025-11-25", params, {}), "the client does not declare sampling.tools")
      assert.isTrue(Either.isRight(encode("2025-11-25", params)))
    }
  })

  it("offers tools as the revision lists them", () => {
    const tools: ReadonlyArray<Tool> = [
      {
        name: "t",
        inputSchema: { type: "object", properties: { a: true } },
        outputSchema: { type: "array" }
      }
    ]
    const { tools: sent, toolChoice } = Either.getOrThrow(
      encode("2025-11-25", { messages: [], maxTokens: 1, tools, toolChoice: { mode: "required" } })
    )
    assert.deepStrictEqual<unknown>(sent, [
      {
        name: "t",
        inputSchema: { type: "object", properties: { a: {} } },
        outputSchema: {
          type: "object",
          properties: { result: { type: "array" } },
          required: ["result"]
        }
      }
    ])
    assert.deepStrictEqual<unknown>(toolChoice, { mode: "required" })
  })

  it("tells what came of a tool with an object for its value", () => {
    assertRight(messages("2025-11-25", used, came), [
      used,
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            toolUseId: "1",
            isError: false,
            content: [hi, { type: "resource_link", uri: "file:///a", name: "a" }],
            structuredContent: { result: [1] }
          }
        ]
      }
    ])
  })
})

describe("the answer of a model", () => {
  const readResult = (version: Version, content: JsonValue) => {
    const { params } = Sampling.request({ messages: [], maxTokens: 1 })
    const request = ClientRequest.encode(
      { version, capabilities: { sampling: {} } },
      Sampling.request(params),
      "e-1"
    )
    return Either.getOrThrow(request).readResult({ role: "assistant", model: "m", content })
  }

  // verifies: SA-03, SA-04
  it("is one block of the revision before 2025-11-25", () => {
    for (const version of older) {
      const none = `content is none that revision ${version} has`
      for (const content of [[hi], { ...hi, type: "tool_use" }, { type: "x" }, {}, null]) {
        assertLeft(readResult(version, content), none)
      }
      for (const content of [hi, picture]) {
        assertRight(readResult(version, content), { role: "assistant", model: "m", content })
      }
    }
    assertLeft(readResult("2024-11-05", clip), "content is none that revision 2024-11-05 has")
    assertRight(readResult("2025-03-26", clip), { role: "assistant", model: "m", content: clip })
  })

  // verifies: SA-05
  it("may be several since", () => {
    assertRight(readResult("2025-11-25", [hi, clip]), {
      role: "assistant",
      model: "m",
      content: [hi, clip]
    })
  })
})

const plain: fc.Arbitrary<Sampling.Block> = fc.oneof(text, image, audio)

const block: fc.Arbitrary<Sampling.Block> = fc.oneof(
  plain,
  fc.record(
    {
      type: fc.constant("tool_use" as const),
      id: fc.string(),
      name: fc.string(),
      input: jsonObject,
      _meta: jsonObject
    },
    { requiredKeys: ["type", "id", "name", "input"] }
  ),
  fc.record(
    {
      type: fc.constant("tool_result" as const),
      toolUseId: fc.string(),
      content: fc.array(offered, { maxLength: 3 }),
      structuredContent: jsonValue,
      isError: fc.boolean()
    },
    { requiredKeys: ["type", "toolUseId", "content"] }
  )
)

const messageOf = (blocks: fc.Arbitrary<Sampling.Block>): fc.Arbitrary<Sampling.Message> =>
  fc.record(
    {
      role: fc.constantFrom("user" as const, "assistant" as const),
      content: fc.oneof(blocks, fc.array(blocks, { maxLength: 3 })),
      _meta: jsonObject
    },
    { requiredKeys: ["role", "content"] }
  )

for (const version of ProtocolVersion.legacyVersions) {
  const errors = published(version)
  const message = messageOf(version === "2025-11-25" ? block : plain)

  // verifies: SA-02, SA-03, SA-04, SA-05
  it(`whatever the model of a client of ${version} is asked fits the published schema`, () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), (conversation) => {
        const encoded = encode(version, { messages: conversation, maxTokens: 1 })
        if (Either.isLeft(encoded)) return
        assert.deepStrictEqual(
          errors("CreateMessageRequest", {
            jsonrpc: "2.0",
            id: 1,
            method: "sampling/createMessage",
            params: encoded.right
          }),
          []
        )
      }),
      { numRuns: 200 }
    )
  })
}
