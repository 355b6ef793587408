import { Buffer } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as OutputCapture from "../src/internal/outputCapture.js"

const capture = (limitBytes: number, chunks: ReadonlyArray<string | Uint8Array>) => {
  const output = OutputCapture.make(limitBytes)
  for (const chunk of chunks) output.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)
  return output.read()
}

describe("outputCapture", () => {
  it("keeps what fits as it is", () => {
    assert.deepStrictEqual(capture(10, ["01234", "56", "789"]), {
      text: "0123456789",
      bytes: 10,
      truncated: false
    })
    assert.deepStrictEqual(capture(10, []), { text: "", bytes: 0, truncated: false })
  })

  // verifies: P-106
  it("keeps the beginning and the end of what does not, and says how much is missing", () => {
    assert.deepStrictEqual(capture(10, ["abcdefghij", "k", "lmnopqrst"]), {
      text: "abcde\n[10 bytes left out]\npqrst",
      bytes: 20,
      truncated: true,
      cut: { from: 5, to: 26 }
    })
  })

  it.each([0, 1, 2])("works with a limit of %i", (limit) => {
    const { bytes, text, truncated } = capture(limit, ["abcdef"])
    assert.deepStrictEqual([bytes, truncated], [6, true])
    assert.strictEqual(
      text,
      ["\n[6 bytes left out]\n", "a\n[5 bytes left out]\n", "a\n[4 bytes left out]\nf"][limit]
    )
  })

  // verifies: P-01
  it("puts a code point together that two chunks share", () => {
    const euro = Buffer.from("€")
    assert.strictEqual(capture(10, [euro.subarray(0, 1), euro.subarray(1, 2), euro.subarray(2)]).text, "€")
  })

  it("leaves out whole code points only", () => {
    // The head of 5 bytes ends inside the second emoji, the tail of 5 begins inside the last but one.
    assert.strictEqual(capture(10, ["😀😀😀😀"]).text, "😀\n[8 bytes left out]\n😀")
    assert.strictEqual(capture(4, ["aé", "xyz", "éb"]).text, "a\n[7 bytes left out]\nb")
  })

  it("replaces what is not UTF-8", () => {
    assert.strictEqual(capture(10, [Uint8Array.of(0xff, 0x61, 0xe2, 0x82)]).text, "\uFFFDa\uFFFD")
  })

  it.prop(
    "keeps the same however the bytes arrive, and the exact beginning and end",
    [
      FastCheck.array(FastCheck.uint8Array({ maxLength: 12 }), { maxLength: 12 }),
      FastCheck.integer({ min: 0, max: 40 })
    ],
    ([chunks, limit]) => {
      // Letters only, so that bytes and text correspond.
      const letters = chunks.map((chunk) => chunk.map((byte) => 97 + (byte % 26)))
      const whole = Buffer.concat(letters)
      const { bytes, text, truncated } = capture(limit, letters)
      assert.strictEqual(bytes, whole.length)
      assert.strictEqual(truncated, whole.length > limit)
      const head = Math.ceil(limit / 2)
      const expected = truncated
        ? `${whole.toString("utf8", 0, head)}\n[${whole.length - limit} bytes left out]\n${whole.toString("utf8", whole.length - (limit - head))}`
        : whole.toString("utf8")
      assert.strictEqual(text, expected)
    }
  )
})
