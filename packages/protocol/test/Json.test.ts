import { assert, describe, it } from "@effect/vitest"
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as Json from "@pushbutton/protocol/Json"

const nested = (depth: number): JsonValue => {
  let value: JsonValue = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

describe("Json", () => {
  it("takes objects for objects, and neither null nor arrays", () => {
    assert.isTrue(Json.isObject({}))
    for (const other of [null, [], "", 0, false, undefined]) assert.isFalse(Json.isObject(other))
  })

  it("reads own properties only", () => {
    assert.strictEqual(Json.own({}, "constructor"), undefined)
    assert.strictEqual(Json.own({}, "__proto__"), undefined)
    assert.deepStrictEqual(Json.own(JSON.parse('{"__proto__":{"a":1}}'), "__proto__"), { a: 1 })
    assert.strictEqual(Json.own({ a: null }, "a"), null)
  })

  describe("exceedsDepth", () => {
    it("counts arrays and objects alike, and scalars not at all", () => {
      assert.isFalse(Json.exceedsDepth(1, 0))
      assert.isTrue(Json.exceedsDepth([], 0))
      assert.isFalse(Json.exceedsDepth([], 1))
      assert.isFalse(Json.exceedsDepth(nested(128), 128))
      assert.isTrue(Json.exceedsDepth(nested(129), 128))
    })

    it("finds the deep branch beside shallow ones", () => {
      assert.isTrue(Json.exceedsDepth({ a: [], b: [1, nested(5)], c: {} }, 6))
      assert.isFalse(Json.exceedsDepth({ a: [], b: [1, nested(5)], c: {} }, 7))
    })

    // verifies: P-28
    it("survives nesting far beyond the call stack", () => {
      assert.isFalse(Json.exceedsDepth(nested(200_000), Number.MAX_SAFE_INTEGER))
    })
  })
})
