import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Prompt from "@pushbutton/protocol/Prompt"
import { InvalidParams, toErrorObject } from "@pushbutton/protocol/ProtocolError"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { jsonObject, objectWith } from "./arbitraries/json.js"

const checkRefused = (params: JsonObject, detail: string) =>
  assertLeft(Prompt.decodeGetParams(params), new InvalidParams({ detail }))

describe("Prompt.decodeGetParams", () => {
  // verifies: P-94
  it("reads name and arguments as sent, empty values and unknown members included", () => {
    const sent = JSON.parse('{"a":"","__proto__":"x"}')
    const decoded = Either.getOrThrow(
      Prompt.decodeGetParams({ name: "", arguments: sent, requestState: "s" })
    )
    assert.strictEqual(decoded.arguments, sent)
    assert.strictEqual(decoded.name, "")
  })

  // verifies: P-94
  it("takes absent arguments for none", () => {
    assertRight(Prompt.decodeGetParams({ name: "review" }), { name: "review", arguments: {} })
  })

  it("refuses a missing or ill-typed name", () => {
    checkRefused({}, "params.name is missing")
    for (const name of [null, 0, false, [], {}]) checkRefused({ name }, "params.name must be a string")
  })

  it("refuses arguments that are not an object", () => {
    for (const sent of [null, [], "", 0, false]) {
      checkRefused({ name: "review", arguments: sent }, "params.arguments must be an object")
    }
  })

  // verifies: P-94
  it("refuses a value that is not a string, and names its argument", () => {
    for (const value of [null, 1, false, [], {}]) {
      checkRefused(
        { name: "review", arguments: { a: "1", city: value } },
        "params.arguments.city must be a string"
      )
    }
  })

  it.prop(
    "is total on any params",
    [
      objectWith({
        name: fc.string(),
        arguments: fc.oneof(jsonObject, fc.dictionary(fc.string(), fc.string()))
      })
    ],
    ([params]) => {
      const decoded = Prompt.decodeGetParams(params)
      if (Either.isRight(decoded)) assert.strictEqual(decoded.right.name, params["name"])
      else assert.isString(toErrorObject(decoded.left, "modern").message)
    }
  )
})
