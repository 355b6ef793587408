/** One of each kind with every member it can have, so that what a revision leaves out is there to be left out. */
import * as Content from "@pushbutton/server/Content"
import * as Prompt from "@pushbutton/server/Prompt"
import * as PromptMessage from "@pushbutton/server/PromptMessage"
import * as Resource from "@pushbutton/server/Resource"
import * as ResourceContents from "@pushbutton/server/ResourceContents"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Media from "./media.js"

export const icons = [
  { src: "https://example.com/icon.png", mimeType: "image/png", sizes: ["48x48"], theme: "light" as const }
]

const meta = { "example.com/kept": true }

const annotations = {
  audience: ["user" as const],
  priority: 0.5,
  lastModified: "2026-01-02T03:04:05Z"
}

const extras = { annotations, meta }

const linked = {
  uri: "test://decorated",
  name: "decorated-resource",
  title: "Decorated resource",
  description: "A resource with every member",
  mimeType: "text/plain",
  size: 10
}

export const tool = Tool.make("test_decorated", {
  title: "Decorated tool",
  description: "Answers with a block of each kind, each with every member",
  annotations: {
    title: "Decorated",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false
  },
  icons,
  meta,
  input: Schema.Struct({}),
  handler: () =>
    Effect.succeed([
      Content.text("Decorated.", extras),
      Content.image(Media.pngBytes, "image/png", extras),
      Content.audio(Media.wavBytes, "audio/wav", extras),
      Content.resource({ uri: linked.uri, mimeType: linked.mimeType, text: "Decorated.", meta }, extras),
      Content.link({ ...linked, annotations, icons, _meta: meta })
    ])
})

export const resource = Resource.make(linked.uri, {
  name: linked.name,
  title: linked.title,
  description: linked.description,
  mimeType: linked.mimeType,
  size: linked.size,
  annotations,
  icons,
  meta,
  handler: () => Effect.succeed(ResourceContents.text("Decorated.", { meta }))
})

export const prompt = Prompt.make("test_decorated_prompt", {
  title: "Decorated prompt",
  description: "A prompt with every member",
  icons,
  meta,
  arguments: [{ name: "topic", title: "Topic", description: "What it is about", required: false }],
  handler: () =>
    Effect.succeed([
      PromptMessage.user(Content.text("Decorated.", extras)),
      PromptMessage.user(Content.audio(Media.wavBytes, "audio/wav", extras)),
      PromptMessage.user(Content.link({ ...linked, annotations, icons, _meta: meta }))
    ])
})
