/**
 * One revision's way of writing things: an allow-list of members per type, and conversions where an older client
 * would reject the message. Authors write the newest vocabulary once; nothing but a dialect leaves members out.
 * Server identity is stamped per result: methods that produce a result take it last, and legacy dialects ignore it.
 */
import type { ServerCapabilities } from "../Capabilities.js"
import type { Implementation } from "../Implementation.js"
import { legacy } from "../internal/dialect/legacy.js"
import { modern } from "../internal/dialect/modern.js"
import * as Revision from "../internal/dialect/revision.js"
import type { JsonObject } from "../Json.js"
import type { Prompt, PromptResult } from "../Prompt.js"
import type { ProtocolVersion } from "../ProtocolVersion.js"
import type { ReadResult, Resource, ResourceTemplate } from "../Resource.js"
import type { CallToolResult, Tool } from "../Tool.js"

/** How long and by whom a result may be reused; legacy revisions have no such members. */
export interface CacheHints {
  /** Milliseconds; 0 is stale at once. */
  readonly ttlMs: number
  readonly cacheScope: "public" | "private"
}

/** Writes the notification for one step; the numbers have to be finite. */
export type ProgressWriter = (
  progress: number,
  total: number | undefined,
  message: string | undefined
) => string

export interface Dialect {
  readonly version: ProtocolVersion
  readonly tool: (tool: Tool) => JsonObject
  /** The tool decides with the value how structured content is written, so list and call always agree. */
  readonly callToolResult: (result: CallToolResult, tool: Tool, identity: Implementation) => JsonObject
  readonly resource: (resource: Resource) => JsonObject
  readonly resourceTemplate: (template: ResourceTemplate) => JsonObject
  readonly readResult: (result: ReadResult, hints: CacheHints, identity: Implementation) => JsonObject
  readonly prompt: (prompt: Prompt) => JsonObject
  readonly promptResult: (result: PromptResult, identity: Implementation) => JsonObject
  readonly list: (
    key: string,
    items: ReadonlyArray<JsonObject>,
    nextCursor: string | undefined,
    hints: CacheHints,
    identity: Implementation
  ) => JsonObject
  /** Any other final result; an empty one stays `{}` on legacy revisions. */
  readonly complete: (members: JsonObject, identity: Implementation) => JsonObject
  readonly capabilities: (capabilities: ServerCapabilities) => JsonObject
  readonly implementation: (implementation: Implementation) => JsonObject
  /** The notifications for one token. */
  readonly progress: (progressToken: string | number) => ProgressWriter
}

const dialects: Readonly<Record<ProtocolVersion, Dialect>> = {
  "2026-07-28": modern(Revision.v20260728),
  "2025-11-25": legacy(Revision.v20251125),
  "2025-06-18": legacy(Revision.v20250618),
  "2025-03-26": legacy(Revision.v20250326),
  "2024-11-05": legacy(Revision.v20241105)
}

/** The dialect of a revision. Dialects hold no state and are built once. */
export const forVersion = (version: ProtocolVersion): Dialect => dialects[version]
