/** What is wrong with a tool's arguments or value, as text for a model: one line each, bounded in every direction. */
import { excerpt } from "@pushbutton/protocol/Excerpt"
import * as ToolResult from "../ToolResult.js"

const mostLines = 20
const mostCharacters = 400

/** Bad arguments are for the model to correct, so they are a result (2026-07-28, tools, Error Handling). */
export const invalidArguments = (problems: ReadonlyArray<string>): ToolResult.ToolResult => {
  const lines = problems.slice(0, mostLines).map((problem) => `- ${excerpt(problem, mostCharacters)}`)
  const rest = problems.length - lines.length
  return ToolResult.error(
    ["Invalid arguments:", ...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n")
  )
}

/** A problem of the value at a path; none for the whole. */
export const at = (path: ReadonlyArray<PropertyKey>, text: string): string =>
  path.length === 0 ? text : `${excerpt(path.map(String).join("."))}: ${text}`

/** A value as it may be repeated to who sent it. */
export const quote = (value: unknown): string => {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === "object" && value !== null) return "an object"
  return excerpt(JSON.stringify(typeof value === "string" ? value.slice(0, 100) : value) ?? String(value))
}
