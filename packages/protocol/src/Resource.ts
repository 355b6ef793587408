/** Resources and resource templates, and the params and result of `resources/read`. */
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type { Annotations, ResourceContents } from "./Content.js"
import type { Icon } from "./Implementation.js"
import * as Codec from "./internal/codec.js"
import type { JsonObject } from "./Json.js"
import { InvalidParams } from "./ProtocolError.js"
import * as Uri from "./Uri.js"

export type { Resource } from "./Content.js"

export type ResourceTemplate = {
  /** RFC 6570; see `UriTemplate`. */
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Only where everything that matches has this type. */
  readonly mimeType?: string
  readonly annotations?: Annotations
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonObject
}

export type ReadResult = {
  /** Never empty for a resource that does not exist: that is `ResourceNotFound`. */
  readonly contents: ReadonlyArray<ResourceContents>
  readonly _meta?: JsonObject
}

export type ReadParams = {
  /** As sent. */
  readonly uri: string
  /** The spelling to look it up by; see `Uri.normalize`. */
  readonly normalized: string
}

const Wire: Schema.Schema<{ readonly uri: string }> = Codec.struct({ uri: Codec.string })

const decodeWire = Codec.decoder(Wire, "params")

export const decodeReadParams = (params: JsonObject): Either.Either<ReadParams, InvalidParams> => {
  const decoded = decodeWire(params)
  if (Either.isLeft(decoded)) return Either.left(new InvalidParams({ detail: decoded.left }))
  const { uri } = decoded.right
  if (uri.length > Uri.maxLength) {
    return Either.left(new InvalidParams({ detail: `params.uri is longer than ${Uri.maxLength} characters` }))
  }
  const normalized = Uri.normalize(uri)
  return normalized === undefined
    ? Either.left(new InvalidParams({ detail: "params.uri is not an absolute URI", data: { uri } }))
    : Either.right({ uri, normalized })
}
