/** A resource, or a template of resources, of a definitions file. */
import * as UriTemplate from "@pushbutton/protocol/UriTemplate"
import * as Resource from "@pushbutton/server/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Paths from "../internal/paths.js"
import { type FileOf, onlyOne } from "./DefinedButton.js"
import * as DefinedCommand from "./DefinedCommand.js"
import type * as Schema from "./DefinitionsSchema.js"
import type { Mistakes } from "./mistakes.js"
import { CommandFailed, type RunCommand } from "./ResourceCommand.js"
import type { Path } from "./sourceText.js"
import * as TextTemplate from "./textTemplate.js"

/** What reading needs of the world. */
export interface Hands {
  readonly run: RunCommand
  /** The content of a file; left is why there is none. */
  readonly readFile: (path: string) => Effect.Effect<Either.Either<string | Uint8Array, string>>
}

export interface DefinedResource {
  readonly path: Path
  /** What it was made from, to be compared. */
  readonly definition: string
  readonly resource: Resource.Resource<never> | Resource.ResourceTemplate<never>
}

type Reading<A> = Effect.Effect<A, CommandFailed | Resource.ResourceNotFound>

/** Undefined when there are mistakes in it. */
export const make = (
  name: string,
  definition: Schema.Resource,
  file: FileOf,
  hands: Hands,
  mistakes: Mistakes
): DefinedResource | undefined => {
  const path: Path = ["resources", name]
  const kind = onlyOne(definition, ["text", "file", "command"], path, mistakes)
  const reader = readerOf(name, definition, file, hands, path, mistakes)
  if (kind === undefined || reader === undefined) return undefined
  return {
    path,
    definition: JSON.stringify(definition),
    resource: Resource.make(definition.uri, { ...common(name, definition), handler: () => reader })
  }
}

const readerOf = (
  name: string,
  definition: Schema.Resource,
  file: FileOf,
  hands: Hands,
  path: Path,
  mistakes: Mistakes
): Reading<string | Uint8Array> | undefined => {
  if (definition.command !== undefined) {
    const command = DefinedCommand.make(name, definition.command, definition, [], path, mistakes)
    return command && hands.run(command, {})
  }
  if (hasLonely(definition, path, mistakes)) return undefined
  return definition.file === undefined
    ? Effect.succeed(definition.text ?? "")
    : readFile(hands, Paths.resolve(file.directory, definition.file), name)
}

/** Undefined when there are mistakes in it. */
export const makeTemplate = (
  name: string,
  definition: Schema.ResourceTemplate,
  hands: Hands,
  mistakes: Mistakes
): DefinedResource | undefined => {
  const path: Path = ["resource_templates", name]
  const kind = onlyOne(definition, ["text", "command"], path, mistakes)
  const parsed = UriTemplate.parse(definition.uri_template)
  if (Either.isLeft(parsed)) return void mistakes.at([...path, "uri_template"], parsed.left)
  const read = templateReaderOf(name, definition, parsed.right.variables, hands, path, mistakes)
  if (kind === undefined || read === undefined) return undefined
  return {
    path,
    definition: JSON.stringify(definition),
    resource: Resource.template(definition.uri_template, {
      ...common(name, definition),
      handler: (variables) => read(texts(variables))
    })
  }
}

const templateReaderOf = (
  name: string,
  definition: Schema.ResourceTemplate,
  variables: ReadonlyArray<string>,
  hands: Hands,
  path: Path,
  mistakes: Mistakes
): ((values: Readonly<Record<string, string>>) => Reading<string>) | undefined => {
  if (definition.command !== undefined) {
    const args = DefinedCommand.argsOf(variables)
    if (Either.isLeft(args)) return void mistakes.at([...path, "uri_template"], args.left)
    const command = DefinedCommand.make(name, definition.command, definition, args.right, path, mistakes)
    return command && ((values) => hands.run(command, values))
  }
  if (hasLonely(definition, path, mistakes)) return undefined
  const template = TextTemplate.parse(definition.text ?? "", new Set(variables))
  if (Either.isLeft(template)) return void mistakes.at([...path, "text"], template.left)
  return (values) => Effect.succeed(TextTemplate.fill(template.right, values))
}

/** A list of path segments is the path that they make. */
const texts = (variables: UriTemplate.Values): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]): Array<readonly [string, string]> => {
      if (value === undefined) return []
      return [[name, typeof value === "string" ? value : value.join("/")]]
    })
  )

const ofCommands = ["runtime", "env", "timeout_seconds", "requires_batteries"] as const

/** Whether something is said of a command that is not there. */
const hasLonely = (
  definition: Schema.ResourceTemplate | Schema.Resource,
  path: Path,
  mistakes: Mistakes
): boolean => {
  const lonely = ofCommands.filter((member) => definition[member] !== undefined)
  for (const member of lonely) mistakes.atName([...path, member], "needs a command beside it")
  return lonely.length > 0
}

const common = (
  name: string,
  { description, mime_type, title, ttl_ms }: Schema.ResourceTemplate | Schema.Resource
) => ({
  name,
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  ...(mime_type === undefined ? {} : { mimeType: mime_type }),
  ...(ttl_ms === undefined ? {} : { ttlMs: ttl_ms })
})

const readFile = (hands: Hands, path: string, name: string): Reading<string | Uint8Array> =>
  Effect.flatMap(hands.readFile(path), (content): Reading<string | Uint8Array> => {
    if (Either.isRight(content)) return Effect.succeed(content.right)
    return content.left === "is missing"
      ? new Resource.ResourceNotFound()
      : new CommandFailed({ message: `The file of ${name} ${content.left}` })
  })
