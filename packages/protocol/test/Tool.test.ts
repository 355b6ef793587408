import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import { isObject, type JsonObject } from "@pushbutton/protocol/Json"
import { InvalidParams, toErrorObject } from "@pushbutton/protocol/ProtocolError"
import * as Tool from "@pushbutton/protocol/Tool"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { jsonObject, objectWith } from "./arbitraries/json.js"

const checkRefused = (params: JsonObject, detail: string) =>
  assertLeft(Tool.decodeCallParams(params), new InvalidParams({ detail }))

describe("Tool", () => {
  describe("decodeCallParams", () => {
    it("reads name and arguments as sent", () => {
      const sent = JSON.parse('{"b":0,"a":null,"__proto__":{"x":1}}')
      const params = { name: "", arguments: sent, _meta: {}, requestState: "s" }
      const decoded = Either.getOrThrow(Tool.decodeCallParams(params))
      assert.strictEqual(decoded.arguments, sent)
      assert.strictEqual(decoded.name, "")
    })

    // verifies: TOOL-16, P-79
    it("takes absent arguments for none", () => {
      assertRight(Tool.decodeCallParams({ name: "press" }), { name: "press", arguments: {} })
    })

    it("refuses a missing or ill-typed name", () => {
      checkRefused({}, "params.name is missing")
      checkRefused(JSON.parse('{"__proto__":{"name":"press"}}'), "params.name is missing")
      for (const name of [null, 0, false, [], {}]) checkRefused({ name }, "params.name must be a string")
    })

    // verifies: TOOL-16, P-79
    it("refuses arguments that are not an object", () => {
      for (const sent of [null, [], "", 0, false]) {
        checkRefused({ name: "press", arguments: sent }, "params.arguments must be an object")
      }
    })

    it.prop(
      "is total on any params, and says why in one short clause",
      [objectWith({ name: fc.string(), arguments: jsonObject })],
      ([params]) => {
        const decoded = Tool.decodeCallParams(params)
        const fits =
          Object.hasOwn(params, "name") &&
          typeof params["name"] === "string" &&
          (!Object.hasOwn(params, "arguments") || isObject(params["arguments"]))
        assert.strictEqual(Either.isRight(decoded), fits)
        if (Either.isRight(decoded)) assert.strictEqual(decoded.right.name, params["name"])
        else assert.isBelow(toErrorObject(decoded.left, "modern").message.length, 100)
      }
    )
  })
})
