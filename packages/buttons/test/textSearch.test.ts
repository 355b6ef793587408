import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as TextSearch from "../src/internal/textSearch.js"

const few = (maxLength: number, minLength = 0) =>
  FastCheck.string({ minLength, maxLength, unit: FastCheck.constantFrom("a", "b") })

/** Long, and full of itself. */
const repeated = FastCheck.tuple(few(5, 1), FastCheck.integer({ min: 20, max: 90 }), few(3)).map(
  ([part, times, end]) => part.repeat(times) + end
)

describe("textSearch.occurrences", () => {
  it.prop(
    "covers what a search from every place finds, and nothing else",
    [few(400), FastCheck.oneof(few(6, 1), repeated), FastCheck.nat(3)],
    ([around, wanted, times]) => {
      const text = around + wanted.repeat(times) + around
      const covered = Array.from(text, () => false)
      for (let from = 0; from < text.length; from++) {
        if (text.startsWith(wanted, from)) covered.fill(true, from, from + wanted.length)
      }
      const spans = TextSearch.occurrences(text, wanted)
      const found = Array.from(text, (_, at) => spans.some(({ from, to }) => from <= at && at < to))
      assert.deepStrictEqual(found, covered)
      for (const [index, { from }] of spans.entries()) {
        if (index > 0) assert.isAbove(from, spans[index - 1]?.to ?? 0)
      }
    }
  )
})

describe("textSearch.overlap", () => {
  it.prop("is the longest end of one that begins the other", [few(30), few(30)], ([before, after]) => {
    let longest = 0
    for (let length = 1; length <= Math.min(before.length, after.length); length++) {
      if (before.endsWith(after.slice(0, length))) longest = length
    }
    assert.strictEqual(TextSearch.overlap(before, after), longest)
  })
})
