/** A prompt's arguments: what is listed of them, and the checks before the handler runs. */
import { excerpt } from "@pushbutton/protocol/Excerpt"
import type * as Protocol from "@pushbutton/protocol/Prompt"
import { InvalidParams } from "@pushbutton/protocol/ProtocolError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { problems } from "./arguments.js"

export interface Reader<A> {
  readonly listed: ReadonlyArray<Protocol.PromptArgument>
  /** Looks at the names only, and runs nothing of the author's. */
  readonly missing: (args: Protocol.Arguments) => InvalidParams | undefined
  /** Arguments that the prompt does not have are left out; nothing else is forgiven. */
  readonly read: (args: Protocol.Arguments) => Either.Either<A, InvalidParams>
}

export const fromList = (
  listed: ReadonlyArray<Protocol.PromptArgument>
): Reader<{ readonly [name: string]: string }> => ({
  listed,
  missing: (args) => missing(listed, args),
  read: (args) => {
    const names = new Set(listed.map(({ name }) => name))
    return Either.right(Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name))))
  }
})

export const fromSchema = <A, I>(schema: Schema.Schema<A, I>): Reader<A> => {
  const listed = listOf(schema.ast)
  const decode = ParseResult.decodeUnknownEither(schema, { errors: "all" })
  return {
    listed,
    missing: (args) => missing(listed, args),
    read: (args) => Either.mapLeft(decode(args), invalidArguments)
  }
}

const missing = (
  listed: ReadonlyArray<Protocol.PromptArgument>,
  args: Protocol.Arguments
): InvalidParams | undefined => {
  const names = listed.flatMap(({ name, required }) =>
    required === true && !Object.hasOwn(args, name) ? [name] : []
  )
  return names.length === 0
    ? undefined
    : new InvalidParams({ detail: `Missing required argument: ${names.join(", ")}` })
}

const mostCharacters = 400

/** That an optional argument might as well be missing is no help to who has given one. */
const isNoise = (problem: string): boolean => problem.includes(": Expected undefined, ")

const invalidArguments = (issue: ParseResult.ParseIssue): InvalidParams => {
  const all = problems(issue).filter((problem) => !isNoise(problem))
  return new InvalidParams({ detail: excerpt(`Invalid arguments: ${all.join("; ")}`, mostCharacters) })
}

const listOf = (ast: SchemaAST.AST): ReadonlyArray<Protocol.PromptArgument> => {
  const written = ast._tag === "Transformation" ? ast.from : ast
  return SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(({ isOptional, name }) => {
    const source = SchemaAST.getPropertySignatures(written).find((signature) => signature.name === name)
    const description = source && (descriptionOf(source) ?? descriptionOf(source.type))
    return {
      name: String(name),
      ...(description === undefined ? {} : { description }),
      ...(isOptional ? {} : { required: true })
    }
  })
}

const ofString = SchemaAST.stringKeyword.annotations[SchemaAST.DescriptionAnnotationId]

/** What the author wrote, and not what every string says of itself. An optional argument is a union with undefined. */
const descriptionOf = (annotated: SchemaAST.Annotated): string | undefined => {
  const own = Option.getOrUndefined(SchemaAST.getDescriptionAnnotation(annotated))
  if (own !== undefined && own !== ofString) return own
  if (!("_tag" in annotated) || annotated._tag !== "Union") return undefined
  const { types } = annotated as SchemaAST.Union
  return types.map(descriptionOf).find((description) => description !== undefined)
}
