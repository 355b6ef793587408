import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import * as Elicitation from "@pushbutton/protocol/Elicitation"
import * as InputRequired from "@pushbutton/protocol/InputRequired"
import { InvalidParams, InvalidRequestState } from "@pushbutton/protocol/ProtocolError"
import * as Roots from "@pushbutton/protocol/Roots"
import * as Sampling from "@pushbutton/protocol/Sampling"
import { publishedErrors } from "./support/published.js"

const identity = { name: "s", version: "1" }
const _meta = { "io.modelcontextprotocol/serverInfo": identity }

const asked = new Map<string, InputRequired.InputRequest>([
  ["name", Elicitation.form("Name?", { type: "object", properties: { name: { type: "string" } } })],
  ["page", Elicitation.url("Look", "https://a.example")],
  ["roots", Roots.request],
  [
    "model",
    Sampling.request({
      maxTokens: 1,
      messages: [
        { role: "user", content: { type: "text", text: "a" } },
        { role: "assistant", content: [{ type: "tool_use", id: "1", name: "t", input: {} }] },
        { role: "user", content: [{ type: "tool_result", toolUseId: "1", content: [] }] }
      ],
      tools: [{ name: "t", inputSchema: { type: "object" } }],
      toolChoice: { mode: "none" },
      modelPreferences: { hints: [{ name: "x" }], costPriority: 0 }
    })
  ]
])

describe("InputRequired", () => {
  describe("result", () => {
    // verifies: MRTR-04
    it("holds what is asked and the state, and no caching hints", () => {
      const inputRequests = new Map<string, InputRequired.InputRequest>([["__proto__", Roots.request]])
      assert.strictEqual(
        JSON.stringify(InputRequired.result({ inputRequests, requestState: "s" }, identity)),
        JSON.stringify({
          resultType: "input_required",
          inputRequests: JSON.parse('{"__proto__":{"method":"roots/list"}}'),
          requestState: "s",
          _meta
        })
      )
    })

    // verifies: MRTR-05
    it("may have one of the two alone", () => {
      assert.deepStrictEqual(InputRequired.result({ requestState: "" }, identity), {
        resultType: "input_required",
        requestState: "",
        _meta
      })
      const inputRequests = new Map([["a", Roots.request]])
      assert.deepStrictEqual(InputRequired.result({ inputRequests }, identity), {
        resultType: "input_required",
        inputRequests: { a: { method: "roots/list" } },
        _meta
      })
    })

    // verifies: MRTR-04, MRTR-08, SAMP-06, ROOT-07, ELIC-04, ELIC-06, ELIC-10, MRTR-07, SAMP-05
    it("fits the published schema", () => {
      const result = InputRequired.result({ inputRequests: asked, requestState: "s" }, identity)
      assert.deepStrictEqual(publishedErrors("InputRequiredResult", result), [])
      for (const [key, request] of asked) {
        const definition = {
          name: "ElicitRequestFormParams",
          page: "ElicitRequestURLParams",
          model: "CreateMessageRequest",
          roots: "ListRootsRequest"
        }[key]
        const value = definition?.endsWith("Params") && "params" in request ? request.params : request
        assert.deepStrictEqual(publishedErrors(definition ?? "", value), [], key)
      }
    })
  })

  describe("decodeRetry", () => {
    it("reads both members as sent, absent or not", () => {
      assertRight(InputRequired.decodeRetry({}), { inputResponses: undefined, requestState: undefined })
      assertRight(InputRequired.decodeRetry({ inputResponses: { a: 1 }, requestState: "" }), {
        inputResponses: { a: 1 },
        requestState: ""
      })
    })

    // verifies: MRTR-23, MRTR-24
    it("refuses responses that are no map", () => {
      for (const inputResponses of [null, [], "", 0, false]) {
        assertLeft(
          InputRequired.decodeRetry({ inputResponses }),
          new InvalidParams({ detail: "params.inputResponses must be an object" })
        )
      }
    })

    // verifies: MRTR-15
    it("refuses a state that is no string, as it refuses any bad state", () => {
      for (const requestState of [null, [], {}, 0, false]) {
        assertLeft(InputRequired.decodeRetry({ requestState }), new InvalidRequestState())
      }
    })
  })

  // verifies: MRTR-03
  it("is for three methods", () => {
    const methods = ["tools/call", "prompts/get", "resources/read", "tools/list", "completion/complete", ""]
    assert.deepStrictEqual(methods.filter(InputRequired.isAllowed), [
      "tools/call",
      "prompts/get",
      "resources/read"
    ])
  })
})
