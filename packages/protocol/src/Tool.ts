/** Tools, and the params and result of `tools/call`. */
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type { ContentBlock } from "./Content.js"
import type { Icon } from "./Implementation.js"
import * as Codec from "./internal/codec.js"
import type { JsonObject, JsonValue } from "./Json.js"
import * as Json from "./Json.js"
import { InvalidParams } from "./ProtocolError.js"

/** Hints only: a client never trusts them. */
export type ToolAnnotations = {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

export type Tool = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly icons?: ReadonlyArray<Icon>
  /** Root `type: "object"`. */
  readonly inputSchema: JsonObject
  /** Any root; dialects that need an object root wrap it. */
  readonly outputSchema?: JsonObject
  readonly annotations?: ToolAnnotations
  readonly _meta?: JsonObject
}

export type CallToolResult = {
  readonly content: ReadonlyArray<ContentBlock>
  /** Any JSON value: `null` and absent differ. */
  readonly structuredContent?: JsonValue
  readonly isError?: boolean
  readonly _meta?: JsonObject
}

export type CallParams = {
  readonly name: string
  readonly arguments: JsonObject
}

type Wire = { readonly name: string; readonly arguments?: JsonObject }

const Wire: Schema.Schema<Wire> = Codec.struct({
  name: Codec.string,
  arguments: Codec.optional(Codec.object)
})

const isPlain = (params: unknown): params is Wire =>
  Json.isObject(params) &&
  typeof Json.own(params, "name") === "string" &&
  (!Object.hasOwn(params, "arguments") || Json.isObject(params["arguments"]))

const decodeWire = Codec.decoder(Wire, "params", isPlain)

const noArguments: JsonObject = Object.freeze({})

/** Reads the shape of a call; whether the arguments fit the tool's schema is not looked at. */
export const decodeCallParams = (params: JsonObject): Either.Either<CallParams, InvalidParams> => {
  const decoded = decodeWire(params)
  return Either.isLeft(decoded)
    ? Either.left(new InvalidParams({ detail: decoded.left }))
    : Either.right({ name: decoded.right.name, arguments: decoded.right.arguments ?? noArguments })
}
