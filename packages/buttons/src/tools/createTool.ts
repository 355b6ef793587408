/**
 * `buttons_create`, for agents that may make buttons. It gives no environment and no batteries, since an agent's script
 * must not get secrets, and its requests reach no private networks.
 */
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ButtonCatalogue } from "../ButtonCatalogue.js"
import { type Bounds, ButtonWriter } from "../ButtonWriter.js"
import * as Views from "../internal/buttonViews.js"
import * as Schemas from "../internal/schemas.js"
import { byteLength } from "../internal/text.js"
import * as NewButton from "../NewButton.js"
import { ButtonInvalid, toWriteFailure } from "../WriteRefused.js"
import { pretty, refused } from "./answers.js"
import { members } from "./members.js"

const optional = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schemas.optional(schema.annotations({ description }))

/** Made for servers that have the tool, and not by every one that starts. */
const argument = () =>
  Schema.Struct({
    name: Schema.String,
    type: Schema.Literal("string", "int", "bool", "enum"),
    required: Schema.Boolean,
    values: optional(Schema.Array(Schema.String), "What an enum accepts, at least two.")
  })

const inputs = () =>
  Schema.Struct({
    name: Schema.String.annotations({ description: "Letters, digits and -." }),
    description: optional(Schema.String, "What it does, for whoever is to press it."),
    code: optional(
      Schema.String,
      "A script. It finds its arguments in its environment: `env` as BUTTONS_ARG_ENV, `dry-run` as BUTTONS_ARG_DRY_RUN."
    ),
    runtime: optional(
      Schema.Literal("shell", "bash", "python", "node"),
      "What runs the code; shell when left out."
    ),
    prompt: optional(Schema.String, "Instead of code: a text that the button answers with."),
    url: optional(
      Schema.String,
      "Instead of code: a public address to send a request to. {{argument}} stands for an argument in its path and query, and in the body."
    ),
    method: optional(Schema.String, "Of the request; GET when left out."),
    headers: Schema.optionalWith(members(Schema.String, "Of the request, sent as they are."), {
      exact: true
    }),
    body: optional(Schema.String, "Of the request."),
    args: optional(Schema.Array(argument()), "What it takes."),
    tags: optional(Schema.Array(Schema.String), "Words to find it by."),
    timeout_seconds: optional(Schema.Int, "How long a press may take; 300 when left out.")
  })

type Input = Schema.Schema.Type<ReturnType<typeof inputs>>

const bounds: Bounds = { maxButtons: 1_000, maxBytes: 2 * NewButton.maxInlineBytes }

/** `isEnabled`: whether agents can press it at once. Otherwise it is hidden until somebody enables it. */
export const buttonsCreate = (isEnabled: boolean) =>
  Tool.make("buttons_create", {
    title: "Create a button",
    description: `Makes a new button of a script, a prompt or a request; exactly one of \`code\`, \`prompt\` and \`url\`. ${
      isEnabled
        ? "It can be pressed at once."
        : "It cannot be pressed until a person has looked at it and enabled it."
    } An existing button is never changed.`,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: inputs(),
    output: Views.Created,
    text: pretty,
    handler: (input) =>
      Effect.gen(function* () {
        const action = yield* actionOf(input)
        const slug = yield* (yield* ButtonWriter).create(
          {
            name: input.name,
            action,
            description: input.description,
            tags: input.tags,
            args: input.args,
            timeoutSeconds: input.timeout_seconds,
            mcpEnabled: isEnabled
          },
          bounds
        )
        return Views.created(yield* (yield* ButtonCatalogue).get(slug))
      }).pipe(Effect.catchAll((error) => refused(input.name, toWriteFailure(error))))
  })

const actionOf = (input: Input): Either.Either<NewButton.Action, ButtonInvalid> => {
  const { body, code, headers, method, prompt, runtime, url } = input
  const invalid = (problem: string) => Either.left(new ButtonInvalid({ problems: [problem] }))
  const given = [code, prompt, url].filter((text) => text !== undefined)
  if (given.length !== 1) return invalid("give exactly one of code, prompt and url")
  if (given.some((text) => byteLength(text) > NewButton.maxInlineBytes)) {
    return invalid(`code, prompt and url have at most ${NewButton.maxInlineBytes} bytes`)
  }
  if (runtime !== undefined && code === undefined) return invalid("runtime goes with code only")
  if (url === undefined && [method, headers, body].some((part) => part !== undefined)) {
    return invalid("method, headers and body go with a url only")
  }
  if (code !== undefined) return Either.right({ _tag: "Code", runtime: runtime ?? "shell", code })
  if (prompt !== undefined) return Either.right({ _tag: "Prompt", text: prompt })
  return Either.right({ _tag: "Http", url: url ?? "", method, headers, body })
}
