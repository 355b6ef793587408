/**
 * The shape of a definitions file. Names are the keys of objects, so that a parser refuses one that is there twice.
 * The published JSON Schema is made from this; what it cannot say, `internal` modules check.
 */
import * as Schema from "effect/Schema"
import { must, optional } from "../internal/schemas.js"

/** Says it plainly instead of "Expected"; with `override` for what is wrong with the parts, too. */
const text = (description: string) =>
  Schema.String.annotations({
    description,
    ...must("be a string; numbers, true and false need quotes")
  })

const flag = (description: string) => Schema.Boolean.annotations({ description, ...must("be true or false") })

const list = <A, I>(item: Schema.Schema<A, I>, description: string) =>
  Schema.Array(item).annotations({ description, ...must("be a list", false) })

const record = <A, I>(value: Schema.Schema<A, I>, description: string) =>
  Schema.Record({ key: Schema.String, value }).annotations({ description, ...must("be an object", false) })

const struct = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotations(must("be an object", false))

const oneOf = <const Values extends readonly [string, ...Array<string>]>(
  values: Values,
  description: string
) => Schema.Literal(...values).annotations({ description, ...must(`be one of ${values.join(", ")}`) })

const whole = (minimum: number, description: string, be: string) =>
  Schema.Number.pipe(
    Schema.filter((value) => Number.isSafeInteger(value) && value >= minimum, {
      jsonSchema: { type: "integer", minimum, description },
      ...must(be)
    })
  ).annotations({ ...must(be) })

const seconds = (description: string) => whole(1, description, "be a whole number of seconds above 0")

const count = (description: string) => whole(0, description, "be a whole number that is not negative")

const runtime = oneOf(
  ["shell", "bash", "python", "node"],
  "What runs the code; shell (/bin/sh) when left out."
)

const env = record(text("A variable's value."), "Variables for the code, besides its arguments.")

const Argument = struct({
  name: text("The code finds its value in BUTTONS_ARG_<NAME>: upper case, - becomes _."),
  type: oneOf(["string", "int", "bool", "enum"], "What it accepts."),
  required: optional(flag("Whether a press needs it; false when left out.")),
  values: optional(list(text("A value."), "What an enum accepts."))
}).annotations({ identifier: "Argument" })

const Queue = struct({
  name: text("Presses that name the same queue wait for each other."),
  concurrency: optional(count("How many may run at a time; 1 when left out.")),
  key: optional(
    text("Only presses with the same key wait for each other; arguments may stand in it, as in button.json.")
  )
}).annotations({ identifier: "Queue" })

export const Button = struct({
  description: optional(text("What it does, for agents.")),
  mcp_enabled: optional(flag("Whether agents see it; false when left out.")),
  tags: optional(list(text("A tag."), "For finding it.")),
  args: optional(list(Argument, "What a press takes.")),
  runtime: optional(runtime),
  code: optional(text("The code itself. One of code, file, prompt and url is needed.")),
  file: optional(text("A file with the code, relative to this file.")),
  prompt: optional(text("A text that is the whole answer: nothing is run.")),
  url: optional(
    text("An HTTP address that is called; {{argument}} may stand in its path, query and fragment.")
  ),
  method: optional(text("The HTTP method; GET when left out.")),
  headers: optional(record(text("A header's value."), "HTTP headers; nothing is filled in.")),
  body: optional(text("The HTTP body; {{argument}} may stand in it.")),
  allowed_host: optional(text("The only host that may be called; that of the url when left out.")),
  allow_private_networks: optional(flag("Whether addresses that are not public may be called.")),
  max_response_bytes: optional(count("What is read of a response; 10 MiB when left out.")),
  env: optional(env),
  timeout_seconds: optional(seconds("How long a press may run; 300 when left out.")),
  output_schema: optional(
    Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
      jsonSchema: { type: "object", description: "The JSON Schema of what it writes." },
      ...must("be an object", false)
    })
  ),
  queue: optional(Queue),
  requires_batteries: optional(list(text("The name of a battery."), "Secrets that a press needs."))
}).annotations({ identifier: "Button" })

const described = {
  title: optional(text("A name for people.")),
  description: optional(text("What it is, for agents and people."))
}

const common = {
  ...described,
  mime_type: optional(text("The type of the content, such as text/markdown.")),
  ttl_ms: optional(count("For how many milliseconds a client may keep what it read; 0 when left out."))
}

const command = {
  command: optional(text("Code whose output is the content. Exit code 66 says that there is nothing.")),
  runtime: optional(runtime),
  env: optional(env),
  timeout_seconds: optional(seconds("How long the command may run; 30 when left out, 120 at most.")),
  requires_batteries: optional(list(text("The name of a battery."), "Secrets that the command needs."))
}

export const Resource = struct({
  uri: text("Its absolute URI, such as notes://readme."),
  ...common,
  text: optional(text("The content. One of text, file and command is needed.")),
  file: optional(text("A file with the content, relative to this file, read at every call.")),
  ...command
}).annotations({ identifier: "Resource" })

export const ResourceTemplate = struct({
  uri_template: text("An RFC 6570 template of URIs, such as notes://{id}."),
  ...common,
  text: optional(text("The content, with {{variable}} filled in. One of text and command is needed.")),
  ...command
}).annotations({ identifier: "ResourceTemplate" })

const PromptArgument = struct({
  name: text("Stands as {{name}} in the texts."),
  ...described,
  required: optional(flag("Whether it has to be given; false when left out.")),
  values: optional(list(text("A value."), "Values to suggest."))
}).annotations({ identifier: "PromptArgument" })

const Message = struct({
  role: oneOf(["user", "assistant"], "Who says it."),
  text: text("What is said, with {{argument}} filled in.")
}).annotations({ identifier: "Message" })

export const Prompt = struct({
  ...described,
  arguments: optional(list(PromptArgument, "What a user fills in.")),
  text: optional(
    text("What the user says, with {{argument}} filled in. One of text and messages is needed.")
  ),
  messages: optional(list(Message, "A conversation instead of one text."))
}).annotations({ identifier: "Prompt" })

export const Definitions = struct({
  $schema: optional(text("Where the JSON Schema of this file is, for editors.")),
  buttons: optional(record(Button, "Buttons by name: a-z, 0-9 and -.")),
  resources: optional(record(Resource, "Resources by name.")),
  resource_templates: optional(record(ResourceTemplate, "Families of resources by name.")),
  prompts: optional(record(Prompt, "Prompts by name."))
}).annotations({
  title: "Pushbutton definitions",
  description: "Buttons, resources and prompts that pushbutton serves: see --definitions."
})

export type Definitions = typeof Definitions.Type
export type Button = typeof Button.Type
export type Resource = typeof Resource.Type
export type ResourceTemplate = typeof ResourceTemplate.Type
export type Prompt = typeof Prompt.Type
