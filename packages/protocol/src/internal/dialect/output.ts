/**
 * What becomes of a tool's structured output. One decision for each tool: a client that was listed an output schema
 * refuses a result whose value does not come with it, and the other way round.
 */
import type { JsonObject, JsonValue } from "../../Json.js"
import * as Json from "../../Json.js"
import type { Tool } from "../../Tool.js"
import type { Revision } from "./revision.js"
import * as ToolSchema from "./toolSchema.js"

/** `wrapped`: under the `result` member of an object. */
type Form = "none" | "natural" | "wrapped"

const formOf = (revision: Revision, { outputSchema }: Tool): Form => {
  if (revision.structured === "none") return "none"
  return revision.structured === "object" &&
    outputSchema !== undefined &&
    !ToolSchema.hasObjectRoot(outputSchema)
    ? "wrapped"
    : "natural"
}

/** The schema of the form that values of the tool take, if it is listed. */
export const listed = (revision: Revision, tool: Tool): JsonObject | undefined => {
  const form = formOf(revision, tool)
  if (form === "none" || tool.outputSchema === undefined) return undefined
  return form === "wrapped" ? ToolSchema.wrapped(tool.outputSchema) : tool.outputSchema
}

/** A value in the form that the listed schema tells of; undefined where there is none. */
export const sent = (revision: Revision, tool: Tool, value: JsonValue): JsonValue | undefined => {
  const form = formOf(revision, tool)
  if (form === "none") return undefined
  if (form === "wrapped") return { result: value }
  if (revision.structured === "any" || Json.isObject(value)) return value
  // Under an object schema such a value is wrong in any form; without a schema any object will do.
  return tool.outputSchema === undefined ? { result: value } : undefined
}
