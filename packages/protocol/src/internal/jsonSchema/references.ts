/** Where each `$ref` and `$dynamicRef` leads. Nothing outside of the document is ever a target. */
import * as Either from "effect/Either"
import type { JsonObject } from "../../Json.js"
import * as Json from "../../Json.js"
import type { Dialect } from "./keywords.js"
import { hasIdentity, type Outline, type Problem, type Subschema, step } from "./outline.js"

/** The targets of a schema's references, by the schema's pointer. */
export type References = ReadonlyMap<string, ReadonlyArray<string>>

export const resolve = (outline: Outline, dialect: Dialect): Either.Either<References, Problem> => {
  const names = collect(outline, dialect)
  if (Either.isLeft(names)) return Either.left(names.left)
  const references = new Map<string, ReadonlyArray<string>>()
  for (const subschema of outline.values()) {
    if (typeof subschema.schema === "boolean") continue
    const targets: Array<string> = []
    for (const keyword of dialect === "draft-07" ? ["$ref"] : ["$ref", "$dynamicRef"]) {
      const reference = Json.own(subschema.schema, keyword)
      if (typeof reference !== "string") continue
      const target = targetOf(reference, subschema, outline, names.right)
      if (Either.isLeft(target)) {
        return Either.left({ pointer: step(subschema.pointer, keyword), detail: target.left })
      }
      targets.push(target.right)
    }
    if (targets.length > 0) references.set(subschema.pointer, targets)
  }
  return endless(outline, references) ?? Either.right(references)
}

/** Names of schemas: whole identifiers, and anchors behind the pointer of their resource. */
type Names = ReadonlyMap<string, string>

const anchored = (resource: string, anchor: string): string => `${resource}#${anchor}`

const collect = (outline: Outline, dialect: Dialect): Either.Either<Names, Problem> => {
  const names = new Map<string, string>()
  for (const { pointer, resource, schema } of outline.values()) {
    if (typeof schema === "boolean") continue
    for (const [keyword, name] of namesOf(schema, resource, dialect)) {
      const known = names.get(name)
      if (known !== undefined && known !== pointer) {
        return Either.left({
          pointer: step(pointer, keyword),
          detail: "is the name of another schema as well"
        })
      }
      names.set(name, pointer)
    }
  }
  return Either.right(names)
}

const namesOf = (
  schema: JsonObject,
  resource: string,
  dialect: Dialect
): ReadonlyArray<readonly [keyword: string, name: string]> => {
  const id = Json.own(schema, "$id")
  if (dialect === "draft-07") {
    if (typeof id !== "string") return []
    return [["$id", hasIdentity(schema, dialect) ? identifier(id) : `${resource}${id}`]]
  }
  const anchors = ["$anchor", "$dynamicAnchor"].flatMap((keyword) => {
    const anchor = Json.own(schema, keyword)
    return typeof anchor === "string" ? [[keyword, anchored(resource, anchor)] as const] : []
  })
  return typeof id === "string" ? [["$id", identifier(id)], ...anchors] : anchors
}

/** Behind a space, which no pointer starts with, so that an identifier is never taken for an anchor. */
const identifier = (id: string): string => ` ${id.endsWith("#") ? id.slice(0, -1) : id}`

const outside = "leads out of the schema: only references within it are followed"
const nowhere = "leads to no schema in this document"

const targetOf = (
  reference: string,
  from: Subschema,
  outline: Outline,
  names: Names
): Either.Either<string, string> => {
  const hash = reference.indexOf("#")
  const base = hash === -1 ? reference : reference.slice(0, hash)
  const fragment = hash === -1 ? "" : decoded(reference.slice(hash + 1))
  const resource = base === "" ? from.resource : names.get(identifier(base))
  if (resource === undefined) return Either.left(outside)
  if (fragment !== "" && !fragment.startsWith("/")) {
    const target = names.get(anchored(resource, fragment))
    return target === undefined ? Either.left(nowhere) : Either.right(target)
  }
  const target = `${resource}${fragment}`
  return outline.has(target) ? Either.right(target) : Either.left(nowhere)
}

const decoded = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** A loop of references that all apply to the same value would never end. Peels off what leads to no loop. */
const endless = (outline: Outline, references: References): Either.Either<never, Problem> | undefined => {
  const sources = new Map<string, Array<string>>()
  const waiting = new Map<string, number>()
  const done: Array<string> = []
  for (const { inPlace, pointer } of outline.values()) {
    const next = [...inPlace, ...(references.get(pointer) ?? [])]
    waiting.set(pointer, next.length)
    if (next.length === 0) done.push(pointer)
    for (const target of next) {
      const known = sources.get(target)
      if (known === undefined) sources.set(target, [pointer])
      else known.push(pointer)
    }
  }
  for (let pointer = done.pop(); pointer !== undefined; pointer = done.pop()) {
    waiting.delete(pointer)
    for (const source of sources.get(pointer) ?? []) {
      const left = (waiting.get(source) ?? 0) - 1
      waiting.set(source, left)
      if (left === 0) done.push(source)
    }
  }
  for (const pointer of waiting.keys()) {
    if (references.get(pointer)?.some((target) => waiting.has(target)) === true) {
      return Either.left({ pointer, detail: "leads into references that never end" })
    }
  }
  return undefined
}
