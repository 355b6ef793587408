import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Text from "../src/internal/text.js"

const anyText = FastCheck.string({ unit: "binary" })
const encoder = new TextEncoder()

describe("internal text", () => {
  it.prop("measures as an encoder writes", [anyText], ([text]) => {
    assert.strictEqual(Text.byteLength(text), encoder.encode(text).length)
  })

  it("measures a lone surrogate as what stands in for it", () => {
    assert.strictEqual(Text.byteLength("\ud800"), 3)
  })

  it.prop("keeps the longest beginning that fits", [anyText, FastCheck.nat(40)], ([text, limit]) => {
    const kept = Text.head(text, limit)
    const [next = ""] = text.slice(kept.length)
    assert.isTrue(text.startsWith(kept))
    assert.isAtMost(Text.byteLength(kept), limit)
    if (next !== "") assert.isAbove(Text.byteLength(kept + next), limit)
  })

  it("quotes without cutting a code point, and on one line", () => {
    assert.strictEqual(Text.quote(`${"x".repeat(62)}😀😀`), `"${"x".repeat(62)}…"`)
    assert.strictEqual(Text.quote("a\n\u009b"), '"a\\n\\u009b"')
  })

  it("counts what it leaves out of a list", () => {
    const more = (count: number) => `and ${count} more`
    assert.deepStrictEqual(Text.firstOf(["a", "b"], 2, more), ["a", "b"])
    assert.deepStrictEqual(Text.firstOf(["a", "b", "c"], 1, more), ["a", "and 2 more"])
  })
})
