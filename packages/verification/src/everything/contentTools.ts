/** Tools that answer with each kind of content. */
import * as Content from "@pushbutton/server/Content"
import * as Tool from "@pushbutton/server/Tool"
import * as ToolResult from "@pushbutton/server/ToolResult"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Media from "./media.js"

const nothing = Schema.Struct({})

/** Listed first: clients that try any tool take the first one. */
export const simpleText = Tool.make("test_simple_text", {
  description: "Answers with one line of text",
  annotations: { readOnlyHint: true },
  input: nothing,
  handler: () => Effect.succeed("This is a simple text response for testing.")
})

export const image = Tool.make("test_image_content", {
  description: "Answers with a picture of one pixel",
  input: nothing,
  handler: () => Effect.succeed(Media.image)
})

export const audio = Tool.make("test_audio_content", {
  description: "Answers with a moment of silence",
  input: nothing,
  handler: () => Effect.succeed(Media.audio)
})

export const embeddedResource = Tool.make("test_embedded_resource", {
  description: "Answers with a resource that is part of the answer",
  input: nothing,
  handler: () =>
    Effect.succeed(
      Content.resource({
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content."
      })
    )
})

export const multipleContentTypes = Tool.make("test_multiple_content_types", {
  description: "Answers with text, a picture and a resource at once",
  input: nothing,
  handler: () =>
    Effect.succeed([
      Content.text("Multiple content types test:"),
      Media.image,
      Content.resource({
        uri: "test://mixed-content-resource",
        mimeType: "application/json",
        text: JSON.stringify({ test: "data", value: 123 })
      })
    ])
})

export const resourceLink = Tool.make("test_resource_link", {
  description: "Answers with a link to a resource",
  input: nothing,
  handler: () =>
    Effect.succeed(Content.link({ uri: "test://static-text", name: "static-text", mimeType: "text/plain" }))
})

export const structured = Tool.make("test_structured_content", {
  description: "Answers with a value for programs",
  input: Schema.Struct({ city: Schema.String }),
  output: Schema.Struct({ city: Schema.String, degrees: Schema.Number }),
  handler: ({ city }) => Effect.succeed({ city, degrees: 21.5 })
})

export const error = Tool.make("test_error_handling", {
  description: "Fails, each time",
  input: nothing,
  handler: () => Effect.succeed(ToolResult.error("This tool intentionally returns an error for testing"))
})
