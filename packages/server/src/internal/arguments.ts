/** Tool arguments against the tool's Schema: every problem at once, one line each, named by its path. */
import { excerpt } from "@pushbutton/protocol/Excerpt"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as PlainSchema from "./plainSchema.js"
import { at } from "./problems.js"

export type Decode<A> = (args: JsonObject) => Either.Either<A, ReadonlyArray<string>>

/** Builds the decoder once; unknown arguments are refused. */
export const decoder = <A, I>(schema: Schema.Schema<A, I>): Decode<A> => {
  const decode = ParseResult.decodeUnknownEither(schema, PlainSchema.options)
  const decodeAny: Decode<A> = (args) => Either.mapLeft(decode(args), problems)
  if (takesNothing(schema.ast)) return refuseAny(decodeAny)
  const plain = PlainSchema.compile(schema.ast)
  if (plain === undefined) return decodeAny
  return (args) => {
    const copy = plain(args)
    // What a Schema that changes nothing takes is of its type.
    return copy === PlainSchema.unsure ? decodeAny(args) : Either.right(copy as A)
  }
}

/** What is wrong with a value as it goes out. */
export const checker = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknownEither(schema, PlainSchema.options)
  return (value: JsonValue): ReadonlyArray<string> =>
    Either.match(decode(value), { onLeft: problems, onRight: () => [] })
}

/** An empty struct accepts any value in Effect Schema; for a tool it means that there are no arguments. */
export const takesNothing = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isTypeLiteral(ast) && ast.propertySignatures.length === 0 && ast.indexSignatures.length === 0

const refuseAny =
  <A>(decode: Decode<A>): Decode<A> =>
  (args) => {
    const names = Object.keys(args)
    return names.length === 0 ? decode(args) : Either.left(names.map((name) => `${name}: is unexpected`))
  }

export const problems = (issue: ParseResult.ParseIssue): ReadonlyArray<string> =>
  ParseResult.ArrayFormatter.formatIssueSync(issue).map(({ message, path }) => at(path, shortened(message)))

const actual = ", actual "

/** Effect quotes the whole value behind these words. */
const shortened = (message: string): string => {
  const start = message.indexOf(actual)
  if (start === -1) return message
  const value = start + actual.length
  return message.slice(0, value) + excerpt(message.slice(value))
}
