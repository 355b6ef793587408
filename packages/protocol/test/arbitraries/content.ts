/** Content as authors may give it, with every member that a block can have, or none. */
import type { Annotations, ContentBlock, ResourceContents } from "@pushbutton/protocol/Content"
import * as fc from "effect/FastCheck"
import { jsonObject } from "./json.js"

const annotations: fc.Arbitrary<Annotations> = fc.record(
  {
    audience: fc.uniqueArray(fc.constantFrom("user" as const, "assistant" as const)),
    priority: fc.double(),
    lastModified: fc.oneof(fc.string(), fc.constant("2025-01-12T15:00:58Z"))
  },
  { requiredKeys: [] }
)

const extras = fc.record({ annotations, _meta: jsonObject }, { requiredKeys: [] })

const uri = fc.constantFrom("file:///a", "urn:x", "https://example.com/?q=1")
const mimeType = fc.constantFrom("image/png", "audio/wav", "")
const data = fc.constantFrom("", "AA==", "AAAA")

const icons = fc.array(
  fc.record(
    { src: uri, mimeType, sizes: fc.array(fc.constant("48x48")), theme: fc.constant("dark" as const) },
    { requiredKeys: ["src"] }
  ),
  { maxLength: 2 }
)

const contents: fc.Arbitrary<ResourceContents> = fc.oneof(
  fc.record({ uri, text: fc.string(), mimeType, _meta: jsonObject }, { requiredKeys: ["uri", "text"] }),
  fc.record({ uri, blob: data, mimeType, _meta: jsonObject }, { requiredKeys: ["uri", "blob"] })
)

const media = fc.tuple(fc.record({ data, mimeType }), extras).map(([block, more]) => ({ ...block, ...more }))

export const text = fc
  .tuple(fc.string(), extras)
  .map(([value, more]) => ({ type: "text" as const, text: value, ...more }))

export const image = media.map((block) => ({ type: "image" as const, ...block }))

export const audio = media.map((block) => ({ type: "audio" as const, ...block }))

const link = fc
  .tuple(
    fc.record(
      {
        uri,
        name: fc.string(),
        title: fc.string(),
        description: fc.string(),
        mimeType,
        size: fc.nat(),
        icons
      },
      { requiredKeys: ["uri", "name"] }
    ),
    extras
  )
  .map(([block, more]) => ({ type: "resource_link" as const, ...block, ...more }))

const embedded = fc
  .tuple(contents, extras)
  .map(([resource, more]) => ({ type: "resource" as const, resource, ...more }))

export const block: fc.Arbitrary<ContentBlock> = fc.oneof(text, image, audio, link, embedded)
