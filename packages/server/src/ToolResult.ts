/** What a tool answers: content for the model, structured content for programs, and whether it failed. */
import type { ContentBlock } from "@pushbutton/protocol/Content"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import type { CallToolResult } from "@pushbutton/protocol/Tool"
import * as Predicate from "effect/Predicate"

const TypeId: unique symbol = Symbol.for("@pushbutton/server/ToolResult")

/** A finished result; made by the functions below, returned by handlers that need more than text. */
export interface ToolResult extends CallToolResult {
  readonly [TypeId]: typeof TypeId
}

/** What a handler may return: text, one block, several blocks, or a whole result. */
export type ToolContent = string | ContentBlock | ReadonlyArray<ContentBlock> | ToolResult

export interface Extras {
  /** A JSON value for programs, beside the content. */
  readonly structured?: JsonValue | undefined
  readonly meta?: JsonObject | undefined
}

/** A successful result. */
export const content = (
  blocks: string | ContentBlock | ReadonlyArray<ContentBlock>,
  extras?: Extras
): ToolResult => result(blocks, false, extras)

/** A failure the model can read and act on: a result with `isError`. */
export const error = (
  blocks: string | ContentBlock | ReadonlyArray<ContentBlock>,
  extras?: Extras
): ToolResult => result(blocks, true, extras)

export const isToolResult = (value: unknown): value is ToolResult => Predicate.hasProperty(value, TypeId)

/** Whatever a handler returned, as a result. */
export const from = (returned: ToolContent): ToolResult =>
  isToolResult(returned) ? returned : content(returned)

const result = (
  blocks: string | ContentBlock | ReadonlyArray<ContentBlock>,
  isError: boolean,
  extras: Extras | undefined
): ToolResult => ({
  [TypeId]: TypeId,
  content: toBlocks(blocks),
  ...(extras?.structured === undefined ? {} : { structuredContent: extras.structured }),
  ...(isError ? { isError } : {}),
  ...(extras?.meta === undefined ? {} : { _meta: extras.meta })
})

const isBlocks = (value: ContentBlock | ReadonlyArray<ContentBlock>): value is ReadonlyArray<ContentBlock> =>
  Array.isArray(value)

const toBlocks = (
  blocks: string | ContentBlock | ReadonlyArray<ContentBlock>
): ReadonlyArray<ContentBlock> => {
  if (typeof blocks === "string") return [{ type: "text", text: blocks }]
  return isBlocks(blocks) ? blocks : [blocks]
}
