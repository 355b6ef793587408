/** What reading a resource gives: text or bytes, one item or several. */
import type { ResourceContents as WireContents } from "@pushbutton/protocol/Content"
import type { CacheHints } from "@pushbutton/protocol/dialect/Dialect"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import type * as Protocol from "@pushbutton/protocol/Resource"
import * as Encoding from "effect/Encoding"
import * as Predicate from "effect/Predicate"

const TypeId: unique symbol = Symbol.for("@pushbutton/server/ResourceContents")

export interface Extras {
  /** The URI that was asked for, when left out; another one for a part of it. */
  readonly uri?: string | undefined
  /** The type that the resource is listed with, when left out. */
  readonly mimeType?: string | undefined
  readonly meta?: JsonObject | undefined
}

export interface TextItem extends Extras {
  readonly text: string
}

export interface BlobItem extends Extras {
  readonly blob: Uint8Array
}

export type Item = TextItem | BlobItem

/** A finished result; made by `result`. */
export interface ReadResult {
  readonly [TypeId]: typeof TypeId
  readonly items: ReadonlyArray<Item>
  readonly hints: Partial<CacheHints>
  readonly meta: JsonObject | undefined
}

/** What a handler may return: text, bytes, one item, several items, or a whole result. */
export type ReadContent = string | Uint8Array | Item | ReadonlyArray<Item> | ReadResult

export const text = (value: string, extras?: Extras): TextItem => ({ ...extras, text: value })

export const json = (value: JsonValue, extras?: Extras): TextItem => ({
  mimeType: "application/json",
  ...extras,
  text: JSON.stringify(value)
})

export const blob = (bytes: Uint8Array, extras?: Extras): BlobItem => ({ ...extras, blob: bytes })

/** A result with its own hints on how long and by whom it may be kept, instead of those of the definition. */
export const result = (
  content: string | Uint8Array | Item | ReadonlyArray<Item>,
  extras: Partial<CacheHints> & { readonly meta?: JsonObject } = {}
): ReadResult => {
  const { meta, ...hints } = extras
  return { [TypeId]: TypeId, items: toItems(content), hints, meta }
}

/** A result in the form of the wire, and the hints it came with. */
export interface Reading {
  readonly result: Protocol.ReadResult
  readonly hints: Partial<CacheHints>
}

/** What is known of a resource before its handler runs. */
export interface Known {
  readonly uri: string
  readonly mimeType: string | undefined
}

/** Whatever a handler returned, completed by what is known of the resource. */
export const from = (returned: ReadContent, known: Known): Reading => {
  const { hints, items, meta } = isReadResult(returned) ? returned : result(returned)
  return {
    result: {
      contents: items.map((item) => toWire(item, known)),
      ...(meta === undefined ? {} : { _meta: meta })
    },
    hints
  }
}

/** An item in the form of the wire; bytes become Base64 (RFC 4648, standard alphabet). */
export const toWire = (item: Item, known: Known): WireContents => {
  const mimeType = item.mimeType ?? known.mimeType
  const shared = {
    uri: item.uri ?? known.uri,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(item.meta === undefined ? {} : { _meta: item.meta })
  }
  return "text" in item
    ? { ...shared, text: item.text }
    : { ...shared, blob: Encoding.encodeBase64(item.blob) }
}

const isReadResult = (value: unknown): value is ReadResult => Predicate.hasProperty(value, TypeId)

const isItems = (value: Uint8Array | Item | ReadonlyArray<Item>): value is ReadonlyArray<Item> =>
  Array.isArray(value)

const toItems = (content: string | Uint8Array | Item | ReadonlyArray<Item>): ReadonlyArray<Item> => {
  if (typeof content === "string") return [{ text: content }]
  if (content instanceof Uint8Array) return [{ blob: content }]
  return isItems(content) ? content : [content]
}
