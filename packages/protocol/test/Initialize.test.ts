import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import * as Initialize from "@pushbutton/protocol/Initialize"
import type { JsonValue } from "@pushbutton/protocol/Json"
import { InvalidParams } from "@pushbutton/protocol/ProtocolError"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { jsonValue, objectWith } from "./arbitraries/json.js"

const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } }

const checkRefused = (params: JsonValue | undefined, detail: string) =>
  assertLeft(Initialize.decodeInitialize(params), new InvalidParams({ detail }))

const server = {
  identity: { name: "s", version: "2", title: "S" },
  capabilities: { tools: { listChanged: true }, completions: {}, extensions: { "com.example/x": {} } },
  instructions: "press"
}

describe("Initialize", () => {
  describe("decodeInitialize", () => {
    it("keeps what was sent, unknown members included", () => {
      const sent = {
        ...hello,
        clientInfo: { ...hello.clientInfo, extra: 1 },
        capabilities: { x: 1 },
        more: []
      }
      assertRight<unknown, InvalidParams>(Initialize.decodeInitialize(sent), sent)
    })

    it("accepts any version text, for the counter-offer to answer", () => {
      for (const protocolVersion of ["", "1.0.0", "2026-07-28"]) {
        assert.isTrue(Either.isRight(Initialize.decodeInitialize({ ...hello, protocolVersion })))
      }
    })

    // verifies: LC-01
    it("names the member that is missing or ill-typed", () => {
      for (const params of [undefined, null, [], "x", 0]) checkRefused(params, "params must be an object")
      checkRefused({ ...hello, protocolVersion: 1 }, "params.protocolVersion must be a string")
      checkRefused({ protocolVersion: "x", clientInfo: hello.clientInfo }, "params.capabilities is missing")
      checkRefused({ ...hello, capabilities: null }, "params.capabilities must be an object")
      checkRefused({ ...hello, clientInfo: "x" }, "params.clientInfo must be an object")
      checkRefused({ ...hello, clientInfo: { name: "c" } }, "params.clientInfo.version is missing")
    })

    it.prop(
      "is total on any JSON",
      [
        fc.oneof(
          jsonValue,
          objectWith({
            protocolVersion: fc.string(),
            capabilities: fc.constant({}),
            clientInfo: fc.constant(hello.clientInfo)
          })
        )
      ],
      ([params]) => {
        Initialize.decodeInitialize(params)
      }
    )

    it.prop("gives an encoded handshake back", [Initialize.Initialize], ([value]) => {
      const wire = JSON.parse(JSON.stringify(value))
      assert.strictEqual(
        JSON.stringify(Either.getOrThrow(Initialize.decodeInitialize(wire))),
        JSON.stringify(value)
      )
    })
  })

  describe("counterOffer", () => {
    // verifies: P-50, LC-03, LC-04, TRAP-15
    it("offers the requested revision when it is served, else the newest one served", () => {
      const all = ["2024-11-05", "2025-06-18", "2025-11-25"] as const
      for (const version of all) assert.strictEqual(Initialize.counterOffer(version, all), version)
      for (const other of ["2026-07-28", "2025-03-26", "2099-01-01", "1.0.0", "", "constructor"]) {
        assert.strictEqual(Initialize.counterOffer(other, all), "2025-11-25")
        assert.strictEqual(Initialize.counterOffer(other, ["2024-11-05", "2025-06-18"]), "2025-06-18")
      }
      assert.strictEqual(Initialize.counterOffer("2025-11-25", ["2024-11-05"]), "2024-11-05")
    })
  })

  describe("result", () => {
    // verifies: LC-02, EN-25
    it("introduces the server in the dialect of the revision", () => {
      assert.deepStrictEqual(Initialize.result("2024-11-05", server), {
        protocolVersion: "2024-11-05",
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "s", version: "2" },
        instructions: "press"
      })
      assert.deepStrictEqual(Initialize.result("2025-11-25", { ...server, instructions: undefined }), {
        protocolVersion: "2025-11-25",
        capabilities: { tools: { listChanged: true }, completions: {} },
        serverInfo: { name: "s", title: "S", version: "2" }
      })
    })
  })
})
