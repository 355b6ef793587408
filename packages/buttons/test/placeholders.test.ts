import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Placeholders from "../src/internal/placeholders.js"

const parse = (text: string) =>
  Placeholders.parse(text, /\{(\w*)\}/g, ([whole, name = ""]) => (name === "" ? whole : { name }))

describe("placeholders", () => {
  it("takes a text apart at its places, and leaves the rest whole", () => {
    assert.deepStrictEqual(parse("a{}b{x}{y}c"), ["a{}b", { name: "x" }, { name: "y" }, "c"])
    assert.deepStrictEqual(parse("{x}"), [{ name: "x" }])
    assert.deepStrictEqual(parse(""), [])
  })

  it.prop(
    "fills every place in once, with anything",
    [
      FastCheck.array(FastCheck.oneof(FastCheck.string(), FastCheck.constant({ name: "x" }))),
      FastCheck.string()
    ],
    ([parts, value]) => {
      const text = parts.map((part) => (typeof part === "string" ? part.replaceAll("{", "") : "{x}")).join("")
      assert.strictEqual(
        Placeholders.fill(parse(text), () => `{x}${value}`),
        parts.map((part) => (typeof part === "string" ? part.replaceAll("{", "") : `{x}${value}`)).join("")
      )
    }
  )

  it("knows no value that nobody gave", () => {
    assert.isUndefined(Placeholders.textOf({}, "constructor"))
    assert.strictEqual(Placeholders.textOf({ constructor: "own" }, "constructor"), "own")
  })
})
