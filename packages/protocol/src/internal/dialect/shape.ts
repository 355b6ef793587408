/** Allow-lists: which members of an object a revision has. Anything not listed is left out. */
import type { JsonObject, JsonValue } from "../../Json.js"
import * as Json from "../../Json.js"

/** Members in the order they are written; a nested shape applies to an object, or to each item of an array. */
export type Shape = ReadonlyArray<readonly [member: string, inner: Shape | undefined]>

/** `true` keeps a member whole. */
export const shape = (members: { readonly [member: string]: true | Shape }): Shape =>
  Object.entries(members).map(([member, inner]) => [member, inner === true ? undefined : inner])

/** Null is no value of any member there is: clients refuse it where they take the member to be left out. */
export const project = (allowed: Shape, source: JsonObject): Record<string, JsonValue> => {
  const kept: Record<string, JsonValue> = {}
  for (const [member, inner] of allowed) {
    const value = Json.own(source, member)
    if (value !== undefined && value !== null)
      kept[member] = inner === undefined ? value : nested(inner, value)
  }
  return kept
}

const nested = (allowed: Shape, value: JsonValue): JsonValue => {
  if (Json.isObject(value)) return project(allowed, value)
  return Array.isArray(value) ? value.map((item: JsonValue) => nested(allowed, item)) : value
}
