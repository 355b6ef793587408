/** The params and result of `completion/complete`. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Codec from "./internal/codec.js"
import type { JsonObject } from "./Json.js"
import { Arguments } from "./Prompt.js"
import { InvalidParams } from "./ProtocolError.js"
import type { ProtocolVersion } from "./ProtocolVersion.js"

export type PromptReference = { readonly type: "ref/prompt"; readonly name: string }

/** `uri` is a URI template, or a URI that one matches. */
export type ResourceReference = { readonly type: "ref/resource"; readonly uri: string }

export type Reference = PromptReference | ResourceReference

export type CompleteParams = {
  readonly ref: Reference
  readonly argument: { readonly name: string; readonly value: string }
  /** Arguments that have a value already. */
  readonly context: Arguments
}

export type CompletionResult = {
  readonly completion: {
    /** At most `maxValues`. */
    readonly values: ReadonlyArray<string>
    readonly total?: number
    readonly hasMore?: boolean
  }
}

/** Clients refuse a result with more values. */
export const maxValues = 100

/** All that was found, cut to what a result may hold. */
export const result = (found: ReadonlyArray<string>): CompletionResult => ({
  completion: {
    values: found.slice(0, maxValues),
    total: found.length,
    hasMore: found.length > maxValues
  }
})

const Ref: Schema.Schema<Reference> = Schema.Union(
  Codec.struct({ type: Codec.oneOf("ref/prompt"), name: Codec.string }),
  Codec.struct({ type: Codec.oneOf("ref/resource"), uri: Codec.string })
).annotations({
  message: () => ({
    message: "must be a ref/prompt with a name or a ref/resource with a uri",
    override: true
  })
})

const Wire = Codec.struct({
  ref: Ref,
  argument: Codec.struct({ name: Codec.string, value: Codec.string }),
  context: Codec.optional(Codec.object)
})

const decodeWire = Codec.decoder(Wire, "params")
const decodeContext = Codec.decoder(Codec.struct({ arguments: Codec.optional(Arguments) }), "params.context")

const noContext: Arguments = Object.freeze({})

const withoutContext: ReadonlySet<ProtocolVersion> = new Set(["2024-11-05", "2025-03-26"])

/** Before 2025-06-18 there is no context: what a client of such a revision sends there is ignored. */
export const decodeCompleteParams = (
  params: JsonObject,
  version: ProtocolVersion
): Either.Either<CompleteParams, InvalidParams> => {
  const decoded = decodeWire(params)
  if (Either.isLeft(decoded)) return Either.left(new InvalidParams({ detail: decoded.left }))
  const { argument, context, ref } = decoded.right
  if (withoutContext.has(version) || context === undefined) {
    return Either.right({ ref, argument, context: noContext })
  }
  const known = decodeContext(context)
  return Either.isLeft(known)
    ? Either.left(new InvalidParams({ detail: known.left }))
    : Either.right({ ref, argument, context: known.right.arguments ?? noContext })
}
