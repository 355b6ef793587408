import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import type { JsonObject } from "@pushbutton/protocol/Json"
import { HeaderMismatch } from "@pushbutton/protocol/ProtocolError"
import * as RequestHeaders from "@pushbutton/protocol/RequestHeaders"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"

const headers =
  (sent: { readonly [lowerCaseName: string]: string }): RequestHeaders.HeaderLookup =>
  (name) =>
    sent[name]

/** No lone surrogates: those have no UTF-8 form. */
const isWellFormed = (text: string): boolean =>
  Array.from(text).every((character) => !/^[\ud800-\udfff]$/.test(character))

const wellFormed = fc.oneof(fc.fullUnicodeString(), fc.string(), fc.string16bits().filter(isWellFormed))

describe("RequestHeaders", () => {
  describe("decodeSentinel", () => {
    const literals: ReadonlyArray<readonly [string, string]> = [
      ["", ""],
      ["get_weather", "get_weather"],
      [" \t two words \t", "two words"],
      ["a\tb", "a\tb"],
      ["=?BASE64?YQ==?=", "=?BASE64?YQ==?="],
      ["=?Base64?YQ==?=", "=?Base64?YQ==?="],
      ["=?base64?YQ==", "=?base64?YQ=="],
      ["YQ==?=", "YQ==?="],
      ["=?base64?=", "=?base64?="],
      ["x=?base64?YQ==?=", "x=?base64?YQ==?="],
      ["=?utf-8?B?YQ==?=", "=?utf-8?B?YQ==?="]
    ]
    for (const [value, text] of literals) {
      it(`reads ${JSON.stringify(value)} as it stands`, () => {
        assertRight(RequestHeaders.decodeSentinel(value), text)
      })
    }

    const encoded: ReadonlyArray<readonly [string, string]> = [
      ["=?base64??=", ""],
      ["=?base64?YQ==?=", "a"],
      ["=?base64?YWI=?=", "ab"],
      ["=?base64?YWJj?=", "abc"],
      ["=?base64?IHggIA==?=", " x  "],
      ["  =?base64?w6k=?=\t", "é"],
      ["=?base64?8J+YgA==?=", "😀"],
      ["=?base64?Pz8/?=", "???"],
      ["=?base64?AA==?=", "\u0000"],
      ["=?base64?PT9iYXNlNjQ/WVE9PT89?=", "=?base64?YQ==?="]
    ]
    for (const [value, text] of encoded) {
      it(`decodes ${JSON.stringify(value)}`, () => {
        assertRight(RequestHeaders.decodeSentinel(value), text)
      })
    }

    const refused: ReadonlyArray<readonly [string, string]> = [
      ["=?base64?YQ?=", "is not valid Base64"],
      ["=?base64?YQ=?=", "is not valid Base64"],
      ["=?base64?YQ===?=", "is not valid Base64"],
      ["=?base64?YR==?=", "is not valid Base64"],
      ["=?base64?YWJ=?=", "is not valid Base64"],
      ["=?base64?Y===?=", "is not valid Base64"],
      ["=?base64?====?=", "is not valid Base64"],
      ["=?base64?Y Q=?=", "is not valid Base64"],
      ["=?base64?YQ==YQ==?=", "is not valid Base64"],
      ["=?base64?__8=?=", "is not valid Base64"],
      ["=?base64?/w==?=", "is not valid UTF-8"],
      ["=?base64?wIA=?=", "is not valid UTF-8"],
      ["=?base64?7aCA?=", "is not valid UTF-8"],
      ["=?base64?9JCAgA==?=", "is not valid UTF-8"],
      ["=?base64?w6kg4oI=?=", "is not valid UTF-8"],
      ["=?base64?4oI=?=", "is not valid UTF-8"],
      ["=?base64?gA==?=", "is not valid UTF-8"],
      ["=?base64?+ICAgIA=?=", "is not valid UTF-8"],
      ["é", "has characters outside visible ASCII"],
      ["a\u0000b", "has characters outside visible ASCII"],
      ["a\nb", "has characters outside visible ASCII"],
      ["a\u007fb", "has characters outside visible ASCII"],
      ["\u00a0a", "has characters outside visible ASCII"],
      ["=?base64?é?=", "has characters outside visible ASCII"]
    ]
    for (const [value, reason] of refused) {
      // verifies: HDR-18
      it(`refuses ${JSON.stringify(value)}: ${reason}`, () => {
        assertLeft(RequestHeaders.decodeSentinel(value), reason)
      })
    }

    it.prop("is total on any string", [fc.string16bits()], ([value]) => {
      Either.isRight(RequestHeaders.decodeSentinel(`=?base64?${value}?=`))
      Either.isRight(RequestHeaders.decodeSentinel(value))
    })

    it.prop(
      "accepts exactly what the platform's decoders accept",
      [
        fc.oneof(
          fc.base64String(),
          fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64"))
        )
      ],
      ([payload]) => {
        const bytes = Buffer.from(payload, "base64")
        const decoded = RequestHeaders.decodeSentinel(`=?base64?${payload}?=`)
        const canonical = bytes.toString("base64") === payload
        let text: string | undefined
        try {
          text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
        } catch {
          text = undefined
        }
        assert.deepStrictEqual(Either.getOrUndefined(decoded), canonical ? text : undefined)
      }
    )
  })

  describe("encodeSentinel", () => {
    it("leaves safe text alone and encodes the rest", () => {
      for (const [text, value] of [
        ["", ""],
        ["get weather", "get weather"],
        ["=?base64?", "=?base64?"],
        [" x", "=?base64?IHg=?="],
        ["a\tb", "=?base64?YQli?="],
        ["é", "=?base64?w6k=?="],
        ["=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="]
      ] as const) {
        assert.strictEqual(RequestHeaders.encodeSentinel(text), value)
      }
    })

    it.prop("round-trips any well-formed string in header-safe characters", [wellFormed], ([text]) => {
      const value = RequestHeaders.encodeSentinel(text)
      assert.match(value, /^[\x20-\x7e]*$/)
      assertRight(RequestHeaders.decodeSentinel(value), text)
    })

    it.prop("writes the Base64 and UTF-8 of the platform", [wellFormed], ([text]) => {
      const value = RequestHeaders.encodeSentinel(`é${text}`)
      assert.strictEqual(value, `=?base64?${Buffer.from(`é${text}`).toString("base64")}?=`)
    })

    it("writes a lone surrogate as the replacement character", () => {
      assertRight(RequestHeaders.decodeSentinel(RequestHeaders.encodeSentinel("a\ud800b")), "a\ufffdb")
    })
  })

  describe("checkVersion and checkMethod", () => {
    it("accepts the mirrored value with white space around it", () => {
      assertRight(
        RequestHeaders.checkMethod(headers({ "mcp-method": " tools/call\t" }), "tools/call"),
        undefined
      )
      assertRight(
        RequestHeaders.checkVersion(headers({ "mcp-protocol-version": "2026-07-28" }), "2026-07-28"),
        undefined
      )
    })

    // verifies: HDR-07
    it("refuses an absent header and any other value, letter case included", () => {
      const missing = new HeaderMismatch({ header: "Mcp-Method", detail: "is missing" })
      const different = new HeaderMismatch({ header: "Mcp-Method", detail: "does not match the body" })
      assertLeft(RequestHeaders.checkMethod(headers({}), "tools/call"), missing)
      for (const value of ["", "TOOLS/CALL", "tools/call, tools/call", "=?base64?dG9vbHMvY2FsbA==?="]) {
        assertLeft(RequestHeaders.checkMethod(headers({ "mcp-method": value }), "tools/call"), different)
      }
      assertLeft(
        RequestHeaders.checkVersion(headers({}), "2026-07-28"),
        new HeaderMismatch({ header: "MCP-Protocol-Version", detail: "is missing" })
      )
    })
  })

  describe("checkName", () => {
    const check = (method: string, params: JsonObject, name?: string) =>
      RequestHeaders.checkName(headers(name === undefined ? {} : { "mcp-name": name }), method, params)

    // verifies: HDR-07, HDR-13
    it("compares the member that the method's name lives in", () => {
      for (const [method, member] of [
        ["tools/call", "name"],
        ["prompts/get", "name"],
        ["resources/read", "uri"],
        ["tasks/get", "taskId"],
        ["tasks/update", "taskId"],
        ["tasks/cancel", "taskId"]
      ] as const) {
        assertRight(check(method, { [member]: "a b" }, "a b"), undefined)
        assertRight(check(method, { [member]: "é" }, "=?base64?w6k=?="), undefined)
        assertRight(check(method, { [member]: "" }, ""), undefined)
        assertLeft(
          check(method, { [member]: "a" }),
          new HeaderMismatch({ header: "Mcp-Name", detail: "is missing" })
        )
        for (const other of ["A", "b", "", "a,a"]) {
          assertLeft(
            check(method, { [member]: "a" }, other),
            new HeaderMismatch({ header: "Mcp-Name", detail: "does not match the body" })
          )
        }
      }
    })

    it("says why a value cannot be read", () => {
      assertLeft(
        check("tools/call", { name: "é" }, "\u00c3\u00a9"),
        new HeaderMismatch({ header: "Mcp-Name", detail: "has characters outside visible ASCII" })
      )
      assertLeft(
        check("tools/call", { name: "a" }, "=?base64?YR==?="),
        new HeaderMismatch({ header: "Mcp-Name", detail: "is not valid Base64" })
      )
    })

    it("asks for nothing where the body has no string to mirror", () => {
      for (const params of [{}, { name: 1 }, { name: null }, JSON.parse('{"__proto__":{"name":"a"}}')]) {
        assertRight(check("tools/call", params), undefined)
      }
    })

    it("gives the header no meaning on other methods", () => {
      for (const method of ["tools/list", "server/discover", "completion/complete", "constructor"]) {
        assertRight(check(method, { name: "a", uri: "b" }, "é"), undefined)
      }
    })
  })
})
