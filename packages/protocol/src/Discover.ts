/** The result of `server/discover` (2026-07-28). It lists modern versions only: legacy ones are not reachable by `_meta`. */
import type { ServerCapabilities } from "./Capabilities.js"
import * as Dialect from "./dialect/Dialect.js"
import type { Implementation } from "./Implementation.js"
import { cacheMembers } from "./internal/dialect/results.js"
import type { JsonObject } from "./Json.js"
import * as ProtocolVersion from "./ProtocolVersion.js"

export const result = (server: {
  readonly identity: Implementation
  readonly capabilities: ServerCapabilities
  readonly instructions: string | undefined
  readonly hints: Dialect.CacheHints
}): JsonObject => {
  const dialect = Dialect.forVersion("2026-07-28")
  return dialect.complete(
    {
      supportedVersions: ProtocolVersion.modernVersions,
      capabilities: dialect.capabilities(server.capabilities),
      ...(server.instructions === undefined ? {} : { instructions: server.instructions }),
      ...cacheMembers(server.hints)
    },
    server.identity
  )
}
