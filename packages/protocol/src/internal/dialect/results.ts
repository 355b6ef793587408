/** What the two eras have in common in how results are put together. */
import type { CacheHints } from "../../dialect/Dialect.js"
import type { JsonObject } from "../../Json.js"
import type { Prompt, PromptResult } from "../../Prompt.js"
import type { ReadResult, Resource, ResourceTemplate } from "../../Resource.js"
import type { CallToolResult, Tool } from "../../Tool.js"
import { encodeAnnotated, encodeBlock } from "./content.js"
import * as Output from "./output.js"
import type { Revision } from "./revision.js"
import { project } from "./shape.js"

/** Whole milliseconds, never negative. */
export const cacheMembers = (hints: CacheHints) => ({
  ttlMs: hints.ttlMs > 0 ? Math.min(Math.floor(hints.ttlMs), Number.MAX_SAFE_INTEGER) : 0,
  cacheScope: hints.cacheScope
})

export const listMembers = (
  key: string,
  items: ReadonlyArray<JsonObject>,
  nextCursor: string | undefined
): JsonObject => (nextCursor === undefined ? { [key]: items } : { [key]: items, nextCursor })

/** The members of a `tools/call` result. A value is always readable as text, also where the member is left out. */
export const callMembers = (revision: Revision, result: CallToolResult, tool: Tool): JsonObject => {
  const { _meta, content, isError, structuredContent } = result
  const blocks = content.map((block, index) => encodeBlock(revision, block, index))
  if (structuredContent !== undefined && !content.some((block) => block.type === "text")) {
    blocks.push({ type: "text", text: JSON.stringify(structuredContent) })
  }
  const structured =
    structuredContent === undefined ? undefined : Output.sent(revision, tool, structuredContent)
  return {
    content: blocks,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError === undefined ? {} : { isError }),
    ...(_meta === undefined ? {} : { _meta })
  }
}

export const readMembers = (revision: Revision, { _meta, contents }: ReadResult): JsonObject => ({
  contents: contents.map((item) => project(revision.contents, item)),
  ...(_meta === undefined ? {} : { _meta })
})

export const promptMembers = (
  revision: Revision,
  { _meta, description, messages }: PromptResult
): JsonObject => ({
  ...(description === undefined ? {} : { description }),
  messages: messages.map(({ content, role }, index) => ({
    role,
    content: encodeBlock(revision, content, index)
  })),
  ...(_meta === undefined ? {} : { _meta })
})

/** How things that can be registered are listed, in every era. */
export const definitions = (revision: Revision) => ({
  resource: (resource: Resource) => encodeAnnotated(revision, revision.resource, resource),
  resourceTemplate: (template: ResourceTemplate) =>
    encodeAnnotated(revision, revision.resourceTemplate, template),
  prompt: (prompt: Prompt) => project(revision.prompt, prompt)
})
