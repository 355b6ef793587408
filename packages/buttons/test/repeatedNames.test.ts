import { assert, describe, it } from "@effect/vitest"
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as FastCheck from "effect/FastCheck"
import * as RepeatedNames from "../src/internal/repeatedNames.js"

const value: FastCheck.Arbitrary<JsonValue> = FastCheck.oneof(
  FastCheck.json().map((text): JsonValue => JSON.parse(text)),
  FastCheck.dictionary(
    FastCheck.constantFrom("a", "a:", '"', '":', "\\", '\\":', "__proto__", "\n:"),
    FastCheck.string()
  )
)

describe("RepeatedNames", () => {
  it.prop(
    "finds nothing in what has each name once",
    [value, FastCheck.constantFrom(undefined, 1, "\n")],
    ([one, space]) => {
      const text = JSON.stringify(one, null, space)
      assert.deepStrictEqual(RepeatedNames.find(text, JSON.parse(text)), [])
    }
  )

  it.prop(
    "finds a name that is there again, and only that",
    [FastCheck.string(), value, value],
    ([name, one, other]) => {
      const key = JSON.stringify(name)
      const text = `{"k": [{${key}: ${JSON.stringify(one)}, ${key} : ${JSON.stringify(other)}}]}`
      assert.deepStrictEqual(RepeatedNames.find(text, JSON.parse(text)), [`k[0].${name}`])
    }
  )

  it("reads a long text", () => {
    const text = JSON.stringify({ a: 'x\\"'.repeat(300_000) })
    assert.deepStrictEqual(RepeatedNames.find(text, JSON.parse(text)), [])
  })
})
