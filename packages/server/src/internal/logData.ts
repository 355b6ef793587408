/**
 * What a client gets to see of the values that code logs. Errors are named and not shown, and causes are left out:
 * their texts and stacks are for the server's own log. What is long or deep is cut.
 */
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as Predicate from "effect/Predicate"

/** Never throws, whatever the values are. */
export const describe = (
  message: unknown,
  annotations: ReadonlyArray<readonly [string, unknown]>
): JsonValue | undefined => {
  try {
    const parts = (Array.isArray(message) ? message : [message]).filter((part) => part !== undefined)
    const budget = { left: 16_384 }
    const text = messageOf(parts, budget)
    if (annotations.length === 0) return text
    return {
      ...Object.fromEntries(annotations.map(([key, value]) => [key, toJson(value, 0, budget)])),
      ...(text === undefined ? {} : { message: text })
    }
  } catch {
    // A getter or `toJSON` of the author's has thrown: that must not end whoever logs.
    return "A value that cannot be shown was logged"
  }
}

interface Budget {
  left: number
}

const deepest = 8

const messageOf = (parts: ReadonlyArray<unknown>, budget: Budget): JsonValue | undefined => {
  if (parts.length === 0) return undefined
  const shown = parts.map((part) => toJson(part, 0, budget))
  if (shown.length === 1) return shown[0]
  return shown.every((part) => typeof part !== "object") ? shown.join(" ") : shown
}

const toJson = (value: unknown, depth: number, budget: Budget): JsonValue => {
  budget.left--
  if (typeof value === "string") return cut(value, budget)
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value)
  if (typeof value === "boolean" || value === null) return value
  if (value === undefined) return null
  if (typeof value !== "object") return cut(String(value), budget)
  if (value instanceof Error) return cut(value.name, budget)
  if (depth >= deepest || budget.left <= 0) return "…"
  if (Predicate.hasProperty(value, "toJSON") && typeof value.toJSON === "function") {
    return plain(value.toJSON(), depth + 1, budget)
  }
  return plain(value, depth + 1, budget)
}

const plain = (value: unknown, depth: number, budget: Budget): JsonValue => {
  if (typeof value !== "object" || value === null || value instanceof Error)
    return toJson(value, depth, budget)
  // What Effect's causes make of themselves for JSON holds errors and stacks.
  if (Predicate.hasProperty(value, "_id") && value._id === "Cause") return "Cause"
  if (Array.isArray(value)) return value.slice(0, budget.left).map((item) => toJson(item, depth, budget))
  const members: Array<readonly [string, JsonValue]> = []
  for (const [key, member] of Object.entries(value)) {
    if (budget.left <= 0) break
    if (member !== undefined && typeof member !== "function") {
      members.push([cut(key, budget), toJson(member, depth, budget)])
    }
  }
  return Object.fromEntries(members)
}

const cut = (text: string, budget: Budget): string => {
  const shown = text.length <= budget.left ? text : `${text.slice(0, Math.max(0, budget.left))}…`
  budget.left -= shown.length
  return shown
}
