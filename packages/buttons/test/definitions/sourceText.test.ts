import { assert, describe, it } from "@effect/vitest"
import * as SourceText from "@pushbutton/buttons/definitions/sourceText"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"

const pieces = [
  ..."abc:,-?[]{}#&*!|>'\"%@`~<\\ \n\t0.1\u0000\u0085\ufeff",
  "\n  ",
  "- ",
  ": ",
  "&a ",
  "*a ",
  "<<: ",
  "---\n",
  "...\n",
  "!!binary ",
  "%YAML 1.1\n",
  "0x10",
  "1e999",
  "__proto__: ",
  "null",
  "\ud800",
  "日本語"
]

/** JSON knows one zero. */
const unsigned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unsigned)
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? 0 : value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unsigned(inner)]))
}

describe("SourceText.read", () => {
  it("gives a value or says where the text is wrong, whatever the text", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join("")),
        (text) => {
          const lines = text.split(/\r\n|\r|\n/).length
          Either.match(SourceText.read(text), {
            onLeft: (mistakes) => {
              assert.isNotEmpty(mistakes)
              for (const { message, place } of mistakes) {
                assert.isNotEmpty(message)
                assert.isTrue(place.line >= 1 && place.line <= lines && place.column >= 1)
              }
            },
            onRight: ({ value }) => assert.deepStrictEqual(JSON.parse(JSON.stringify(value)), unsigned(value))
          })
        }
      ),
      { numRuns: 2_000 }
    )
  })

  it("reads all JSON as what it is", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.json().map((text): unknown => JSON.parse(text)),
        FastCheck.constantFrom(undefined, 2, "\t"),
        (value, indentation) => {
          const located = SourceText.read(JSON.stringify(value, null, indentation))
          assert.deepStrictEqual(
            Either.map(located, (found): unknown => found.value),
            Either.right(value)
          )
        }
      )
    )
  })

  it.each([
    ["brackets", (depth: number) => `${"[".repeat(depth)}1${"]".repeat(depth)}`],
    ["braces", (depth: number) => `${"{a: ".repeat(depth)}1${"}".repeat(depth)}`],
    ["lists", (depth: number) => `${"- ".repeat(depth)}1`],
    [
      "names",
      (depth: number) =>
        `${Array.from({ length: depth }, (_, at) => `${" ".repeat(at)}a:\n`).join("")}${" ".repeat(depth)}1`
    ]
  ] as const)("takes 128 levels of %s around a value, and no more", (_, nested) => {
    assert.isTrue(Either.isRight(SourceText.read(nested(128))))
    assert.deepInclude(Either.getOrThrow(Either.flip(SourceText.read(nested(129))))[0], {
      message: "is nested deeper than 128 levels"
    })
  })

  it("names the place of what is there, and of the nearest thing around what is not", () => {
    const located = Either.getOrThrow(SourceText.read("a:\n  - b: 1\n    c:\n  - x\n"))
    const places: ReadonlyArray<readonly [SourceText.Path, string, string]> = [
      [["a"], "2:3", "1:1"],
      [["a", 0], "2:5", "2:5"],
      [["a", 0, "b"], "2:8", "2:5"],
      [["a", 0, "c"], "3:5", "3:5"],
      [["a", 0, "d", "e"], "2:5", "2:5"],
      [["a", 1], "4:5", "4:5"],
      [["z"], "1:1", "1:1"]
    ]
    for (const [path, value, key] of places) {
      const at = ({ column, line }: SourceText.Place) => `${line}:${column}`
      assert.deepStrictEqual([at(located.valueAt(path)), at(located.keyAt(path))], [value, key])
    }
  })
})
