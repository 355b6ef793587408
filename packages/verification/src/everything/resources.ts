/** Resources with text, with bytes, and by template. */
import * as Resource from "@pushbutton/server/Resource"
import * as ResourceContents from "@pushbutton/server/ResourceContents"
import * as Effect from "effect/Effect"
import * as Media from "./media.js"

export const staticText = Resource.make("test://static-text", {
  name: "static-text",
  title: "Static text",
  description: "A text that never changes",
  mimeType: "text/plain",
  handler: () => Effect.succeed("This is the content of the static text resource.")
})

export const staticBinary = Resource.make("test://static-binary", {
  name: "static-binary",
  title: "Static picture",
  description: "A picture that never changes",
  mimeType: "image/png",
  size: Media.pngBytes.length,
  handler: () => Effect.succeed(Media.pngBytes)
})

export const watched = Resource.make("test://watched-resource", {
  name: "watched-resource",
  title: "Watched resource",
  description: "A resource to subscribe to: test_trigger_resource_update tells its subscribers",
  mimeType: "text/plain",
  handler: () => Effect.succeed("This resource is being watched.")
})

export const byId = Resource.template("test://template/{id}/data", {
  name: "template-data",
  title: "Data by id",
  description: "The data of any id",
  mimeType: "application/json",
  complete: {
    id: (typed) => Effect.succeed(["123", "124", "200"].filter((id) => id.startsWith(typed)))
  },
  handler: ({ id }) =>
    Effect.succeed(ResourceContents.json({ id, templateTest: true, data: `Data for ID: ${id}` }))
})
