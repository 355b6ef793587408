import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as PlainSchema from "../src/internal/plainSchema.js"

const Colour = { red: "red", one: 1 } as const

const Point = Schema.Struct({ x: Schema.Number, y: Schema.Int.pipe(Schema.between(-9, 9)) })

/** JSON that often has the members of a schema, and something wrong with them or besides them. */
const near = <A, I>(schema: Schema.Schema<A, I>) =>
  FastCheck.tuple(
    Arbitrary.make(schema),
    FastCheck.dictionary(
      FastCheck.constantFrom(
        "text",
        "times",
        "name",
        "on",
        "x",
        "y",
        "points",
        "either",
        "extra",
        "__proto__",
        "toString"
      ),
      FastCheck.jsonValue()
    ),
    FastCheck.boolean()
  ).map(([value, wrong, isRight]): unknown => {
    const sent: object = JSON.parse(JSON.stringify(value))
    return isRight ? sent : JSON.parse(JSON.stringify({ ...sent, ...wrong }))
  })

const givesTheSame = <A, I>(schema: Schema.Schema<A, I>) => {
  const copy = PlainSchema.compile(schema.ast)
  const decode = ParseResult.decodeUnknownEither(schema, PlainSchema.options)

  it(`gives what the general decoder gives, or is unsure: ${String(schema)}`, () => {
    assert.isDefined(copy)
    FastCheck.assert(
      FastCheck.property(near(schema), (value) => {
        const before = JSON.stringify(value)
        const copied = copy?.(value)
        const decoded = decode(value)
        assert.strictEqual(copied === PlainSchema.unsure, Either.isLeft(decoded))
        if (Either.isRight(decoded)) {
          assert.deepStrictEqual(copied, decoded.right)
          assert.notStrictEqual(copied, value)
        }
        assert.strictEqual(JSON.stringify(value), before)
      })
    )
  })
}

describe("plainSchema", () => {
  givesTheSame(Schema.Struct({ text: Schema.String, times: Schema.Int }))
  givesTheSame(Schema.Struct({ name: Schema.NonEmptyString, on: Schema.optional(Schema.Boolean) }))
  givesTheSame(Schema.Struct({ kind: Schema.Literal("a", 1, null, true), colour: Schema.Enums(Colour) }))
  givesTheSame(
    Schema.Struct({ points: Schema.Array(Point).pipe(Schema.minItems(1)), best: Schema.optional(Point) })
  )
  givesTheSame(
    Schema.Struct({
      either: Schema.Union(Point, Schema.Struct({ at: Schema.String }), Schema.NullOr(Schema.String))
    })
  )
  givesTheSame(Schema.Struct({ id: Schema.String.pipe(Schema.pattern(/^[a-z]+$/), Schema.brand("Id")) }))
  givesTheSame(
    Schema.Struct({
      exact: Schema.optionalWith(Schema.Number, { exact: true }),
      mutable: Schema.mutable(Schema.Array(Schema.String))
    })
  )

  it("leaves Schemas that change, declare, recurse or have options to the general decoder", () => {
    interface Tree {
      readonly children: ReadonlyArray<Tree>
    }
    const Tree: Schema.Schema<Tree> = Schema.Struct({ children: Schema.Array(Schema.suspend(() => Tree)) })
    const others: ReadonlyArray<{ readonly ast: Schema.Schema.All["ast"] }> = [
      Schema.Struct({ at: Schema.DateFromString }),
      Schema.Struct({ times: Schema.optionalWith(Schema.Int, { default: () => 1 }) }),
      Schema.Struct({ trimmed: Schema.Trim }),
      Schema.Struct({ file: Schema.instanceOf(Uint8Array) }),
      Schema.Struct({ anything: Schema.Record({ key: Schema.String, value: Schema.Number }) }),
      Schema.Struct({ pair: Schema.Tuple(Schema.String, Schema.Number) }),
      Schema.Struct({ text: Schema.String }).annotations({ parseOptions: { onExcessProperty: "preserve" } }),
      Schema.Struct({ ["__proto__"]: Schema.String, text: Schema.String }),
      Schema.Struct({ times: Schema.Number.annotations({ decodingFallback: () => Effect.succeed(0) }) }),
      Schema.Struct({}),
      Tree
    ]
    for (const { ast } of others) assert.isUndefined(PlainSchema.compile(ast), String(ast))
  })
})
