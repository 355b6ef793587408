/**
 * The author's API for tools: a name, an input Schema, a handler. A handler is an Effect; it is written once and
 * served in every revision.
 */
import type { Icon } from "@pushbutton/protocol/Implementation"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as ParamHeaders from "@pushbutton/protocol/ParamHeaders"
import type * as Protocol from "@pushbutton/protocol/Tool"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { checker, decoder } from "./internal/arguments.js"
import * as Immediate from "./internal/immediate.js"
import { fromSchema } from "./internal/jsonSchema.js"
import { invalidArguments } from "./internal/problems.js"
import * as RawSchemas from "./internal/rawSchemas.js"
import * as Respond from "./internal/respond.js"
import type { DefinitionProblem } from "./internal/toolSchemas.js"
import type { TaskMode } from "./TaskMode.js"
import type * as ToolResult from "./ToolResult.js"

/** A tool definition that cannot be served; raised when the tool is registered. */
export class InvalidTool extends Data.TaggedError("InvalidTool")<{
  readonly tool: string
  /** The member at fault; inside a schema, with the JSON pointer: `inputSchema/properties/id/type`. */
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
  /** What keeps the tool from being served, beyond what its definition shows. */
  readonly problem?: DefinitionProblem | undefined
  /** Whether its calls become tasks; `never` when left out. */
  readonly task?: TaskMode | undefined
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
  /** Whether calls become tasks, for clients that can follow them; `never` when left out. */
  readonly task?: TaskMode
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
  /** Returns the value, or a whole result: one that failed, or one that carries such a value. */
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
  const respond = "output" in options ? structured(options) : Respond.plain(options.handler)
  return {
    definition: {
      ...describe(name, options),
      inputSchema: fromSchema(options.input),
      ...("output" in options ? { outputSchema: fromSchema(options.output) } : {})
    },
    task: options.task,
    call: (args) => {
      const decoded = decode(args)
      return decoded._tag === "Left" ? Effect.succeed(invalidArguments(decoded.left)) : respond(decoded.right)
    }
  }
}

export interface JsonSchemaOptions<E, R> extends Common {
  /** JSON Schema 2020-12, or draft-07 when `$schema` says so. Published as it is. */
  readonly inputSchema: JsonObject
  /** Gets the arguments as they were sent: no defaults are filled in, nothing is converted. */
  readonly handler: (args: JsonObject) => Effect.Effect<ToolResult.ToolContent, E, R>
}

export interface StructuredJsonSchemaOptions<E, R> extends Common {
  readonly inputSchema: JsonObject
  /** The value that a success carries as `structuredContent`; any JSON type. */
  readonly outputSchema: JsonObject
  /** The text that repeats the value; compact JSON when left out. */
  readonly text?: (value: JsonValue) => string
  /** Returns the value, or a whole result: one that failed, or one that carries such a value. */
  readonly handler: (args: JsonObject) => Effect.Effect<JsonValue | ToolResult.ToolResult, E, R>
}

/** Defines a tool by JSON Schema, for schemas that come from elsewhere. The validator is loaded by the first call. */
export function fromJsonSchema<E, R>(name: string, options: StructuredJsonSchemaOptions<E, R>): Tool<R>
export function fromJsonSchema<E, R>(name: string, options: JsonSchemaOptions<E, R>): Tool<R>
export function fromJsonSchema<E, R>(
  name: string,
  options: JsonSchemaOptions<E, R> | StructuredJsonSchemaOptions<E, R>
): Tool<R> {
  const definition: Protocol.Tool = {
    ...describe(name, options),
    inputSchema: options.inputSchema,
    ...("outputSchema" in options ? { outputSchema: options.outputSchema } : {})
  }
  const input = RawSchemas.read("inputSchema", options.inputSchema)
  if (Either.isLeft(input)) return unservable(definition, input.left)
  const respond = "outputSchema" in options ? checked(options) : Either.right(Respond.plain(options.handler))
  if (Either.isLeft(respond)) return unservable(definition, respond.left)
  return {
    definition,
    task: options.task,
    call: (args) =>
      Immediate.flatMap(input.right, (validate) => {
        const problems = validate(args)
        return problems.length === 0 ? respond.right(args) : Effect.succeed(invalidArguments(problems))
      })
  }
}

/**
 * Has HTTP clients mirror an argument in the header `Mcp-Param-<name>`, for whoever routes or limits requests on the
 * way. For strings, integers and booleans; never for secrets, since everyone on the way sees it.
 */
export const header =
  (name: string) =>
  <S extends Schema.Annotable.All>(schema: S): Schema.Annotable.Self<S> =>
    schema.annotations({
      // An annotation replaces the one that is there.
      jsonSchema: {
        ...Option.getOrUndefined(SchemaAST.getJSONSchemaAnnotation(schema.ast)),
        [ParamHeaders.keyword]: name
      }
    })

const describe = (name: string, options: Common) => ({
  name,
  ...(options.title === undefined ? {} : { title: options.title }),
  ...(options.description === undefined ? {} : { description: options.description }),
  ...(options.icons === undefined ? {} : { icons: options.icons }),
  ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
  ...(options.meta === undefined ? {} : { _meta: options.meta })
})

const structured = <A, I, B, J, E, R>(options: StructuredOptions<A, I, B, J, E, R>) => {
  const encode = ParseResult.encodeSync(options.output)
  const textOf = options.text ?? JSON.stringify
  const problems = checker(options.output)
  return Respond.structured<A, B, E, R>(options.handler, {
    encode: (value) => {
      const encoded = encode(value)
      return { value: JSON.parse(JSON.stringify(encoded)), text: textOf(encoded) }
    },
    problems: (value) => Effect.succeed(problems(value))
  })
}

const checked = <E, R>(options: StructuredJsonSchemaOptions<E, R>) =>
  Either.map(RawSchemas.read("outputSchema", options.outputSchema), (check) => Respond.json(options, check))

const unservable = (definition: Protocol.Tool, problem: DefinitionProblem): Tool<never> => ({
  definition,
  problem,
  call: () => Effect.die(new InvalidTool({ tool: definition.name, ...problem }))
})
