/** Prompts with and without arguments, with each kind of content, and one that asks first. */
import * as Ask from "@pushbutton/server/Ask"
import * as Prompt from "@pushbutton/server/Prompt"
import * as PromptMessage from "@pushbutton/server/PromptMessage"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Media from "./media.js"

export const simple = Prompt.make("test_simple_prompt", {
  title: "Simple prompt",
  description: "A prompt without arguments",
  handler: () => Effect.succeed("This is a simple prompt for testing.")
})

const suggest = (values: ReadonlyArray<string>) => (typed: string) =>
  Effect.succeed(values.filter((value) => value.startsWith(typed)))

export const withArguments = Prompt.make("test_prompt_with_arguments", {
  title: "Prompt with arguments",
  description: "A prompt that repeats its arguments",
  arguments: [
    { name: "arg1", description: "First test argument", required: true },
    { name: "arg2", description: "Second test argument", required: true }
  ],
  complete: { arg1: suggest(["test1", "test2", "tent"]), arg2: suggest(["value1", "value2"]) },
  handler: ({ arg1, arg2 }) => Effect.succeed(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)
})

export const withEmbeddedResource = Prompt.make("test_prompt_with_embedded_resource", {
  title: "Prompt with a resource",
  description: "A prompt that brings a resource along",
  arguments: [{ name: "resourceUri", description: "The URI of the resource", required: true }],
  handler: ({ resourceUri }) =>
    Effect.succeed([
      PromptMessage.user({
        type: "resource",
        resource: {
          uri: resourceUri,
          mimeType: "text/plain",
          text: "Embedded resource content for testing."
        }
      }),
      PromptMessage.user("Please process the embedded resource above.")
    ])
})

export const withImage = Prompt.make("test_prompt_with_image", {
  title: "Prompt with a picture",
  description: "A prompt that brings a picture along",
  handler: () =>
    Effect.succeed([PromptMessage.user(Media.image), PromptMessage.user("Please analyse the picture above.")])
})

const userContext = Ask.form("user_context", {
  message: "What is the prompt for?",
  schema: Schema.Struct({ context: Schema.String })
})

export const inputRequired = Prompt.make("test_input_required_result_prompt", {
  title: "Prompt that asks",
  description: "A prompt that asks what it is for",
  handler: () => Effect.map(Ask.orFail(userContext), ({ context }) => `Use this context: ${context}`)
})
