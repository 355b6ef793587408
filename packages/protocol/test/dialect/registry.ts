/** One tool and one result that have every member there is, for all revisions to encode. */
import type { ServerCapabilities } from "@pushbutton/protocol/Capabilities"
import type { CacheHints } from "@pushbutton/protocol/dialect/Dialect"
import type { Implementation } from "@pushbutton/protocol/Implementation"
import type { CallToolResult, Tool } from "@pushbutton/protocol/Tool"

const icons = [
  { src: "https://example.com/i.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" }
] as const

export const identity: Implementation = {
  name: "server",
  version: "1.0.0",
  title: "Server",
  description: "Serves",
  websiteUrl: "https://example.com",
  icons
}

export const tool: Tool = {
  name: "deploy",
  title: "Deploy",
  description: "Ship a build",
  icons,
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { build: { type: "string", "x-mcp-header": "Build" }, anything: true, nothing: false },
    required: ["build"],
    additionalProperties: false
  },
  outputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
  annotations: {
    title: "Deploy it",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true
  },
  _meta: { "com.example/kind": "ship" }
}

const annotations = { audience: ["user"], priority: 0, lastModified: "2025-01-12T15:00:58Z" } as const
const _meta = { "com.example/n": 1 }

export const result: CallToolResult = {
  content: [
    { type: "text", text: "", annotations, _meta },
    { type: "image", data: "AA==", mimeType: "image/png", annotations, _meta },
    { type: "audio", data: "AAAA", mimeType: "audio/wav", annotations, _meta },
    {
      type: "resource_link",
      uri: "file:///log",
      name: "log",
      title: "Log",
      description: "What happened",
      mimeType: "text/plain",
      size: 0,
      annotations,
      icons,
      _meta
    },
    {
      type: "resource",
      resource: { uri: "file:///a", text: "", mimeType: "text/plain", _meta },
      annotations,
      _meta
    },
    { type: "resource", resource: { uri: "file:///b", blob: "AA==", mimeType: "image/png", _meta } }
  ],
  structuredContent: { url: "https://example.com" },
  isError: false,
  _meta: { "com.example/n": 1, "io.modelcontextprotocol/related-task": { taskId: "t" } }
}

export const capabilities: ServerCapabilities = {
  experimental: { "com.example/x": {} },
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: false },
  tools: { listChanged: true },
  extensions: { "com.example/y": {} }
}

export const hints: CacheHints = { ttlMs: 0, cacheScope: "public" }

export const progressToken = 0
export const progress = [0.5, 1, "half"] as const
