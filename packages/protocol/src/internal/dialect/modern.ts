/** 2026-07-28: every result says its type and who served it, and lists say how long they may be kept. */
import type { Dialect } from "../../dialect/Dialect.js"
import type { Implementation } from "../../Implementation.js"
import type { JsonObject } from "../../Json.js"
import * as Json from "../../Json.js"
import * as RequestMeta from "../../RequestMeta.js"
import { progress } from "./progress.js"
import { cacheMembers, callMembers, definitions, listMembers, promptMembers, readMembers } from "./results.js"
import type { Revision } from "./revision.js"
import { project } from "./shape.js"

export const modern = (revision: Revision): Dialect => {
  const implementation: Dialect["implementation"] = (value) => project(revision.implementation, value)
  // The identity of a server is one object for all its results.
  const stamps = new WeakMap<Implementation, JsonObject>()
  const stamp = (identity: Implementation): JsonObject => {
    const known = stamps.get(identity)
    if (known !== undefined) return known
    const made = Object.freeze({ [RequestMeta.key.serverInfo]: implementation(identity) })
    stamps.set(identity, made)
    return made
  }
  const complete: Dialect["complete"] = ({ _meta, resultType: _, ...members }, identity) => ({
    resultType: "complete",
    ...members,
    _meta: Json.isObject(_meta) ? { ..._meta, ...stamp(identity) } : stamp(identity)
  })
  return {
    version: revision.version,
    ...definitions(revision),
    tool: (tool) => project(revision.tool, tool),
    callToolResult: (result, tool, identity) => complete(callMembers(revision, result, tool), identity),
    readResult: (result, hints, identity) =>
      complete({ ...readMembers(revision, result), ...cacheMembers(hints) }, identity),
    promptResult: (result, identity) => complete(promptMembers(revision, result), identity),
    list: (key, items, nextCursor, hints, identity) =>
      complete({ ...listMembers(key, items, nextCursor), ...cacheMembers(hints) }, identity),
    complete,
    capabilities: (capabilities) => project(revision.capabilities, capabilities),
    implementation,
    progress: progress(revision)
  }
}
