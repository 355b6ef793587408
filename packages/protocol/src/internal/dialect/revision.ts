/** What each revision has, as data. The published schema of the revision is the source of every line. */
import type { LegacyVersion, ModernVersion, ProtocolVersion } from "../../ProtocolVersion.js"
import { type Shape, shape } from "./shape.js"

export interface Revision {
  readonly version: ProtocolVersion
  readonly tool: Shape
  readonly resource: Shape
  readonly resourceTemplate: Shape
  readonly prompt: Shape
  /** One item of what a read gives. */
  readonly contents: Shape
  /** Content blocks by type; a type that is not here has to be converted. */
  readonly blocks: ReadonlyMap<string, Shape>
  readonly implementation: Shape
  readonly capabilities: Shape
  readonly progress: Shape
  /** What `structuredContent` may be, and with it the root of an output schema. */
  readonly structured: "none" | "object" | "any"
  /** Whether deployed clients refuse a `lastModified` that is not a full date and time with a zone. */
  readonly dateTimeOnly: boolean
}

export interface LegacyRevision extends Revision {
  readonly version: LegacyVersion
  readonly structured: "none" | "object"
  /** Whether the only title a tool has is the one among its annotations. */
  readonly titleIsAnnotation: boolean
  /** Whether tool schemas may name their JSON Schema dialect. */
  readonly schemaDialect: boolean
  /** The reserved `_meta` keys that a result may have. */
  readonly reservedMeta: ReadonlyArray<string>
}

export interface ModernRevision extends Revision {
  readonly version: ModernVersion
}

const icon = shape({ src: true, mimeType: true, sizes: true, theme: true })

const toolAnnotations = shape({
  title: true,
  readOnlyHint: true,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true
})

const listCapability = shape({ listChanged: true })
const resourcesCapability = shape({ subscribe: true, listChanged: true })

const plainAnnotations = shape({ audience: true, priority: true })
const plainContents = shape({ uri: true, mimeType: true, text: true, blob: true })
const plainMedia = shape({ type: true, data: true, mimeType: true, annotations: plainAnnotations })

const annotations = shape({ audience: true, priority: true, lastModified: true })
const contents = shape({ uri: true, mimeType: true, text: true, blob: true, _meta: true })

const media = shape({ type: true, data: true, mimeType: true, annotations, _meta: true })

const blocks = (resourceLink: Shape): ReadonlyMap<string, Shape> =>
  new Map([
    ["text", shape({ type: true, text: true, annotations, _meta: true })],
    ["image", media],
    ["audio", media],
    ["resource_link", resourceLink],
    ["resource", shape({ type: true, resource: contents, annotations, _meta: true })]
  ])

const iconlessResource = {
  uri: true,
  name: true,
  title: true,
  description: true,
  mimeType: true,
  size: true,
  annotations,
  _meta: true
} as const

const iconlessTemplate = {
  uriTemplate: true,
  name: true,
  title: true,
  description: true,
  mimeType: true,
  annotations,
  _meta: true
} as const

const iconlessPrompt = {
  name: true,
  title: true,
  description: true,
  arguments: shape({ name: true, title: true, description: true, required: true }),
  _meta: true
} as const

const iconlessTool = {
  name: true,
  title: true,
  description: true,
  inputSchema: true,
  outputSchema: true,
  annotations: toolAnnotations,
  _meta: true
} as const

const firstCapabilities = {
  experimental: true,
  logging: true,
  prompts: listCapability,
  resources: resourcesCapability,
  tools: listCapability
} as const

const progress = shape({ progressToken: true, progress: true, total: true, message: true })

export const v20241105: LegacyRevision = {
  version: "2024-11-05",
  tool: shape({ name: true, description: true, inputSchema: true }),
  resource: shape({
    uri: true,
    name: true,
    description: true,
    mimeType: true,
    size: true,
    annotations: plainAnnotations
  }),
  resourceTemplate: shape({
    uriTemplate: true,
    name: true,
    description: true,
    mimeType: true,
    annotations: plainAnnotations
  }),
  prompt: shape({
    name: true,
    description: true,
    arguments: shape({ name: true, description: true, required: true })
  }),
  contents: plainContents,
  blocks: new Map([
    ["text", shape({ type: true, text: true, annotations: plainAnnotations })],
    ["image", plainMedia],
    ["resource", shape({ type: true, resource: plainContents, annotations: plainAnnotations })]
  ]),
  implementation: shape({ name: true, version: true }),
  capabilities: shape(firstCapabilities),
  progress: shape({ progressToken: true, progress: true, total: true }),
  structured: "none",
  dateTimeOnly: true,
  titleIsAnnotation: false,
  schemaDialect: false,
  reservedMeta: []
}

export const v20250326: LegacyRevision = {
  ...v20241105,
  version: "2025-03-26",
  tool: shape({ name: true, description: true, inputSchema: true, annotations: toolAnnotations }),
  blocks: new Map([...v20241105.blocks, ["audio", plainMedia]]),
  capabilities: shape({ ...firstCapabilities, completions: true }),
  progress,
  titleIsAnnotation: true
}

export const v20250618: LegacyRevision = {
  version: "2025-06-18",
  tool: shape(iconlessTool),
  resource: shape(iconlessResource),
  resourceTemplate: shape(iconlessTemplate),
  prompt: shape(iconlessPrompt),
  contents,
  blocks: blocks(shape({ type: true, ...iconlessResource })),
  implementation: shape({ name: true, title: true, version: true }),
  capabilities: shape({ ...firstCapabilities, completions: true }),
  progress,
  structured: "object",
  dateTimeOnly: true,
  titleIsAnnotation: false,
  schemaDialect: false,
  reservedMeta: []
}

export const v20251125: LegacyRevision = {
  version: "2025-11-25",
  tool: shape({ ...iconlessTool, icons: icon }),
  resource: shape({ ...iconlessResource, icons: icon }),
  resourceTemplate: shape({ ...iconlessTemplate, icons: icon }),
  prompt: shape({ ...iconlessPrompt, icons: icon }),
  contents,
  blocks: blocks(shape({ type: true, ...iconlessResource, icons: icon })),
  implementation: shape({
    name: true,
    title: true,
    version: true,
    description: true,
    websiteUrl: true,
    icons: icon
  }),
  capabilities: shape({ ...firstCapabilities, completions: true }),
  progress,
  structured: "object",
  dateTimeOnly: true,
  titleIsAnnotation: false,
  schemaDialect: true,
  reservedMeta: ["io.modelcontextprotocol/related-task", "io.modelcontextprotocol/model-immediate-response"]
}

export const legacyRevisions: Readonly<Record<LegacyVersion, LegacyRevision>> = {
  "2025-11-25": v20251125,
  "2025-06-18": v20250618,
  "2025-03-26": v20250326,
  "2024-11-05": v20241105
}

export const v20260728: ModernRevision = {
  version: "2026-07-28",
  tool: v20251125.tool,
  resource: v20251125.resource,
  resourceTemplate: v20251125.resourceTemplate,
  prompt: v20251125.prompt,
  contents,
  blocks: v20251125.blocks,
  implementation: v20251125.implementation,
  capabilities: shape({ ...firstCapabilities, completions: true, extensions: true }),
  progress,
  structured: "any",
  dateTimeOnly: false
}
