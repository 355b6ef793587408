/** Who a peer says it is, with the small types it shares with other vocabulary. Self-description: never trusted. */
import type * as Schema from "effect/Schema"
import * as Codec from "./internal/codec.js"
import * as Json from "./Json.js"

export type Icon = {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: ReadonlyArray<string>
  readonly theme?: "light" | "dark"
}

export type Implementation = {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: ReadonlyArray<Icon>
}

export const Icon: Schema.Schema<Icon> = Codec.struct({
  src: Codec.string,
  mimeType: Codec.optional(Codec.string),
  sizes: Codec.optional(Codec.array(Codec.string)),
  theme: Codec.optional(Codec.oneOf("light", "dark"))
})

export const Implementation: Schema.Schema<Implementation> = Codec.struct({
  name: Codec.string,
  version: Codec.string,
  title: Codec.optional(Codec.string),
  description: Codec.optional(Codec.string),
  websiteUrl: Codec.optional(Codec.string),
  icons: Codec.optional(Codec.array(Icon))
})

/** One whose members are all texts: no icons, and nothing this revision does not know but texts. */
export const isPlain = (value: unknown): value is Implementation => {
  if (!Json.isObject(value) || !Object.hasOwn(value, "name") || !Object.hasOwn(value, "version")) return false
  for (const member in value) if (typeof value[member] !== "string") return false
  return !Object.hasOwn(value, "icons")
}
