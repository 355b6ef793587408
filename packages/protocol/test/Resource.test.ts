import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import type { JsonObject } from "@pushbutton/protocol/Json"
import { InvalidParams, toErrorObject } from "@pushbutton/protocol/ProtocolError"
import * as Resource from "@pushbutton/protocol/Resource"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { objectWith } from "./arbitraries/json.js"

const checkRefused = (params: JsonObject, detail: string, data?: JsonObject) =>
  assertLeft(
    Resource.decodeReadParams(params),
    new InvalidParams(data === undefined ? { detail } : { detail, data })
  )

describe("Resource.decodeReadParams", () => {
  it("gives the URI as sent and in the spelling to look it up by", () => {
    assertRight(Resource.decodeReadParams({ uri: "TEST://café", _meta: {}, requestState: "s" }), {
      uri: "TEST://café",
      normalized: "test://caf%C3%A9"
    })
  })

  it("refuses a missing or ill-typed URI", () => {
    checkRefused({}, "params.uri is missing")
    checkRefused(JSON.parse('{"__proto__":{"uri":"x:"}}'), "params.uri is missing")
    for (const uri of [null, 0, false, [], {}]) checkRefused({ uri }, "params.uri must be a string")
  })

  it("names a text that is no URI in the data of the error", () => {
    for (const uri of ["", "not a uri", "/a", "x://a b", "x://%"]) {
      checkRefused({ uri }, "params.uri is not an absolute URI", { uri })
    }
  })

  it("does not send back a URI that is too long to be one", () => {
    checkRefused({ uri: `x:${"a".repeat(8191)}` }, "params.uri is longer than 8192 characters")
  })

  it.prop("is total on any params", [objectWith({ uri: fc.oneof(fc.webUrl(), fc.string()) })], ([params]) => {
    const decoded = Resource.decodeReadParams(params)
    if (Either.isRight(decoded)) assert.strictEqual(decoded.right.uri, params["uri"])
    else assert.isBelow(toErrorObject(decoded.left, "modern").message.length, 100)
  })
})
