import { assert, describe, it } from "@effect/vitest"
import * as TextTemplate from "@pushbutton/buttons/definitions/textTemplate"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"

const filled = (text: string, values: Readonly<Record<string, string>>, names = Object.keys(values)) =>
  Either.map(TextTemplate.parse(text, new Set(names)), (template) => TextTemplate.fill(template, values))

describe("TextTemplate", () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["Review {{code}}.", { code: "x" }, "Review x."],
    ["{{ code }}{{code}}", { code: "x" }, "xx"],
    ["no names", {}, "no names"],
    ["a { b } }} c", {}, "a { b } }} c"],
    ["\\{{code}} and {{code}}", { code: "x" }, "{{code}} and x"],
    ["{{a}}", { a: "{{b}}", b: "never" }, "{{b}}"],
    ["{{a}}", { a: "$& $1 \\{{" }, "$& $1 \\{{"]
  ])("fills in %j with %j", (text, values, expected) => {
    assert.deepStrictEqual(filled(text, values), Either.right(expected))
  })

  it("fills in nothing for what was not given", () => {
    assert.deepStrictEqual(filled("[{{a}}]", {}, ["a"]), Either.right("[]"))
    assert.deepStrictEqual(filled("[{{constructor}}]", {}, ["constructor"]), Either.right("[]"))
  })

  it("gives back any text without braces, whatever the values", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "grapheme" }), FastCheck.string(), (text, value) => {
        FastCheck.pre(!text.includes("{{"))
        assert.deepStrictEqual(filled(text, { a: value }), Either.right(text))
        assert.deepStrictEqual(filled("<{{a}}>", { a: value }), Either.right(`<${value}>`))
      })
    )
  })
})
