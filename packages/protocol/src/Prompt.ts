/** Prompts, and the params and result of `prompts/get`. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { ContentBlock, Role } from "./Content.js"
import type { Icon } from "./Implementation.js"
import * as Codec from "./internal/codec.js"
import type { JsonObject } from "./Json.js"
import { InvalidParams } from "./ProtocolError.js"

export type PromptArgument = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

export type Prompt = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: ReadonlyArray<PromptArgument>
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonObject
}

/** One block for each message, never a list of them. */
export type PromptMessage = {
  readonly role: Role
  readonly content: ContentBlock
}

export type PromptResult = {
  readonly messages: ReadonlyArray<PromptMessage>
  readonly description?: string
  readonly _meta?: JsonObject
}

/** Argument values are strings; `""` is one. */
export type Arguments = { readonly [name: string]: string }

export type GetParams = {
  readonly name: string
  readonly arguments: Arguments
}

/** A map of strings whatever the keys; the object that was sent comes out. */
export const Arguments: Schema.Schema<Arguments> = Schema.Record({
  key: Schema.String,
  value: Codec.string
}).annotations({ message: () => "must be an object" })

const Wire: Schema.Schema<{ readonly name: string; readonly arguments?: Arguments }> = Codec.struct({
  name: Codec.string,
  arguments: Codec.optional(Arguments)
})

const decodeWire = Codec.decoder(Wire, "params")

const noArguments: Arguments = Object.freeze({})

/** Reads the shape; whether the prompt has such arguments is not looked at. */
export const decodeGetParams = (params: JsonObject): Either.Either<GetParams, InvalidParams> => {
  const decoded = decodeWire(params)
  return Either.isLeft(decoded)
    ? Either.left(new InvalidParams({ detail: decoded.left }))
    : Either.right({ name: decoded.right.name, arguments: decoded.right.arguments ?? noArguments })
}
