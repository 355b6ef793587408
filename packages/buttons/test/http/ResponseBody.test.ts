import { Buffer } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import * as ResponseBody from "@pushbutton/buttons/http/ResponseBody"
import * as FastCheck from "effect/FastCheck"

describe("ResponseBody", () => {
  it.prop(
    "is the same however it comes, up to the limit",
    [FastCheck.array(FastCheck.string({ unit: "binary" })), FastCheck.nat(40)],
    ([pieces, limit]) => {
      const whole = Buffer.from(pieces.join(""))
      const inBytes = ResponseBody.make(limit)
      for (const byte of whole) if (!inBytes.push(Uint8Array.of(byte))) break
      const atOnce = ResponseBody.make(limit)
      assert.strictEqual(atOnce.push(whole), whole.length <= limit)
      const { cut, text, truncated } = atOnce.read(undefined)
      assert.deepStrictEqual(
        { ...inBytes.read(undefined), bytes: 0 },
        { text, truncated, ...(cut && { cut }), bytes: 0 }
      )
      assert.strictEqual(truncated, whole.length > limit)
      if (truncated) assert.strictEqual(text.slice(cut?.from), `\n[cut after ${limit} bytes]`)
      else assert.strictEqual(text, new TextDecoder().decode(whole))
    }
  )

  it("keeps what it was given, and not the chunks", () => {
    const body = ResponseBody.make(1_000)
    const chunk = Buffer.from("a")
    for (let count = 0; count < 3; count++) body.push(chunk)
    chunk.fill("b")
    assert.deepStrictEqual(body.read(undefined), { text: "aaa", bytes: 3, truncated: false })
  })

  it("reads the encoding that is named, also in pieces", () => {
    const body = ResponseBody.make(1_000)
    for (const byte of Buffer.from("é€", "utf16le")) body.push(Uint8Array.of(byte))
    assert.strictEqual(body.read("text/plain; charset=UTF-16LE").text, "é€")
  })
})
