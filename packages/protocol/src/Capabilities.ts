/**
 * What a server says it offers, as the newest revision has it; dialects drop the keys a revision lacks. And what of
 * a client's capabilities a request lacks.
 */
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"

export type ListCapability = { readonly listChanged?: boolean }

export type ResourcesCapability = { readonly subscribe?: boolean; readonly listChanged?: boolean }

export type ServerCapabilities = {
  readonly experimental?: { readonly [name: string]: JsonObject }
  readonly logging?: JsonObject
  readonly completions?: JsonObject
  readonly prompts?: ListCapability
  readonly resources?: ResourcesCapability
  readonly tools?: ListCapability
  /** Extension identifier to its settings. */
  readonly extensions?: { readonly [identifier: string]: JsonObject }
}

/**
 * The parts of `required` that a client has not declared, nested as they are; undefined when it has declared all.
 * An `elicitation` that names no mode means form mode (2026-07-28, elicitation, Capabilities).
 */
export const missing = (required: JsonObject, declared: JsonObject): JsonObject | undefined =>
  lacking(withMode(required), withMode(declared))

const withMode = (capabilities: JsonObject): JsonObject => {
  const elicitation = Json.own(capabilities, "elicitation")
  return Json.isObject(elicitation) &&
    Json.own(elicitation, "form") === undefined &&
    Json.own(elicitation, "url") === undefined
    ? { ...capabilities, elicitation: { ...elicitation, form: {} } }
    : capabilities
}

/** Everything that is in one of them, nested as it is. */
export const union = (one: JsonObject, other: JsonObject): JsonObject => {
  const merged = new Map(Object.entries(one))
  for (const [name, value] of Object.entries(other)) {
    const existing = merged.get(name)
    merged.set(name, Json.isObject(existing) && Json.isObject(value) ? union(existing, value) : value)
  }
  return Object.fromEntries(merged)
}

const lacking = (required: JsonObject, declared: JsonObject): JsonObject | undefined => {
  const parts: Array<readonly [string, Json.JsonValue]> = []
  for (const [name, wanted] of Object.entries(required)) {
    const has = Json.own(declared, name)
    if (Json.isObject(wanted) && Json.isObject(has)) {
      const inner = lacking(wanted, has)
      if (inner !== undefined) parts.push([name, inner])
    } else if (JSON.stringify(wanted) !== JSON.stringify(has)) parts.push([name, wanted])
  }
  return parts.length === 0 ? undefined : Object.fromEntries(parts)
}
