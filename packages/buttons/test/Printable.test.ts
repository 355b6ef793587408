import { assert, describe, it } from "@effect/vitest"
import * as Printable from "@pushbutton/buttons/Printable"
import * as FastCheck from "effect/FastCheck"

const orders = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

describe("Printable", () => {
  it("shows what a terminal would obey, and leaves letters of any script alone", () => {
    assert.strictEqual(
      Printable.line("a\u001b[2J\r\n\tb\u009b\u2028\u202e"),
      "a\\u001b[2J\\r\\n\\tb\\u009b\\u2028\\u202e"
    )
    assert.strictEqual(Printable.line("Größe 日本語 👍\u200d"), "Größe 日本語 👍\u200d")
  })

  it.prop("keeps any text on one line without orders", [FastCheck.string({ unit: "binary" })], ([text]) => {
    assert.notMatch(Printable.line(text), orders)
  })

  it.prop("writes JSON that reads back as what it was", [FastCheck.jsonValue()], ([value]) => {
    const text = Printable.json({ value })
    assert.deepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify({ value })))
    assert.notMatch(text.replaceAll("\n", ""), orders)
  })
})
