/**
 * What a schema asserts, without the rest: no annotations, no unknown keywords, no identifiers. Every reference
 * names a member of the root's `$defs`, so nobody who reads it has to resolve anything.
 */
import type { JsonObject, JsonValue } from "../../Json.js"
import * as Json from "../../Json.js"
import { type Dialect, type Holds, vocabulary } from "./keywords.js"
import { isSchema, type Outline, type Schema, step } from "./outline.js"
import type { References } from "./references.js"

export const assertions = (outline: Outline, references: References, dialect: Dialect): JsonObject => {
  const keywords = vocabulary(dialect)
  const numbers = new Map<string, string>()
  const nameOf = (target: string): string => {
    const known = numbers.get(target)
    if (known !== undefined) return known
    const name = `#/$defs/${numbers.size}`
    numbers.set(target, name)
    return name
  }

  const copy = (schema: Schema, pointer: string): Schema => {
    if (typeof schema === "boolean") return schema
    const [first, ...others] = (references.get(pointer) ?? []).map((target) => ({ $ref: nameOf(target) }))
    // In draft-07 a reference stands alone: what is beside it says nothing.
    if (first !== undefined && dialect === "draft-07") return first
    const members: Array<readonly [string, JsonValue]> = []
    for (const [name, value] of Object.entries(schema)) {
      const keyword = keywords.get(name)
      if (keyword?._tag === "Assertion") members.push([name, value])
      if (keyword?._tag !== "Applicator") continue
      const at = step(pointer, name)
      members.push([name, copyHeld(value, keyword.holds, at)])
    }
    const kept = Object.fromEntries(members)
    if (first === undefined) return kept
    const allOf = Json.own(kept, "allOf")
    return {
      ...first,
      ...kept,
      ...(others.length === 0 ? {} : { allOf: [...(Array.isArray(allOf) ? allOf : []), ...others] })
    }
  }

  const copyHeld = (value: JsonValue, holds: Holds, at: string): JsonValue => {
    if (holds.startsWith("schema") && isSchema(value)) return copy(value, at)
    if (Array.isArray(value)) return value.map((item: JsonValue, index) => one(item, step(at, index)))
    if (!Json.isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, one(item, step(at, name))]))
  }

  const one = (item: JsonValue, at: string): JsonValue => (isSchema(item) ? copy(item, at) : item)

  const root = copy(outline.get("")?.schema ?? true, "")
  const $defs: Record<string, JsonValue> = {}
  // The map grows while its own targets are copied.
  for (const [target, name] of numbers) {
    $defs[name.slice("#/$defs/".length)] = copy(outline.get(target)?.schema ?? true, target)
  }
  if (typeof root === "boolean") return {}
  return numbers.size === 0 ? root : { ...root, $defs }
}
