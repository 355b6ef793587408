/** Content blocks, for the results of tools and the messages of prompts. Bytes go in; Base64 is made here. */
import type {
  Annotations,
  AudioContent,
  EmbeddedResource,
  ImageContent,
  Resource,
  ResourceLink,
  TextContent
} from "@pushbutton/protocol/Content"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Encoding from "effect/Encoding"
import * as ResourceContents from "./ResourceContents.js"

export interface Extras {
  readonly annotations?: Annotations | undefined
  readonly meta?: JsonObject | undefined
}

export const text = (value: string, extras?: Extras): TextContent => ({
  type: "text",
  text: value,
  ...members(extras)
})

export const image = (bytes: Uint8Array, mimeType: string, extras?: Extras): ImageContent => ({
  type: "image",
  data: Encoding.encodeBase64(bytes),
  mimeType,
  ...members(extras)
})

export const audio = (bytes: Uint8Array, mimeType: string, extras?: Extras): AudioContent => ({
  type: "audio",
  data: Encoding.encodeBase64(bytes),
  mimeType,
  ...members(extras)
})

/** The content of a resource itself. Clients of any revision can show it. */
export const resource = (
  item: ResourceContents.Item & { readonly uri: string },
  extras?: Extras
): EmbeddedResource => ({
  type: "resource",
  resource: ResourceContents.toWire(item, { uri: item.uri, mimeType: undefined }),
  ...members(extras)
})

/** Where a resource can be read. Before 2025-06-18 there is no such block: there it becomes text. */
export const link = (target: Resource): ResourceLink => ({ type: "resource_link", ...target })

const members = (extras: Extras | undefined) => ({
  ...(extras?.annotations === undefined ? {} : { annotations: extras.annotations }),
  ...(extras?.meta === undefined ? {} : { _meta: extras.meta })
})
