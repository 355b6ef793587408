/** A prompt of a definitions file. */
import * as Prompt from "@pushbutton/server/Prompt"
import * as PromptMessage from "@pushbutton/server/PromptMessage"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { onlyOne } from "./DefinedButton.js"
import type * as Schema from "./DefinitionsSchema.js"
import type { Mistakes } from "./mistakes.js"
import type { Path } from "./sourceText.js"
import * as TextTemplate from "./textTemplate.js"

export interface DefinedPrompt {
  readonly path: Path
  readonly prompt: Prompt.Prompt<never>
}

export const make = (
  name: string,
  definition: Schema.Prompt,
  mistakes: Mistakes
): DefinedPrompt | undefined => {
  const path: Path = ["prompts", name]
  const args = definition.arguments ?? []
  const names = new Set(args.map((arg) => arg.name))
  const twice = args.findIndex(({ name }, index) => args.findIndex((arg) => arg.name === name) < index)
  if (twice !== -1) mistakes.at([...path, "arguments", twice, "name"], "is there twice")
  const kind = onlyOneOf(definition, path, mistakes)
  const messages = (definition.messages ?? []).map(({ role, text }, index) =>
    message(role, text, [...path, "messages", index, "text"], names, mistakes)
  )
  if (kind === "messages" && messages.length === 0) mistakes.at([...path, "messages"], "are none")
  const said =
    definition.text === undefined
      ? []
      : [message("user", definition.text, [...path, "text"], names, mistakes)]
  const all = [...said, ...messages].flatMap((one) => (one === undefined ? [] : [one]))
  if (twice !== -1 || all.length === 0 || all.length < said.length + messages.length) return undefined
  return {
    path,
    prompt: Prompt.make(name, {
      ...(definition.title === undefined ? {} : { title: definition.title }),
      ...(definition.description === undefined ? {} : { description: definition.description }),
      arguments: args.map(listed),
      complete: Object.fromEntries(args.flatMap(completer)),
      handler: (values: Readonly<Record<string, string | undefined>>) =>
        Effect.succeed(all.map(({ role, template }) => say[role](TextTemplate.fill(template, values))))
    })
  }
}

const onlyOneOf = ({ messages, text }: Schema.Prompt, path: Path, mistakes: Mistakes) =>
  onlyOne(
    {
      ...(text === undefined ? {} : { text }),
      ...(messages === undefined ? {} : { messages: "" })
    },
    ["text", "messages"],
    path,
    mistakes
  )

const say = { user: PromptMessage.user, assistant: PromptMessage.assistant }

const message = (
  role: "user" | "assistant",
  text: string,
  path: Path,
  names: ReadonlySet<string>,
  mistakes: Mistakes
) => {
  const template = TextTemplate.parse(text, names)
  if (Either.isLeft(template)) return void mistakes.at(path, template.left)
  return { role, template: template.right }
}

type Argument = NonNullable<Schema.Prompt["arguments"]>[number]

const listed = ({ description, name, required, title }: Argument) => ({
  name,
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  ...(required === undefined ? {} : { required })
})

const completer = ({ name, values }: Argument) =>
  values === undefined
    ? []
    : [[name, (typed: string) => Effect.succeed(values.filter((value) => value.startsWith(typed)))] as const]
