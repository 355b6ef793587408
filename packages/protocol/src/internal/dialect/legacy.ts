/** The handshake revisions: no stamps, and nothing that a client of the revision would refuse or not know. */
import type { Dialect } from "../../dialect/Dialect.js"
import type { JsonObject } from "../../Json.js"
import * as Json from "../../Json.js"
import type { Tool } from "../../Tool.js"
import * as Output from "./output.js"
import { progress } from "./progress.js"
import { callMembers, definitions, listMembers, promptMembers, readMembers } from "./results.js"
import type { LegacyRevision } from "./revision.js"
import { project } from "./shape.js"
import * as ToolSchema from "./toolSchema.js"

export const legacy = (revision: LegacyRevision): Dialect => {
  const complete = (members: JsonObject): JsonObject => withoutStamps(revision, members)
  return {
    version: revision.version,
    ...definitions(revision),
    tool: (tool) => encodeTool(revision, tool),
    callToolResult: (result, tool) => complete(callMembers(revision, result, tool)),
    readResult: (result) => complete(readMembers(revision, result)),
    promptResult: (result) => complete(promptMembers(revision, result)),
    list: (key, items, nextCursor) => listMembers(key, items, nextCursor),
    complete,
    capabilities: (capabilities) => project(revision.capabilities, capabilities),
    implementation: (implementation) => project(revision.implementation, implementation),
    progress: progress(revision)
  }
}

/** Deployed clients refuse an empty result that has any other member than `_meta`. */
const withoutStamps = (revision: LegacyRevision, members: JsonObject): JsonObject => {
  const { _meta, resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...rest } = members
  const kept = Json.isObject(_meta) ? Object.entries(_meta).filter(([key]) => isKept(revision, key)) : []
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) }
}

const isKept = (revision: LegacyRevision, key: string): boolean =>
  !key.startsWith("io.modelcontextprotocol/") || revision.reservedMeta.includes(key)

const encodeTool = (revision: LegacyRevision, tool: Tool): JsonObject => {
  const encoded = project(revision.tool, revision.titleIsAnnotation ? withTitleInside(tool) : tool)
  const schemas = { inputSchema: tool.inputSchema, outputSchema: Output.listed(revision, tool) }
  for (const [member, schema] of Object.entries(schemas)) {
    if (schema !== undefined) encoded[member] = ToolSchema.forLegacy(schema, revision.schemaDialect)
  }
  return encoded
}

/** A title among the annotations stays: the author wrote it for them. */
const withTitleInside = (tool: Tool): Tool =>
  typeof tool.title === "string" && !tool.annotations?.title
    ? { ...tool, annotations: { ...tool.annotations, title: tool.title } }
    : tool
