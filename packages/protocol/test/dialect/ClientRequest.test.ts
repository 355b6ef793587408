import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import * as ClientRequest from "@pushbutton/protocol/dialect/ClientRequest"
import * as Elicitation from "@pushbutton/protocol/Elicitation"
import type { InputRequest } from "@pushbutton/protocol/InputRequired"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as ProtocolVersion from "@pushbutton/protocol/ProtocolVersion"
import * as Roots from "@pushbutton/protocol/Roots"
import * as Sampling from "@pushbutton/protocol/Sampling"
import * as Either from "effect/Either"
import { published } from "./published.js"

type Version = ProtocolVersion.LegacyVersion

const everything: JsonObject = {
  roots: {},
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} }
}

const encode = (version: Version, request: InputRequest, capabilities = everything) =>
  ClientRequest.encode({ version, capabilities }, request, "e-1")

const why = (version: Version, request: InputRequest, capabilities?: JsonObject) =>
  Either.match(encode(version, request, capabilities), { onLeft: (reason) => reason, onRight: () => "asked" })

const form = Elicitation.form("Who?", { type: "object", properties: { name: { type: "string" } } })
const url = Elicitation.url("Sign in", "https://example.com/in")
const sampling = Sampling.request({
  messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
  maxTokens: 9
})
const withTools = Sampling.request({ ...sampling.params, tools: [], toolChoice: { mode: "auto" } })

describe("ClientRequest", () => {
  // verifies: EN-40, EN-44, EN-46, EL-01, IN-14, IN-50, IN-51, IN-52, IN-53, IN-54
  it("asks each revision what it has a request for", () => {
    const table = ProtocolVersion.legacyVersions.map((version) =>
      [Roots.request, sampling, withTools, form, url].map((request) => why(version, request))
    )
    const no = (version: Version, what: string) => `revision ${version} has no ${what}`
    assert.deepStrictEqual(table, [
      ["asked", "asked", "asked", "asked", "asked"],
      [
        "asked",
        "asked",
        no("2025-06-18", "tools in sampling"),
        "asked",
        no("2025-06-18", "elicitation by URL")
      ],
      [
        "asked",
        "asked",
        no("2025-03-26", "tools in sampling"),
        no("2025-03-26", "elicitation"),
        no("2025-03-26", "elicitation")
      ],
      [
        "asked",
        "asked",
        no("2024-11-05", "tools in sampling"),
        no("2024-11-05", "elicitation"),
        no("2024-11-05", "elicitation")
      ]
    ])
  })

  // verifies: SA-01, SA-06, EL-02, RO-01, IN-12
  it("asks nothing that the client did not declare", () => {
    for (const version of ProtocolVersion.legacyVersions) {
      assert.strictEqual(why(version, Roots.request, {}), "the client does not declare roots")
      assert.strictEqual(why(version, sampling, { roots: {} }), "the client does not declare sampling")
      assert.strictEqual(why(version, sampling, { sampling: true }), "the client does not declare sampling")
      assert.strictEqual(why(version, Roots.request, { roots: { listChanged: true } }), "asked")
      assert.strictEqual(why(version, sampling, { sampling: {} }), "asked")
    }
    assert.strictEqual(
      why("2025-11-25", withTools, { sampling: {} }),
      "the client does not declare sampling.tools"
    )
    assert.strictEqual(why("2025-11-25", withTools, { sampling: { tools: {} } }), "asked")
    for (const version of ["2025-06-18", "2025-11-25"] as const) {
      assert.strictEqual(why(version, form, {}), "the client does not declare elicitation of forms")
    }
  })

  // verifies: EL-05, TRAP-31
  it("takes an elicitation capability without a mode for forms, and URLs alone for no forms", () => {
    const asked = (version: Version, elicitation: JsonObject) =>
      [form, url].map((request) => why(version, request, { elicitation }) === "asked")
    assert.deepStrictEqual(asked("2025-11-25", {}), [true, false])
    assert.deepStrictEqual(asked("2025-11-25", { form: {} }), [true, false])
    assert.deepStrictEqual(asked("2025-11-25", { url: {} }), [false, true])
    assert.deepStrictEqual(asked("2025-11-25", { form: {}, url: {} }), [true, true])
    assert.deepStrictEqual(asked("2025-06-18", { url: {} }), [true, false])
  })

  // verifies: EN-40, RO-01, RO-04
  it("asks for roots without params, and gives what came back on", () => {
    for (const version of ProtocolVersion.legacyVersions) {
      const asked = Either.getOrThrow(encode(version, Roots.request))
      assert.deepStrictEqual([asked.method, asked.params], ["roots/list", undefined])
      const result = { roots: [{ uri: "file:///a", name: "a" }], _meta: {} }
      assertRight(Either.flatMap(asked.readResult(result), Roots.readResult), [
        { uri: "file:///a", name: "a" }
      ])
      assert.deepStrictEqual(
        published(version)("ListRootsRequest", { ...envelope, method: asked.method }),
        []
      )
    }
  })

  // verifies: EN-47, EL-07, EL-08
  it("names a visit to a URL, and takes nothing but the user's word for an answer", () => {
    const asked = Either.getOrThrow(encode("2025-11-25", url))
    assert.deepStrictEqual(asked.params, {
      mode: "url",
      message: "Sign in",
      url: "https://example.com/in",
      elicitationId: "e-1"
    })
    assert.deepStrictEqual(
      published("2025-11-25")("ElicitRequest", {
        ...envelope,
        method: asked.method,
        params: asked.params ?? null
      }),
      []
    )
    assertRight(asked.readResult({ action: "accept", content: { done: true } }), { action: "accept" })
    assertRight(asked.readResult("x"), "x")
  })

  // verifies: EN-53
  it("never sends what makes a task of the request", () => {
    const task = { task: { ttl: 1 } }
    for (const request of [sampling, form, url]) {
      const augmented: InputRequest = JSON.parse(
        JSON.stringify({ ...request, params: { ...request.params, ...task, _meta: { progressToken: 1 } } })
      )
      const { params = {} } = Either.getOrThrow(encode("2025-11-25", augmented))
      assert.notProperty(params, "task")
      assert.notProperty(params, "_meta")
    }
  })

  it("leaves a result that is none to whoever reads it", () => {
    for (const request of [Roots.request, sampling, form]) {
      const { readResult } = Either.getOrThrow(encode("2025-06-18", request))
      for (const result of [null, 1, [], {}]) assertRight(readResult(result), result)
    }
    assertLeft(
      Either.getOrThrow(encode("2025-06-18", form)).readResult({
        action: "accept",
        content: { name: ["a"] }
      }),
      "content has a list, which revision 2025-06-18 does not have"
    )
  })
})

const envelope = { jsonrpc: "2.0", id: 1 }
