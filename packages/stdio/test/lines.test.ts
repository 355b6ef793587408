import { Buffer } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { splitter } from "../src/internal/lines.js"

const collect = (chunks: ReadonlyArray<Buffer>, limit = 1_000) => {
  const seen: Array<string> = []
  const lines = splitter(limit, {
    line: (text) => seen.push(text),
    tooLong: () => seen.push("<too long>"),
    notText: () => seen.push("<not text>")
  })
  for (const chunk of chunks) lines.push(chunk)
  lines.end()
  return seen
}

describe("lines", () => {
  // verifies: P-01
  it("gives the same lines however the bytes are split", () => {
    const text = fc.array(
      fc.string({ unit: "binary" }).map((line) => line.replace(/[\r\n]/g, " ")),
      { maxLength: 5 }
    )
    fc.assert(
      fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (lines, sizes) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""))
        const chunks: Array<Buffer> = []
        let start = 0
        for (const size of sizes) {
          if (start >= bytes.length) break
          chunks.push(bytes.subarray(start, start + size))
          start += size
        }
        assert.deepStrictEqual(collect(chunks), collect([bytes]))
        assert.deepStrictEqual(
          collect([bytes]),
          lines.map((line) => Buffer.from(line).toString())
        )
      })
    )
  })

  // verifies: P-07
  it("drops a carriage return before the line feed only", () => {
    assert.deepStrictEqual(collect([Buffer.from("a\r\nb\rc\n\r\n")]), ["a", "b\rc", ""])
  })

  it("takes what stands after the last line feed when the input ends", () => {
    assert.deepStrictEqual(collect([Buffer.from("a\nb")]), ["a", "b"])
  })

  // verifies: ST-03
  it("reports a line that is not UTF-8 and goes on after it", () => {
    const bytes = Buffer.concat([Buffer.from([0x22, 0xff, 0xc3, 0x22, 0x0a]), Buffer.from("ok\n")])
    assert.deepStrictEqual(collect([bytes]), ["<not text>", "ok"])
  })

  // verifies: P-08
  it("reports a line over the limit once and goes on after it", () => {
    const long = Buffer.alloc(6, "x")
    assert.deepStrictEqual(collect([long, long, long, Buffer.from("\nok\n")], 10), ["<too long>", "ok"])
    assert.deepStrictEqual(collect([Buffer.from("12345\n123456\n1\n")], 5), ["12345", "<too long>", "1"])
  })
})
