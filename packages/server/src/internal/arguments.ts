/** Tool arguments against the tool's Schema: every problem at once, one line each, named by its path. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

export type Decode<A> = (args: JsonObject) => Either.Either<A, ReadonlyArray<string>>

const everyProblem = { errors: "all", onExcessProperty: "error" } as const

/** Builds the decoder once; unknown arguments are refused. */
export const decoder = <A, I>(schema: Schema.Schema<A, I>): Decode<A> => {
  const decode = ParseResult.decodeUnknownEither(schema, everyProblem)
  const decodeArguments: Decode<A> = (args) => Either.mapLeft(decode(args), problems)
  return takesNothing(schema.ast) ? refuseAny(decodeArguments) : decodeArguments
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

const problems = (issue: ParseResult.ParseIssue): ReadonlyArray<string> =>
  ParseResult.ArrayFormatter.formatIssueSync(issue).map(({ message, path }) =>
    path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
  )
