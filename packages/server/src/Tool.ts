/**
 * The author's API for tools: a name, an input Schema, a handler. A handler is an Effect; it is written once and
 * served in every revision.
 */
import type { Icon } from "@pushbutton/protocol/Implementation"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import type * as Protocol from "@pushbutton/protocol/Tool"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import { decoder } from "./internal/arguments.js"
import { describeFailure } from "./internal/describeFailure.js"
import { fromSchema } from "./internal/jsonSchema.js"
import * as ToolResult from "./ToolResult.js"

/** A tool definition that cannot be served; raised when the tool is registered. */
export class InvalidTool extends Data.TaggedError("InvalidTool")<{
  readonly tool: string
  readonly property: string
  readonly detail: string
}> {
  override get message() {
    return `Tool ${JSON.stringify(this.tool)}: ${this.property} ${this.detail}`
  }
}

/** A tool whose handler needs the services `R`, `RequestContext` among them when it asks for it. */
export interface Tool<out R> {
  readonly definition: Protocol.Tool
  /**
   * Checks the arguments and runs the handler. A failure the caller can act on (arguments, the handler's typed
   * error) is a result with `isError`; only a defect or an interruption leaves it any other way.
   */
  readonly call: (args: JsonObject) => Effect.Effect<ToolResult.ToolResult, never, R>
}

interface Common {
  readonly title?: string
  readonly description?: string
  readonly annotations?: Protocol.ToolAnnotations
  readonly icons?: ReadonlyArray<Icon>
  readonly meta?: JsonObject
}

export interface Options<A, I, E, R> extends Common {
  /** The arguments, a Schema of an object; `Schema.Struct({})` for none. */
  readonly input: Schema.Schema<A, I>
  /** A typed failure becomes a result with `isError` whose text is the error's message. */
  readonly handler: (args: A) => Effect.Effect<ToolResult.ToolContent, E, R>
}

export interface StructuredOptions<A, I, B, J, E, R> extends Common {
  readonly input: Schema.Schema<A, I>
  /** The value that a success carries as `structuredContent`, repeated as JSON text for clients that read text. */
  readonly output: Schema.Schema<B, J>
  /** The text that repeats the value; compact JSON when left out. */
  readonly text?: (value: J) => string
  /** Returns the value, or a whole result when the call failed. */
  readonly handler: (args: A) => Effect.Effect<B | ToolResult.ToolResult, E, R>
}

/** Defines a tool. Its name and schemas are checked when `McpServer.tools` registers it. */
export function make<A, I, B, J, E, R>(name: string, options: StructuredOptions<A, I, B, J, E, R>): Tool<R>
export function make<A, I, E, R>(name: string, options: Options<A, I, E, R>): Tool<R>
export function make<A, I, B, J, E, R>(
  name: string,
  options: Options<A, I, E, R> | StructuredOptions<A, I, B, J, E, R>
): Tool<R> {
  const decode = decoder(options.input)
  const respond = "output" in options ? structured(options) : plain(options)
  return {
    definition: {
      ...describe(name, options),
      inputSchema: fromSchema(options.input),
      ...("output" in options ? { outputSchema: fromSchema(options.output) } : {})
    },
    // A Schema may run an author's code, so decoding belongs inside the effect.
    call: (args) =>
      Effect.suspend(() => {
        const decoded = decode(args)
        if (decoded._tag === "Left") return Effect.succeed(invalidArguments(decoded.left))
        return Effect.catchAll(respond(decoded.right), failed)
      })
  }
}

const describe = (name: string, options: Common) => ({
  name,
  ...(options.title === undefined ? {} : { title: options.title }),
  ...(options.description === undefined ? {} : { description: options.description }),
  ...(options.icons === undefined ? {} : { icons: options.icons }),
  ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
  ...(options.meta === undefined ? {} : { _meta: options.meta })
})

const plain =
  <A, I, E, R>(options: Options<A, I, E, R>) =>
  (args: A): Effect.Effect<ToolResult.ToolResult, E, R> =>
    Effect.map(
      Effect.suspend(() => options.handler(args)),
      ToolResult.from
    )

const structured = <A, I, B, J, E, R>(options: StructuredOptions<A, I, B, J, E, R>) => {
  const encode = ParseResult.encodeSync(options.output)
  const textOf = options.text ?? JSON.stringify
  return (args: A): Effect.Effect<ToolResult.ToolResult, E, R> =>
    Effect.map(
      Effect.suspend(() => options.handler(args)),
      (returned) => {
        if (ToolResult.isToolResult(returned)) return returned
        // A value that does not fit its own Schema is a defect of the tool; encoding throws it as one.
        const encoded = encode(returned)
        const value: JsonValue = JSON.parse(JSON.stringify(encoded))
        return ToolResult.content(textOf(encoded), { structured: value })
      }
    )
}

/** Bad arguments are for the model to correct, so they are a result (2026-07-28, tools, Error Handling). */
const invalidArguments = (problems: ReadonlyArray<string>): ToolResult.ToolResult =>
  ToolResult.error(["Invalid arguments:", ...problems.map((problem) => `- ${problem}`)].join("\n"))

const failed = <E>(error: E): Effect.Effect<ToolResult.ToolResult> =>
  Effect.succeed(ToolResult.error(describeFailure(error)))
