import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as LinearRegExp from "../src/internal/regExp/LinearRegExp.js"

const free = () => {}

const check = (source: string, texts: ReadonlyArray<string>) => {
  const linear = Either.getOrThrowWith(
    LinearRegExp.make(source),
    (detail) => new Error(`${source} ${detail}`)
  )
  const native = new RegExp(source, "u")
  for (const text of texts) {
    assert.strictEqual(linear.test(text, free), native.test(text), `/${source}/ on ${JSON.stringify(text)}`)
  }
}

const texts = [
  ...[
    "",
    "a",
    "b",
    "ab",
    "ba",
    "aab",
    "abab",
    "aaa",
    "a b",
    " a",
    "a\nb",
    "a-b",
    "-",
    "0",
    "a1_",
    "A",
    "é",
    "ß",
    "😀"
  ],
  ...[
    "😀a",
    "\ud83d",
    "a.b",
    "[a]",
    "x@y.zz",
    "2024-01-31",
    "a-b-c",
    "a--b",
    "()",
    "|",
    "\\",
    "/",
    "}",
    "]",
    "\u0000"
  ]
]

describe("LinearRegExp", () => {
  const sources = [
    ...[
      "",
      "a",
      "^a",
      "a$",
      "^a$",
      "^$",
      "^",
      "$",
      "a|b",
      "^(?:a|b)$",
      "^(a|b)*$",
      "a*",
      "^a+$",
      "^a?$",
      "^a{2}$",
      "^a{2,}$"
    ],
    ...[
      "^a{0,2}$",
      "^(ab){1,2}$",
      "^a*?b",
      "^[a-z]+$",
      "^[^a-z]+$",
      "^[\\w-]+$",
      "^[\\]]$",
      "^[\\s\\S]*$",
      ".",
      "^.$",
      "^\\S+$"
    ],
    ...[
      "\\bab\\b",
      "a\\Bb",
      "^\\d{4}-\\d{2}-\\d{2}$",
      "^[a-z]+(-[a-z]+)*$",
      "^(a*)*$",
      "^(a|aa)+$",
      "^(?<year>\\d)$",
      "\\.",
      "\\/"
    ],
    ...[
      "^\\u{1F600}$",
      "^\\uD83D\\uDE00",
      "^\\u0061$",
      "^\\x61$",
      "^\\p{L}+$",
      "^\\P{L}$",
      "^\\0$",
      "^\\cA$",
      "[]",
      "[^]",
      "()",
      "(|a)b"
    ],
    ...["^([^@]+)@([^@.]+\\.)+[a-z]{2,}$", "(?:(?:))*", "^(?:a?){3}$", "^(a{0,2}){2}$"]
  ]
  for (const source of sources) it(`means by /${source}/ what ECMAScript means`, () => check(source, texts))

  const part = fc.constantFrom(
    "a",
    "b",
    ".",
    "[ab]",
    "[^a]",
    "\\w",
    "\\b",
    "^",
    "$",
    "(?:a|b)",
    "(a|)",
    "(ab)",
    "\\d"
  )
  const times = fc.constantFrom("", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?")
  const isAssertion = (source: string) => ["\\b", "^", "$"].includes(source)
  const piece = fc
    .tuple(part, times)
    .map(([source, count]) => (isAssertion(source) ? source : source + count))
  const sequence = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""))
  const source = fc
    .tuple(sequence, sequence, times)
    .map(([left, right, count]) => `(?:${left}|${right})${count}`)

  it.prop(
    "agrees with the engine on any expression and text",
    [source, fc.array(fc.constantFrom("a", "b", "c", "1", " ", "\n"), { maxLength: 8 })],
    ([expression, letters]) => check(expression, [letters.join("")])
  )

  const refused: ReadonlyArray<readonly [string, string]> = [
    ["(?=a)b", "uses a lookaround, which cannot be matched in bounded time"],
    ["(?!a)b", "uses a lookaround, which cannot be matched in bounded time"],
    ["(?<=a)b", "uses a lookaround, which cannot be matched in bounded time"],
    ["a(b(?<!a))", "uses a lookaround, which cannot be matched in bounded time"],
    ["(a)\\1", "uses a backreference, which cannot be matched in bounded time"],
    ["(?<x>a)\\k<x>", "uses a backreference, which cannot be matched in bounded time"],
    ["((a{100}){100}){100}", "uses too many repetitions, which cannot be matched in bounded time"],
    ["[\\w-.]", "is not a regular expression with the u flag"],
    ["(", "is not a regular expression with the u flag"]
  ]
  for (const [source, detail] of refused) {
    it(`refuses /${source}/`, () => {
      assert.deepStrictEqual(Either.getOrThrow(Either.flip(LinearRegExp.make(source))), detail)
    })
  }

  it("takes steps in proportion to the text where backtracking explodes", () => {
    for (const source of ["^(a+)+$", "^(a|aa)+$", "^(a*)*b$", "a*a*a*a*a*b", "^(([a-z])+.)+[A-Z]([a-z])+$"]) {
      const linear = Either.getOrThrow(LinearRegExp.make(source))
      const stepsOf = (length: number) => {
        let steps = 0
        linear.test(`${"a".repeat(length)}!`, (count) => {
          steps += count
        })
        return steps
      }
      assert.isBelow(stepsOf(2_000), 2.5 * stepsOf(1_000), source)
    }
  })

  it("stops when the one who counts its steps throws", () => {
    const linear = Either.getOrThrow(LinearRegExp.make("b"))
    assert.throws(() =>
      linear.test("aaa", () => {
        throw new Error("enough")
      })
    )
  })
})
