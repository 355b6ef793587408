/** JSON values as types, and the few questions every decoder asks of them. Own properties only. */

export type JsonValue = null | boolean | number | string | ReadonlyArray<JsonValue> | JsonObject

export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** An object: not null and not an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value of an own property; inherited names such as `constructor` are absent. */
export const own = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** Deepest nesting of arrays and objects that a message may have. */
export const maxDepth = 128

/** Whether arrays and objects nest deeper than the limit; `[]` has depth 1, a scalar 0. Walks level by level. */
export const exceedsDepth = (value: JsonValue, limit: number): boolean => {
  let level: Array<object> = typeof value === "object" && value !== null ? [value] : []
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= limit) return true
    const next: Array<object> = []
    for (const container of level) {
      for (const child of Object.values(container)) {
        if (typeof child === "object" && child !== null) next.push(child)
      }
    }
    level = next
  }
  return false
}

/**
 * Whether a JSON text may nest deeper than the limit: false only when it cannot, since it opens no more arrays and
 * objects than that. Cheap beside the walk over the value, which it spares most messages.
 */
export const mayExceedDepth = (text: string, limit: number): boolean => {
  let left = limit
  for (const opening of openings) {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
      if (--left < 0) return true
    }
  }
  return false
}

const openings = ["{", "["]
