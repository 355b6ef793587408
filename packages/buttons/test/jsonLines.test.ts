import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as JsonLines from "../src/internal/jsonLines.js"

const errorOf = (text: string) => {
  const { error } = JsonLines.locate(text)
  return error && `${error.line}:${error.column} ${error.message}`
}

const accepts = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("jsonLines", () => {
  it.each([
    ['{\n  "a": 1,\n}', "3:1 expected a field name in double quotes"],
    ['{\n  "a": 1\n  "b": 2\n}', '3:3 expected "," or "}"'],
    ['{"a" 1}', '1:6 expected ":" after the field name'],
    ["[1 2]", '1:4 expected "," or "]"'],
    ["{\n'a': 1}", "2:1 expected a field name in double quotes"],
    ['{"a": tru}', "1:7 expected a value"],
    ['{"a": "x\n"}', "1:9 a string may not contain a line break or another control character"],
    ['{"a": "\\q"}', "1:8 this escape does not exist"],
    ['{"a": "x', "1:9 the text ends too early"],
    ['{\n  "a": 1', "2:9 the text ends too early"],
    ["", "1:1 the text ends too early"],
    ["{}\n// note", "2:1 unexpected text after the end"]
  ])("says where %j is wrong", (text, expected) => {
    assert.strictEqual(errorOf(text), expected)
  })

  it("stops at a depth that no definition has", () => {
    assert.strictEqual(errorOf("[".repeat(100_000)), "1:514 nested too deep")
  })

  it("knows the line of every field, and of what surrounds one that is missing", () => {
    const located = JsonLines.locate(
      '{\n  "name": "x",\n  "args": [\n    {\n      "type": "int"\n    }\n  ]\n}'
    )
    assert.deepStrictEqual(
      ["name", "args", "args[0]", "args[0].type", "args[0].name", "args[1]", "env.A"].map((path) =>
        JsonLines.lineOf(located, path)
      ),
      [2, 3, 4, 5, 4, 3, undefined]
    )
  })

  it("keeps the last place of a repeated field, which is the one that counts", () => {
    assert.strictEqual(JsonLines.lineOf(JsonLines.locate('{\n"a": 1,\n"a": 2}'), "a"), 3)
  })

  it.prop(
    "finds an error exactly where JSON.parse does",
    [
      FastCheck.json(),
      FastCheck.nat(),
      FastCheck.constantFrom("", "}", "]", ",", '"', "0", "\\", " ", "x", "\n")
    ],
    ([json, at, piece]) => {
      const cut = at % (json.length + 1)
      for (const text of [json, json.slice(0, cut), json.slice(0, cut) + piece + json.slice(cut)]) {
        assert.strictEqual(JsonLines.locate(text).error === undefined, accepts(text), text)
      }
    }
  )
})
