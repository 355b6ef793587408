/** The examples of docs/guide/resources.md. */
import * as Content from "@pushbutton/server/Content"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Prompt from "@pushbutton/server/Prompt"
import * as PromptMessage from "@pushbutton/server/PromptMessage"
import * as Resource from "@pushbutton/server/Resource"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

const notes = new Map([
  ["a", "first"],
  ["b", "second"]
])

const Readme = Resource.make("notes://readme", {
  name: "readme",
  description: "How the notes are kept",
  mimeType: "text/markdown",
  ttlMs: 60_000,
  cacheScope: "public",
  handler: () => Effect.succeed("# Notes")
})

const Note = Resource.template("notes://{id}{?part}", {
  name: "note",
  mimeType: "text/markdown",
  complete: {
    id: (value) => Effect.succeed(Array.from(notes.keys()).filter((id) => id.startsWith(value)))
  },
  handler: ({ id, part }) => {
    const note = notes.get(id)
    if (note === undefined) return Effect.fail(new Resource.ResourceNotFound())
    return Effect.succeed(part === undefined ? note : `${note}, part ${part}`)
  }
})

const Review = Prompt.make("review", {
  title: "Review",
  description: "Reviews code",
  arguments: [{ name: "code", description: "What to review", required: true }, { name: "language" }],
  complete: {
    language: (value, given) =>
      Effect.succeed(
        (given["code"]?.includes("def ") ? ["python"] : ["rust", "ruby"]).filter((name) =>
          name.startsWith(value)
        )
      )
  },
  handler: ({ code, language }) =>
    Effect.succeed([
      PromptMessage.user(`Review this ${language ?? "code"}:`),
      PromptMessage.user(Content.text(code))
    ])
})

const Trip = Prompt.make("trip", {
  arguments: Schema.Struct({
    city: Schema.String.annotations({ description: "Where to" }),
    days: Schema.optionalWith(Schema.NumberFromString, { default: () => 1 })
  }),
  handler: ({ city, days }) =>
    city === "Ys"
      ? Effect.fail(new Prompt.InvalidArgument({ argument: "city", detail: "has drowned" }))
      : Effect.succeed(`Plan ${days + 1} days in ${city}.`)
})

const server = Layer.provideMerge(
  Layer.mergeAll(McpServer.resources(Readme, Note), McpServer.prompts(Review, Trip)),
  McpServer.layer({ name: "notes", version: "1.0.0" })
)

export { server }
