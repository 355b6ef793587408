import { assert, describe, it } from "@effect/vitest"
import { KeptJson } from "../src/internal/keptJson.js"

describe("kept JSON", () => {
  it("is what was given, and what is long is kept as text", () => {
    const small = { elicitation: { form: {} } }
    const large = { experimental: { list: Array.from({ length: 500 }, () => ({})) } }
    for (const value of [{}, small, large]) assert.deepStrictEqual(new KeptJson(value).value, value)
    assert.strictEqual(new KeptJson(small).value, small)
    assert.notStrictEqual(new KeptJson(large).value, large)
  })
})
