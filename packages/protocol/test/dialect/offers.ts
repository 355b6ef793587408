/** A resource, a template, a prompt and their results that have every member there is. */
import type { Prompt, PromptResult } from "@pushbutton/protocol/Prompt"
import type { ReadResult, Resource, ResourceTemplate } from "@pushbutton/protocol/Resource"
import { result } from "./registry.js"

const icons = [
  { src: "https://example.com/i.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" }
] as const

const _meta = { "com.example/n": 1 }

const shared = {
  name: "log",
  title: "Log",
  description: "What happened",
  mimeType: "text/plain",
  annotations: { audience: ["user"], priority: 0, lastModified: "2025-01-12T15:00:58Z" },
  icons,
  _meta
} as const

export const resource: Resource = { uri: "file:///log", size: 0, ...shared }

export const template: ResourceTemplate = { uriTemplate: "file:///{name}", ...shared }

export const readResult: ReadResult = {
  contents: [
    { uri: "file:///a", text: "", mimeType: "text/plain", _meta },
    { uri: "file:///b", blob: "AA==", mimeType: "image/png", _meta }
  ],
  _meta: { ..._meta, "io.modelcontextprotocol/related-task": { taskId: "t" } }
}

export const prompt: Prompt = {
  name: "review",
  title: "Review",
  description: "Reviews code",
  arguments: [{ name: "code", title: "Code", description: "What to review", required: true }, { name: "x" }],
  icons,
  _meta
}

export const promptResult: PromptResult = {
  description: "A review",
  messages: result.content.map((content) => ({ role: "user", content })),
  _meta
}
