import { assert, describe, it } from "@effect/vitest"
import { decodeCancelled } from "@pushbutton/protocol/Cancelled"
import * as fc from "effect/FastCheck"
import { jsonValue, objectWith, requestId } from "./arbitraries/json.js"

describe("Cancelled", () => {
  it("names the request by its id as sent", () => {
    for (const id of [0, "", -1, "1", 1]) {
      assert.deepStrictEqual(decodeCancelled({ requestId: id }), { requestId: id, reason: undefined })
    }
    assert.deepStrictEqual(decodeCancelled({ requestId: 1, reason: "", x: 1 }), { requestId: 1, reason: "" })
  })

  it("takes an ill-typed reason for none", () => {
    assert.deepStrictEqual(decodeCancelled({ requestId: 1, reason: null }), {
      requestId: 1,
      reason: undefined
    })
  })

  // verifies: CANC-06, P-53, CA-04
  it("is undefined when no request is named", () => {
    for (const params of [
      undefined,
      null,
      [],
      "x",
      {},
      { requestId: null },
      { requestId: 1.5 },
      { requestId: {} }
    ]) {
      assert.strictEqual(decodeCancelled(params), undefined)
    }
    assert.strictEqual(decodeCancelled(JSON.parse('{"__proto__":{"requestId":1}}')), undefined)
  })

  it.prop(
    "is total on any JSON",
    [fc.oneof(jsonValue, objectWith({ requestId, reason: fc.string() }))],
    ([params]) => {
      decodeCancelled(params)
    }
  )
})
