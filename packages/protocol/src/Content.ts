/** Content blocks and what they are made of, as the newest revision has them; dialects encode them for older ones. */
import type { Icon } from "./Implementation.js"
import type { JsonObject } from "./Json.js"

export type Role = "user" | "assistant"

export type Annotations = {
  readonly audience?: ReadonlyArray<Role>
  /** From 0 to 1. */
  readonly priority?: number
  /** ISO 8601 date and time with a zone. */
  readonly lastModified?: string
}

export type TextContent = {
  readonly type: "text"
  readonly text: string
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

export type ImageContent = {
  readonly type: "image"
  /** Base64. */
  readonly data: string
  readonly mimeType: string
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

export type AudioContent = {
  readonly type: "audio"
  /** Base64. */
  readonly data: string
  readonly mimeType: string
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

export type Resource = {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
  readonly annotations?: Annotations
  readonly icons?: ReadonlyArray<Icon>
  readonly _meta?: JsonObject
}

export type ResourceLink = Resource & { readonly type: "resource_link" }

export type TextResourceContents = {
  readonly uri: string
  readonly text: string
  readonly mimeType?: string
  readonly _meta?: JsonObject
}

export type BlobResourceContents = {
  readonly uri: string
  /** Base64. */
  readonly blob: string
  readonly mimeType?: string
  readonly _meta?: JsonObject
}

export type ResourceContents = TextResourceContents | BlobResourceContents

/** Annotations belong to the block, not to the resource inside it. */
export type EmbeddedResource = {
  readonly type: "resource"
  readonly resource: ResourceContents
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource
