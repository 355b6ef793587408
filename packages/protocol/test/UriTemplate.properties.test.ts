import { assert, describe, it } from "@effect/vitest"
import * as Uri from "@pushbutton/protocol/Uri"
import * as UriTemplate from "@pushbutton/protocol/UriTemplate"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"

/** Values that every place of a path lets through. */
const segment = fc
  .oneof(fc.string({ minLength: 1 }), fc.string({ minLength: 1, unit: "binary" }))
  .filter((value) => !/[/\\\p{Cc}\p{Cs}]/u.test(value) && value !== "." && value !== "..")

/** Values of queries, which may be empty and hold separators. */
const free = fc.string({ unit: "binary" }).filter((value) => !/[\p{Cc}\p{Cs}]/u.test(value))

/** Triplets in a reserved value are taken for what they encode, so a value with one comes back as another. */
const reserved = segment.filter((value) => !/%[0-9a-f]{2}/i.test(value) && !/[?#;&]/.test(value))

const absent = fc.constant(undefined)

/** Templates whose expressions stand between reserved characters, and values for them. */
const laws: ReadonlyArray<
  readonly [string, { readonly [name: string]: fc.Arbitrary<UriTemplate.Value | undefined> }]
> = [
  ["x://{a}", { a: segment }],
  ["x://café/{a}/data", { a: segment }],
  ["x://{a}/{b}@{c}", { a: segment, b: segment, c: segment }],
  ["x://{a,b}", { a: segment, b: segment }],
  ["x://r{/a,b}", { a: segment, b: segment }],
  ["x://r{/a*}", { a: fc.array(segment, { minLength: 1 }) }],
  ["x://r{/a*}{?q}", { a: fc.array(segment, { minLength: 1 }), q: fc.oneof(free, absent) }],
  [
    "x://{a}{;b,c}",
    { a: segment, b: fc.oneof(segment, fc.constant(""), absent), c: fc.oneof(segment, absent) }
  ],
  ["x://{a}{?b,c}{#d}", { a: segment, b: fc.oneof(free, absent), c: fc.oneof(free, absent), d: absent }],
  ["x://s?v=1{&b,c}", { b: fc.oneof(free, absent), c: fc.oneof(free, absent) }],
  ["x://{+a}{?q}", { a: reserved, q: fc.oneof(free, absent) }],
  ["x://r{.a}", { a: segment }]
]

const matchText = (template: UriTemplate.UriTemplate, uri: string) => {
  const normal = Uri.normalize(uri)
  return normal === undefined ? undefined : UriTemplate.match(template, normal)
}

const defined = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

describe("UriTemplate, for any value", () => {
  for (const [text, values] of laws) {
    const template = Either.getOrThrow(UriTemplate.parse(text))

    // verifies: P-92
    it.prop(`a match of ${text} gives back what it was filled in with`, [fc.record(values)], ([given]) => {
      const uri = UriTemplate.expand(template, given)
      if (uri.length > Uri.maxLength) return
      assert.deepStrictEqual<unknown>(matchText(template, uri), defined(given))
    })
  }

  const piece = fc.constantFrom(
    "a",
    "-",
    ".",
    "/",
    ",",
    "é",
    "{v}",
    "{+w}",
    "{/u}",
    "{/s*}",
    "{.t}",
    "{;p}",
    "{?q,r}",
    "{&k}",
    "{#f}"
  )

  it.prop(
    "what a match gives fills the template in to a text that gives the same again",
    [fc.array(piece, { maxLength: 6 }), fc.stringMatching(/^[a-c.,/;?&#=%2F-]{0,20}$/)],
    ([pieces, rest]) => {
      const template = UriTemplate.parse(`x:${pieces.join("")}`)
      if (Either.isLeft(template)) return
      const variables = matchText(template.right, `x:${rest}`)
      if (variables === undefined) return
      const again = UriTemplate.expand(template.right, variables)
      const second = matchText(template.right, again)
      assert.isDefined(second, again)
      assert.strictEqual(UriTemplate.expand(template.right, second ?? {}), again)
    }
  )

  it.prop("parsing and matching are total", [fc.string(), fc.string()], ([text, uri]) => {
    const template = UriTemplate.parse(`x:${text}`)
    if (Either.isRight(template)) UriTemplate.match(template.right, `x:${uri}`)
    else assert.isBelow(template.left.length, 200 + text.length)
  })

  it("looks at each character once for each part of the template", () => {
    const template = Either.getOrThrow(UriTemplate.parse(`x:${"{a}-{b}-{c}-{d}-{e}-{f}-{g}-{h}-{i}!"}`))
    // A backtracking matcher would need 8,000 to the ninth power steps here.
    assert.isUndefined(UriTemplate.match(template, `x:${"-".repeat(8000)}`))
  })
})
