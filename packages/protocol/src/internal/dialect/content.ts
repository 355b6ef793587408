/** Content blocks of a revision. A block type the revision lacks is converted: an old client drops the whole result over one. */
import type { AudioContent, ContentBlock, ResourceLink } from "../../Content.js"
import type { JsonObject } from "../../Json.js"
import * as Json from "../../Json.js"
import { excerpt } from "../excerpt.js"
import type { Revision } from "./revision.js"
import { project, type Shape } from "./shape.js"

/** `index` is the block's place in the result; it makes synthetic uris distinct. */
export const encodeBlock = (revision: Revision, block: ContentBlock, index: number): JsonObject => {
  const allowed = revision.blocks.get(block.type)
  if (allowed === undefined) return encodeBlock(revision, converted(block, index), index)
  return encodeAnnotated(revision, allowed, block)
}

/** Whatever has annotations beside other members: blocks, resources, templates. */
export const encodeAnnotated = (revision: Revision, allowed: Shape, value: JsonObject): JsonObject => {
  const encoded = project(allowed, value)
  const annotations = encoded["annotations"]
  return Json.isObject(annotations) ? { ...encoded, annotations: tolerable(revision, annotations) } : encoded
}

/** Every revision has the block types that come out of here. */
const converted = (block: ContentBlock, index: number): ContentBlock => {
  switch (block.type) {
    case "audio":
      return embedded(block, index)
    case "resource_link":
      return described(block)
    default:
      return { type: "text", text: `[content of type ${excerpt(String(block.type))} left out]` }
  }
}

const embedded = ({ annotations, data, mimeType }: AudioContent, index: number): ContentBlock => ({
  type: "resource",
  resource: { uri: `embedded:audio/${index}`, mimeType, blob: data },
  ...(annotations === undefined ? {} : { annotations })
})

const described = ({ annotations, description, mimeType, name, title, uri }: ResourceLink): ContentBlock => ({
  type: "text",
  text:
    `${title ?? name}: ${uri}` +
    (mimeType === undefined ? "" : ` (${mimeType})`) +
    (description === undefined ? "" : `\n${description}`),
  ...(annotations === undefined ? {} : { annotations })
})

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

/** A priority out of range, or on some revisions a `lastModified` of another form, costs the client the whole result. */
const tolerable = (revision: Revision, { lastModified, priority, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  ...(typeof priority === "number" && !Number.isNaN(priority)
    ? { priority: Math.min(1, Math.max(0, priority)) }
    : {}),
  ...(typeof lastModified === "string" && (!revision.dateTimeOnly || dateTime.test(lastModified))
    ? { lastModified }
    : {})
})
