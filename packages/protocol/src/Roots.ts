/** The folders a client works in (deprecated by the specification). Guidance, not access control. */
import * as Either from "effect/Either"
import type { JsonValue } from "./Json.js"
import * as Json from "./Json.js"

export type Root = { readonly uri: string; readonly name?: string }

export type Request = { readonly method: "roots/list" }

export const request: Request = { method: "roots/list" }

/** Only `file:` roots exist. Left: why the response is not a list of them. */
export const readResult = (response: JsonValue): Either.Either<ReadonlyArray<Root>, string> => {
  const sent = Json.isObject(response) ? Json.own(response, "roots") : undefined
  if (!Array.isArray(sent)) return Either.left("roots is not a list")
  const roots = sent.flatMap((root: JsonValue) => readRoot(root) ?? [])
  return roots.length === sent.length
    ? Either.right(roots)
    : Either.left("roots has an item that is no file root")
}

const readRoot = (root: JsonValue): Root | undefined => {
  if (!Json.isObject(root)) return undefined
  const uri = Json.own(root, "uri")
  const name = Json.own(root, "name")
  if (typeof uri !== "string" || !/^file:\/\/\S*$/.test(uri)) return undefined
  if (name === undefined) return { uri }
  return typeof name === "string" ? { uri, name } : undefined
}
