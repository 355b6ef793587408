/** The legacy handshake: what `initialize` asks, which revision is offered, and the result. */
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type { ServerCapabilities } from "./Capabilities.js"
import * as Dialect from "./dialect/Dialect.js"
import { Implementation } from "./Implementation.js"
import * as Codec from "./internal/codec.js"
import type { JsonObject, JsonValue } from "./Json.js"
import { InvalidParams } from "./ProtocolError.js"
import type { LegacyVersion } from "./ProtocolVersion.js"
import * as ProtocolVersion from "./ProtocolVersion.js"

export type Initialize = {
  readonly protocolVersion: string
  readonly capabilities: JsonObject
  readonly clientInfo: Implementation
}

export const Initialize: Schema.Schema<Initialize> = Codec.struct({
  protocolVersion: Codec.string,
  capabilities: Codec.object,
  clientInfo: Implementation
})

const decode = Codec.decoder(Initialize, "params")

/** Any version text is accepted here: an unknown one is answered by `counterOffer`, not by an error. */
export const decodeInitialize = (params: JsonValue | undefined): Either.Either<Initialize, InvalidParams> =>
  Either.mapLeft(decode(params), (detail) => new InvalidParams({ detail }))

/** The requested revision when it is served, else the newest one served (all revisions, lifecycle, Version Negotiation: MUST). */
export const counterOffer = (requested: string, served: ReadonlyArray<LegacyVersion>): LegacyVersion => {
  const same = served.find((version) => version === requested)
  return (
    same ??
    ProtocolVersion.legacyVersions.find((version) => served.includes(version)) ??
    ProtocolVersion.latestLegacy
  )
}

/** The InitializeResult in the dialect of the revision it offers. */
export const result = (
  version: LegacyVersion,
  server: {
    readonly identity: Implementation
    readonly capabilities: ServerCapabilities
    readonly instructions: string | undefined
  }
): JsonObject => {
  const dialect = Dialect.forVersion(version)
  return dialect.complete(
    {
      protocolVersion: version,
      capabilities: dialect.capabilities(server.capabilities),
      serverInfo: dialect.implementation(server.identity),
      ...(server.instructions === undefined ? {} : { instructions: server.instructions })
    },
    server.identity
  )
}
