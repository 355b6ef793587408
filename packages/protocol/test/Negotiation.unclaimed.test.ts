import { assert, describe, it } from "@effect/vitest"
import type { Request } from "@pushbutton/protocol/JsonRpc"
import * as Negotiation from "@pushbutton/protocol/Negotiation"
import { toErrorObject } from "@pushbutton/protocol/ProtocolError"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { jsonObject, jsonValue, objectWith, requestId } from "./arbitraries/json.js"
import {
  lookup,
  modernOnly,
  noVersion,
  outcome,
  paramsOf,
  policy,
  request,
  sound
} from "./negotiation/drafts.js"

describe("Negotiation", () => {
  describe("a request without a claim", () => {
    interface Case {
      readonly name: string
      readonly method: string
      readonly header?: string
      readonly session?: LegacyVersion
      readonly http: string
      /** Without the header. */
      readonly stdio?: string
    }

    const mismatch = "HeaderMismatch MCP-Protocol-Version names a version that has no initialize"

    const cases: ReadonlyArray<Case> = [
      { name: "initialize", method: "initialize", http: "Handshake", stdio: "Handshake" },
      {
        name: "initialize with a legacy header",
        method: "initialize",
        header: "2025-06-18",
        http: "Handshake"
      },
      { name: "initialize with an unserved header", method: "initialize", header: "1.0", http: "Handshake" },
      { name: "initialize with a modern header", method: "initialize", header: "2026-07-28", http: mismatch },
      { name: "initialize with a later header", method: "initialize", header: " 2027-01-01", http: mismatch },
      {
        name: "a second initialize",
        method: "initialize",
        session: "2025-11-25",
        http: "AlreadyInitialized",
        stdio: "AlreadyInitialized"
      },
      {
        name: "a second initialize with a modern header",
        method: "initialize",
        header: "2026-07-28",
        session: "2025-11-25",
        http: "AlreadyInitialized"
      },
      {
        name: "a call in a session",
        method: "tools/call",
        session: "2024-11-05",
        http: "Legacy 2024-11-05",
        stdio: "Legacy 2024-11-05"
      },
      {
        name: "a call in a session with its header",
        method: "tools/call",
        header: "2025-06-18",
        session: "2025-06-18",
        http: "Legacy 2025-06-18"
      },
      {
        name: "a call in a session with another served header",
        method: "tools/call",
        header: "\t2025-11-25 ",
        session: "2025-06-18",
        http: "Legacy 2025-06-18"
      },
      {
        name: "a call in a session with an unserved header",
        method: "tools/call",
        header: "2025-03-26",
        session: "2025-11-25",
        http: "InvalidRequest"
      },
      {
        name: "a call in a session with an empty header",
        method: "tools/call",
        header: "",
        session: "2025-11-25",
        http: "InvalidRequest"
      },
      {
        name: "a call in a session with a modern header",
        method: "tools/call",
        header: "2026-07-28",
        session: "2025-11-25",
        http: noVersion
      },
      {
        name: "ping in a session",
        method: "ping",
        session: "2025-11-25",
        http: "Legacy 2025-11-25",
        stdio: "Legacy 2025-11-25"
      },
      { name: "ping before any handshake", method: "ping", http: "Ping", stdio: "Ping" },
      { name: "ping with a legacy header", method: "ping", header: "2025-11-25", http: "Ping" },
      { name: "ping with a modern header", method: "ping", header: "2026-07-28", http: noVersion },
      { name: "any other request", method: "tools/list", http: noVersion, stdio: noVersion },
      { name: "any other with a legacy header", method: "tools/list", header: "2025-11-25", http: noVersion },
      { name: "any other with a modern header", method: "tools/list", header: "2026-07-28", http: noVersion },
      { name: "server/discover", method: "server/discover", http: noVersion, stdio: noVersion }
    ]

    for (const { header, http, method, name, session, stdio } of cases) {
      // verifies: P-49, P-51, P-52, DL-02, DL-04, DL-05, DL-06, SH-53, SH-54, SH-55, TRAP-40
      it(`${name} comes to ${http}`, () => {
        const headers = lookup(header === undefined ? {} : { "mcp-protocol-version": header })
        assert.strictEqual(
          outcome(Negotiation.negotiate(request(method), { headers, session }, policy)),
          http
        )
        if (stdio !== undefined) {
          assert.strictEqual(
            outcome(Negotiation.negotiate(request(method), { headers: undefined, session }, policy)),
            stdio
          )
        }
      })
    }

    // verifies: LC-10, DC-03
    it("is told both ways in and the versions", () => {
      const refused = Negotiation.negotiate(
        request("tools/list", {}),
        { headers: undefined, session: undefined },
        policy
      )
      assert.deepStrictEqual<unknown>(
        Either.getOrThrow(Either.flip(Either.mapLeft(refused, (error) => toErrorObject(error, "modern")))),
        {
          code: -32602,
          message:
            '_meta["io.modelcontextprotocol/protocolVersion"] is missing or invalid: send initialize first, or carry request metadata (versions: 2026-07-28, 2025-11-25, 2025-06-18, 2024-11-05)'
        }
      )
    })

    it("has no handshake and no ping where no legacy revision is served", () => {
      for (const method of ["initialize", "ping", "tools/list"]) {
        for (const headers of [undefined, lookup({})]) {
          assert.strictEqual(
            outcome(Negotiation.negotiate(request(method), { headers, session: undefined }, modernOnly)),
            noVersion
          )
        }
      }
    })

    // verifies: VER-11, VER-12, LC-32
    it("names the versions to initialize where no legacy revision is served", () => {
      const params = { protocolVersion: "2025-11-25", capabilities: {} }
      for (const headers of [undefined, lookup({}), lookup({ "mcp-protocol-version": "2025-11-25" })]) {
        const refused = Negotiation.negotiate(
          request("initialize", params),
          { headers, session: undefined },
          modernOnly
        )
        assert.deepInclude(
          Either.getOrThrow(Either.flip(Either.mapLeft(refused, (error) => toErrorObject(error, "modern")))),
          { code: -32022, data: { supported: ["2026-07-28"], requested: "2025-11-25" } }
        )
      }
      assert.strictEqual(
        outcome(
          Negotiation.negotiate(
            request("initialize", params),
            { headers: lookup({ "mcp-protocol-version": "2026-07-28" }), session: undefined },
            modernOnly
          )
        ),
        noVersion
      )
    })

    // verifies: META-13, TRAP-13
    it("takes no other reserved key for a claim", () => {
      const params = { _meta: { "io.modelcontextprotocol/clientCapabilities": {}, progressToken: 1 } }
      assert.strictEqual(
        outcome(
          Negotiation.negotiate(
            request("tools/list", params),
            { headers: undefined, session: "2025-11-25" },
            policy
          )
        ),
        "Legacy 2025-11-25"
      )
    })
  })

  const anyParams = fc.oneof(
    jsonValue,
    objectWith({
      name: fc.constant("press"),
      _meta: objectWith({
        "io.modelcontextprotocol/protocolVersion": fc.constantFrom("2026-07-28", "2025-11-25"),
        "io.modelcontextprotocol/clientCapabilities": fc.constant({})
      })
    })
  )
  const anyHeaders = fc.option(
    fc.record(
      {
        "mcp-protocol-version": fc.constantFrom("2026-07-28", "2025-11-25", "x"),
        "mcp-method": fc.constantFrom("tools/call", "x"),
        "mcp-name": fc.constantFrom("press", "=?base64??=")
      },
      { requiredKeys: [] }
    ),
    { nil: undefined }
  )
  const anyMethod = fc.constantFrom("initialize", "ping", "tools/call", "tools/list", "constructor")
  const anySession = fc.constantFrom<LegacyVersion | undefined>(undefined, "2025-11-25", "2024-11-05")

  it.prop(
    "is total, and what it accepts names a served version",
    [requestId, anyMethod, anyParams, anyHeaders, anySession],
    ([id, method, params, headers, session]) => {
      const message: Request = { _tag: "Request", id, method, params }
      const claims = { headers: headers === undefined ? undefined : lookup({ ...headers }), session }
      const result = Negotiation.negotiate(message, claims, policy)
      if (Either.isLeft(result)) assert.isBelow(toErrorObject(result.left, "modern").message.length, 300)
      else if (result.right._tag === "Modern")
        assert.strictEqual(result.right.meta.protocolVersion, "2026-07-28")
      else if (result.right._tag === "Legacy") assert.strictEqual(result.right.version, session)
    }
  )

  it.prop(
    "does not depend on unrelated members",
    [jsonObject, anyMethod, anySession],
    ([noise, method, session]) => {
      for (const draft of [sound, { ...sound, capabilities: undefined }]) {
        const params = paramsOf(draft)
        const meta = params["_meta"]
        const noisy = { ...noise, ...params, _meta: { ...noise, ...(typeof meta === "object" ? meta : {}) } }
        const claims = { headers: undefined, session }
        assert.strictEqual(
          outcome(Negotiation.negotiate(request(method, noisy), claims, policy)),
          outcome(Negotiation.negotiate(request(method, params), claims, policy))
        )
      }
    }
  )
})
