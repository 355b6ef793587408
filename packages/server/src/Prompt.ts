/** The author's API for prompts: a name, arguments that users fill in, and a handler that gives the messages. */
import type * as Protocol from "@pushbutton/protocol/Prompt"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type * as Completion from "./Completion.js"
import * as Completers from "./internal/completers.js"
import { type Description, describe } from "./internal/definition.js"
import { describeFailure } from "./internal/describeFailure.js"
import * as Immediate from "./internal/immediate.js"
import * as PromptArguments from "./internal/promptArguments.js"
import * as PromptMessage from "./PromptMessage.js"

/** A definition that cannot be served; raised when the prompt is registered. */
export class InvalidPrompt extends Data.TaggedError("InvalidPrompt")<{
  readonly prompt: string
  readonly property: string
  readonly detail: string
}> {
  override get message() {
    return `Prompt ${JSON.stringify(this.prompt)}: ${this.property} ${this.detail}`
  }
}

/** What a handler fails with when a value is wrong: the user gets to read why and can correct it. */
export class InvalidArgument extends Data.TaggedError("InvalidArgument")<{
  readonly argument: string
  readonly detail: string
}> {}

/** A prompt whose handler and completers need the services `R`. */
export interface Prompt<out R> {
  readonly definition: Protocol.Prompt
  /** A required argument that is missing is found at once; the effect decodes the others and runs the handler. */
  readonly get: (
    args: Protocol.Arguments
  ) => Either.Either<
    Effect.Effect<Protocol.PromptResult, ProtocolError.ProtocolError, R>,
    ProtocolError.InvalidParams
  >
  readonly completers: Completers.Completers<R>
}

/** The values of a list of arguments: strings, and those not required may be missing. */
export type ArgumentsOf<List extends ReadonlyArray<Protocol.PromptArgument>> = {
  readonly [Name in Required<List[number]>]: string
} & { readonly [Name in Exclude<List[number]["name"], Required<List[number]>>]?: string }

type Required<Argument> = Argument extends {
  readonly name: infer Name extends string
  readonly required: true
}
  ? Name
  : never

interface Common<Each> extends Description {
  /** Suggestions by argument name. */
  readonly complete?: Completion.Completers<Each>
}

export interface Options<List extends ReadonlyArray<Protocol.PromptArgument>, Each, E, R>
  extends Common<Each> {
  readonly arguments?: List
  /** `InvalidArgument` is the user's mistake; any other typed failure is an error with its message. */
  readonly handler: (args: ArgumentsOf<List>) => Effect.Effect<PromptMessage.PromptContent, E, R>
}

/** On the wire arguments are strings. */
type Strings<I> = { readonly [Name in keyof I]: string | undefined }

export interface SchemaOptions<A, I, Each, E, R> extends Common<Each> {
  /** A Schema of a struct whose encoded values are strings. Descriptions of its fields are listed. */
  readonly arguments: Schema.Schema<A, I>
  readonly handler: (args: A) => Effect.Effect<PromptMessage.PromptContent, E, R>
}

/** Defines a prompt. It is checked when `McpServer.prompts` registers it. */
export function make<
  A,
  I extends Strings<I>,
  E,
  R,
  Each extends Completion.SomeOf<keyof I> = Completion.None
>(name: string, options: SchemaOptions<A, I, Each, E, R>): Prompt<R | Each[keyof Each]>
export function make<
  E,
  R,
  const List extends ReadonlyArray<Protocol.PromptArgument> = readonly [],
  Each extends Completion.SomeOf<List[number]["name"]> = Completion.None
>(name: string, options: Options<List, Each, E, R>): Prompt<R | Each[keyof Each]>
export function make<A, I, Each, E, R>(
  name: string,
  options: SchemaOptions<A, I, Each, E, R> | Options<ReadonlyArray<Protocol.PromptArgument>, Each, E, R>
): Prompt<R | Each[keyof Each]> {
  // Which handler belongs to which arguments is settled by the overloads.
  const reader: PromptArguments.Reader<unknown> =
    options.arguments === undefined || isList(options.arguments)
      ? PromptArguments.fromList(options.arguments ?? [])
      : PromptArguments.fromSchema(options.arguments)
  const handler = options.handler as (args: unknown) => Effect.Effect<PromptMessage.PromptContent, E, R>
  return {
    definition: {
      name,
      ...describe(options),
      ...(reader.listed.length === 0 ? {} : { arguments: reader.listed })
    },
    get: (args) => {
      const missing = reader.missing(args)
      if (missing !== undefined) return Either.left(missing)
      // A Schema may run an author's code, so decoding belongs inside the effect.
      const content = Immediate.suspend(() => {
        const read = reader.read(args)
        if (Either.isLeft(read)) return Effect.fail(read.left)
        const { description } = options
        return Immediate.matchEffect(handler(read.right), {
          onSuccess: (returned) => Effect.succeed(PromptMessage.from(returned, description)),
          onFailure: (error) => Effect.fail(failureOf(error))
        })
      })
      return Either.right(content)
    },
    completers: Completers.make<Each>(options.complete)
  }
}

const isList = <A, I>(
  given: ReadonlyArray<Protocol.PromptArgument> | Schema.Schema<A, I>
): given is ReadonlyArray<Protocol.PromptArgument> => Array.isArray(given)

const failureOf = (error: unknown): ProtocolError.ProtocolError =>
  error instanceof InvalidArgument
    ? new ProtocolError.InvalidParams({ detail: `Invalid argument ${error.argument}: ${error.detail}` })
    : new ProtocolError.HandlerFailed({ detail: describeFailure(error, "The prompt failed.") })
