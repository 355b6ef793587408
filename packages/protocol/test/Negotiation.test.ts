import { assert, describe, it } from "@effect/vitest"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Negotiation from "@pushbutton/protocol/Negotiation"
import { toErrorObject } from "@pushbutton/protocol/ProtocolError"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Either from "effect/Either"
import {
  type Draft,
  headersOf,
  lookup,
  noCapabilities,
  noVersion,
  outcome,
  paramsOf,
  policy,
  request,
  sound
} from "./negotiation/drafts.js"

const overHttp = (draft: Draft, session?: LegacyVersion) =>
  outcome(
    Negotiation.negotiate(
      request(draft.method, paramsOf(draft)),
      { headers: lookup(headersOf(draft)), session },
      policy
    )
  )

const overStdio = (draft: Draft, session?: LegacyVersion) =>
  outcome(
    Negotiation.negotiate(request(draft.method, paramsOf(draft)), { headers: undefined, session }, policy)
  )

interface Rung {
  readonly name: string
  readonly fail: Partial<Draft>
  readonly answer: string
  readonly httpOnly: boolean
}

/** From the top: a request that fails several is answered by the first. */
const rungs: ReadonlyArray<Rung> = [
  { name: "claim is a string", fail: { claim: null }, answer: noVersion, httpOnly: false },
  {
    name: "version header present",
    fail: { versionHeader: undefined },
    answer: "HeaderMismatch MCP-Protocol-Version is missing",
    httpOnly: true
  },
  {
    name: "version header equals the claim",
    fail: { versionHeader: "2025-11-25" },
    answer: "HeaderMismatch MCP-Protocol-Version does not match the body",
    httpOnly: true
  },
  {
    name: "version served",
    fail: { claim: "2099-01-01", versionHeader: "2099-01-01" },
    answer: "UnsupportedProtocolVersion",
    httpOnly: false
  },
  {
    name: "client capabilities present",
    fail: { capabilities: undefined },
    answer: noCapabilities,
    httpOnly: false
  },
  {
    name: "optional metadata well-typed",
    fail: { logLevel: "loud" },
    answer: "InvalidParams",
    httpOnly: false
  },
  {
    name: "method header present",
    fail: { methodHeader: undefined },
    answer: "HeaderMismatch Mcp-Method is missing",
    httpOnly: true
  },
  {
    name: "method header equals the method",
    fail: { methodHeader: "TOOLS/CALL" },
    answer: "HeaderMismatch Mcp-Method does not match the body",
    httpOnly: true
  },
  {
    name: "method known",
    fail: { method: "ping", methodHeader: "ping" },
    answer: "MethodNotFound",
    httpOnly: false
  },
  {
    name: "name header present",
    fail: { nameHeader: undefined },
    answer: "HeaderMismatch Mcp-Name is missing",
    httpOnly: true
  },
  {
    name: "name header equals the name",
    fail: { nameHeader: "other" },
    answer: "HeaderMismatch Mcp-Name does not match the body",
    httpOnly: true
  }
]

describe("Negotiation", () => {
  describe("a request with a claim", () => {
    // verifies: CORE-29
    it("is served statelessly on both transports, in a legacy session or out of one", () => {
      for (const session of [undefined, "2025-06-18"] as const) {
        assert.strictEqual(overHttp(sound, session), "Modern")
        assert.strictEqual(overStdio(sound, session), "Modern")
      }
    })

    it("comes out with its metadata and params", () => {
      const params = paramsOf(sound)
      const accepted = Negotiation.negotiate(
        request("tools/call", params),
        { headers: undefined, session: undefined },
        policy
      )
      assert.deepStrictEqual<unknown>(Either.getOrThrow(accepted), {
        _tag: "Modern",
        params,
        meta: {
          protocolVersion: "2026-07-28",
          clientCapabilities: {},
          clientInfo: undefined,
          logLevel: "info",
          progressToken: undefined,
          all: params["_meta"]
        }
      })
    })

    for (const rung of rungs) {
      // verifies: VER-02, META-02, HDR-02, HDR-03, HDR-07, HDR-08
      it(`fails at "${rung.name}" over HTTP${rung.httpOnly ? "" : " and stdio"}`, () => {
        assert.strictEqual(overHttp({ ...sound, ...rung.fail }), rung.answer)
        assert.strictEqual(overStdio({ ...sound, ...rung.fail }), rung.httpOnly ? "Modern" : rung.answer)
      })
    }

    for (const [index, upper] of rungs.entries()) {
      for (const lower of rungs.slice(index + 1)) {
        it(`is answered by "${upper.name}" before "${lower.name}"`, () => {
          const draft = { ...sound, ...lower.fail, ...upper.fail }
          assert.strictEqual(overHttp(draft), upper.answer)
          if (!upper.httpOnly) assert.strictEqual(overStdio(draft), upper.answer)
        })
      }
    }

    // verifies: VER-03, VER-02, DL-11
    it("refuses a legacy version named in the claim, and lists the modern ones only", () => {
      const params = paramsOf({ ...sound, claim: "2025-11-25" })
      const refused = Negotiation.negotiate(
        request("tools/call", params),
        { headers: undefined, session: "2025-11-25" },
        policy
      )
      assert.deepStrictEqual<unknown>(
        Either.getOrThrow(Either.flip(Either.mapLeft(refused, (error) => toErrorObject(error, "modern")))),
        {
          code: -32022,
          message: "Unsupported protocol version: 2025-11-25 (supported: 2026-07-28)",
          data: { supported: ["2026-07-28"], requested: "2025-11-25" }
        }
      )
    })

    // verifies: DL-01
    it("does not fall back to legacy rules for a malformed claim", () => {
      for (const claim of [null, 1, false, [], {}]) {
        assert.strictEqual(overStdio({ ...sound, claim }, "2025-11-25"), noVersion)
      }
      assert.strictEqual(overStdio({ ...sound, claim: "" }, "2025-11-25"), "UnsupportedProtocolVersion")
    })

    // verifies: DL-03, DL-29
    it("makes `initialize` and `ping` unknown methods", () => {
      for (const method of ["initialize", "ping"]) {
        assert.strictEqual(overHttp({ ...sound, method, methodHeader: method }), "MethodNotFound")
        assert.strictEqual(overStdio({ ...sound, method }), "MethodNotFound")
      }
    })

    it("leaves a name of the wrong type to the params check", () => {
      assert.strictEqual(overHttp({ ...sound, name: 5, nameHeader: undefined }), "Modern")
    })
  })

  describe("isModernClaim", () => {
    it("sees the key on requests and notifications, whatever its value", () => {
      for (const claim of ["2026-07-28", "", null, 0]) {
        const params = { _meta: { "io.modelcontextprotocol/protocolVersion": claim } }
        assert.isTrue(Negotiation.isModernClaim(request("x", params)))
        assert.isTrue(Negotiation.isModernClaim({ _tag: "Notification", method: "x", params }))
      }
      assert.isFalse(Negotiation.isModernClaim(request("x", {})))
      assert.isFalse(Negotiation.isModernClaim(JsonRpc.classify([])))
      assert.isFalse(Negotiation.isModernClaim({ _tag: "Response", id: 1, body: {} }))
    })
  })
})
