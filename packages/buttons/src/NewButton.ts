/** A button that is to be created: the rules of the format for new ones, and the files that it is made of. Pure. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import * as Button from "./Button.js"
import type { ButtonProblem } from "./ButtonProblem.js"
import { defaultMaxResponseBytes } from "./http/HttpDefinition.js"
import * as Origin from "./http/Origin.js"
import { maxFileBytes } from "./internal/regularFiles.js"
import { byteLength, quote } from "./internal/text.js"
import { defaultTimeoutSeconds } from "./PressTimeout.js"
import * as Runtime from "./Runtime.js"
import * as Slug from "./Slug.js"

export interface NewArgument {
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** Of an enum. */
  readonly values?: ReadonlyArray<string> | undefined
}

/** What a press does. */
export type Action =
  | { readonly _tag: "Code"; readonly runtime: Runtime.CodeRuntime; readonly code: string }
  /** Answers with the text. */
  | { readonly _tag: "Prompt"; readonly text: string }
  | {
      readonly _tag: "Http"
      readonly url: string
      readonly method?: string | undefined
      readonly headers?: Readonly<Record<string, string>> | undefined
      readonly body?: string | undefined
    }

export interface NewButton {
  /** Becomes a slug. */
  readonly name: string
  readonly action: Action
  readonly description?: string | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  readonly args?: ReadonlyArray<NewArgument> | undefined
  readonly requiredBatteries?: ReadonlyArray<string> | undefined
  /** 300 when left out. */
  readonly timeoutSeconds?: number | undefined
  /** Whether agents see it. */
  readonly mcpEnabled: boolean
}

/** One file of a button's folder. */
export interface NewFile {
  readonly name: string
  readonly text: string
  readonly isCode: boolean
}

export const maxNameBytes = 128
/** Of code and prompts that are given as a text; files may be longer. */
export const maxInlineBytes = 65_536

const reserved: ReadonlySet<string> = new Set(
  "create press list rm board drawer batteries smash store history help version mcp serve update delete init".split(
    " "
  )
)

/** Left: why no button can have the name. */
export const slugOf = (name: string): Either.Either<string, string> => {
  if (byteLength(name) > maxNameBytes) return Either.left(`a name has at most ${maxNameBytes} bytes`)
  if (name.includes("..") || /[/\\]/.test(name)) return Either.left(`${quote(name)} is not a name but a path`)
  const slug = Slug.fromName(name)
  if (slug === "") return Either.left(`${quote(name)} has nothing of a name: a-z, 0-9 and -`)
  return reserved.has(slug) ? Either.left(`${quote(slug)} is the name of a command`) : Either.right(slug)
}

/** The files of a button. Left: everything that the loader would remark on, warnings too. */
export const filesOf = (
  slug: string,
  button: NewButton,
  createdAt: string
): Either.Either<ReadonlyArray<NewFile>, ReadonlyArray<ButtonProblem>> => {
  const definition = definitionOf(slug, button, createdAt)
  const text = `${JSON.stringify(definition, null, 2)}\n`
  const files = [{ name: "button.json", text, isCode: false }, ...contentOf(button.action)]
  const { problems } = Button.decode({
    slug,
    directory: slug,
    relativeDirectory: slug,
    text: Either.right(text),
    files: new Set(files.map(({ name }) => name))
  })
  const all = [...problems, ...remarks(slug, button), ...files.flatMap((file) => unreadable(slug, file))]
  return all.length === 0 ? Either.right(files) : Either.left(all)
}

/** What a loader would not read; code is read by what runs it. */
const unreadable = (slug: string, { isCode, name, text }: NewFile): ReadonlyArray<ButtonProblem> =>
  isCode || byteLength(text) <= maxFileBytes
    ? []
    : [
        {
          slug,
          file: `${slug}/${name}`,
          severity: "error",
          message: `${name} would be larger than ${maxFileBytes} bytes`
        }
      ]

const remarks = (slug: string, { action, timeoutSeconds }: NewButton): ReadonlyArray<ButtonProblem> => {
  const problem = (field: string, message: string): ButtonProblem => ({
    slug,
    file: `${slug}/button.json`,
    field,
    severity: "error",
    message
  })
  return [
    ...(timeoutSeconds !== undefined && timeoutSeconds <= 0
      ? [problem("timeout_seconds", "must be above 0")]
      : []),
    ...(action._tag === "Http" && action.url === "" ? [problem("url", "is empty")] : []),
    ...(action._tag === "Code" && action.code.trim() === "" ? [problem("code", "is empty")] : []),
    ...(action._tag === "Prompt" && action.text.trim() === "" ? [problem("prompt", "is empty")] : [])
  ]
}

/** In the order of the format. */
const definitionOf = (slug: string, button: NewButton, createdAt: string): JsonObject => {
  const { action, args = [], description = "", requiredBatteries = [], tags = [] } = button
  return {
    schema_version: 2,
    name: slug,
    ...(description === "" ? {} : { description }),
    ...(tags.length === 0 ? {} : { tags }),
    version: "1",
    runtime: action._tag === "Code" ? action.runtime : action._tag === "Http" ? "http" : "prompt",
    ...(action._tag === "Http" ? requestOf(action) : {}),
    ...(args.length === 0 ? {} : { args: args.map(argumentOf) }),
    env: {},
    timeout_seconds: button.timeoutSeconds ?? defaultTimeoutSeconds,
    ...(action._tag === "Http" ? limitsOf(action.url) : {}),
    mcp_enabled: button.mcpEnabled,
    ...(requiredBatteries.length === 0 ? {} : { requires_batteries: requiredBatteries }),
    created_at: createdAt,
    updated_at: createdAt
  }
}

const requestOf = ({ body = "", headers = {}, method = "GET", url }: Extract<Action, { _tag: "Http" }>) => ({
  url,
  method: method.toUpperCase(),
  ...(Object.keys(headers).length === 0 ? {} : { headers }),
  ...(body === "" ? {} : { body })
})

/** What other programs of the format write for a new button. */
const limitsOf = (url: string): JsonObject => {
  const origin = URL.canParse(url) ? Origin.fromUrl(new URL(url)) : undefined
  return {
    max_response_bytes: defaultMaxResponseBytes,
    ...(origin === undefined ? {} : { allowed_host: Origin.authority(origin) })
  }
}

const argumentOf = ({ name, required, type, values }: NewArgument): JsonObject => ({
  name,
  type,
  required,
  ...(values === undefined ? {} : { values })
})

const contentOf = (action: Action): ReadonlyArray<NewFile> => {
  switch (action._tag) {
    case "Code":
      return [{ name: Runtime.codeFile[action.runtime], text: withNewline(action.code), isCode: true }]
    case "Prompt":
      return [{ name: "AGENTS.md", text: withNewline(action.text), isCode: false }]
    case "Http":
      return []
  }
}

const withNewline = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`)
