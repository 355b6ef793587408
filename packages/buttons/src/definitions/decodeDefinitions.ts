/** A definitions file from text to what it defines. All of it is right, or none of it is taken. */
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as Json from "@pushbutton/protocol/Json"
import * as PromptRegistry from "@pushbutton/server/PromptRegistry"
import * as ResourceRegistry from "@pushbutton/server/ResourceRegistry"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as EffectSchema from "effect/Schema"
import type { ButtonProblem } from "../ButtonProblem.js"
import * as DefinedButton from "./DefinedButton.js"
import * as DefinedPrompt from "./DefinedPrompt.js"
import * as DefinedResource from "./DefinedResource.js"
import type { Defined } from "./Definitions.js"
import * as Schema from "./DefinitionsSchema.js"
import * as Mistakes from "./mistakes.js"
import * as SourceBytes from "./sourceBytes.js"
import * as SourceText from "./sourceText.js"

export interface Decoded {
  /** Undefined when there is an error. */
  readonly defined: Defined | undefined
  readonly problems: ReadonlyArray<ButtonProblem>
  /** Those whose problems agents must not be told of: their buttons have not opted in. */
  readonly hidden: ReadonlySet<string>
}

/** What the file holds is UTF-8. */
export const decode = (
  content: Uint8Array,
  file: DefinedButton.FileOf,
  hands: DefinedResource.Hands
): Effect.Effect<Decoded> =>
  Effect.suspend(() => {
    const located = Either.flatMap(
      Either.mapLeft(SourceBytes.toText(content), (mistake) => [mistake]),
      SourceText.read
    )
    if (Either.isLeft(located)) {
      const problems = located.left.map(
        ({ message, place }): ButtonProblem => ({
          slug: file.name,
          file: file.name,
          ...place,
          severity: "error",
          message
        })
      )
      return Effect.succeed({ defined: undefined, problems, hidden: new Set() })
    }
    return decodeLocated(located.right, file, hands)
  })

const decodeShape = EffectSchema.decodeUnknownEither(Schema.Definitions, {
  errors: "all",
  onExcessProperty: "error"
})

const decodeLocated = Effect.fnUntraced(function* (
  located: SourceText.Located,
  file: DefinedButton.FileOf,
  hands: DefinedResource.Hands
) {
  const mistakes = Mistakes.make(file.name, located)
  const hidden = hiddenOf(located.value, file.name)
  const shape = decodeShape(withoutEmptySections(located.value))
  if (Either.isLeft(shape)) {
    for (const issue of ParseResult.ArrayFormatter.formatErrorSync(shape.left)) reportShape(issue, mistakes)
    return { defined: undefined, problems: mistakes.problems(), hidden }
  }
  const { buttons = {}, prompts = {}, resource_templates = {}, resources = {} } = shape.right
  const defined: Defined = {
    buttons: each(buttons, (slug, definition) =>
      DefinedButton.make(slug, definition, file, mistakes, located.keyAt(["buttons", slug]))
    ),
    resources: [
      ...each(resources, (name, definition) => DefinedResource.make(name, definition, file, hands, mistakes)),
      ...each(resource_templates, (name, definition) =>
        DefinedResource.makeTemplate(name, definition, hands, mistakes)
      )
    ],
    prompts: each(prompts, (name, definition) => DefinedPrompt.make(name, definition, mistakes))
  }
  yield* checkRegistration(defined, mistakes)
  const problems = mistakes.problems()
  const isWrong = problems.some(({ severity }) => severity === "error")
  return { defined: isWrong ? undefined : defined, problems, hidden }
})

/** Also of buttons that cannot be read. */
const hiddenOf = (value: JsonValue, file: string): ReadonlySet<string> => {
  const buttons = Json.isObject(value) ? value["buttons"] : undefined
  return new Set(
    Object.entries(Json.isObject(buttons) ? buttons : {}).flatMap(([slug, button]) =>
      Json.isObject(button) && button["mcp_enabled"] === true ? [] : [Mistakes.ownerOf(file, slug)]
    )
  )
}

const each = <A, B>(
  members: Readonly<Record<string, A>>,
  make: (name: string, member: A) => B | undefined
): ReadonlyArray<B> =>
  Object.entries(members).flatMap(([name, member]) => {
    const made = make(name, member)
    return made === undefined ? [] : [made]
  })

/** A file of comments defines nothing, and so does a section whose members are all comments. */
const withoutEmptySections = (value: JsonValue): unknown => {
  if (value === null) return {}
  return Json.isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter(
          ([name, section]) => section !== null || !Object.hasOwn(Schema.Definitions.fields, name)
        )
      )
    : value
}

const reportShape = (issue: ParseResult.ArrayFormatterIssue, mistakes: Mistakes.Mistakes): void => {
  const { _tag, message, path } = issue
  if (_tag === "Missing") return mistakes.atName(path, "is missing")
  if (_tag !== "Unexpected") return mistakes.at(path, message)
  const known = Array.from(message.matchAll(/"([^"]+)"/g), ([, name = ""]) => name)
  mistakes.atName(path, `is not known here; what is known: ${known.join(", ")}`)
}

/** Registers everything where nobody sees it, so that what the server's registries refuse is found with its place. */
const checkRegistration = Effect.fnUntraced(function* (defined: Defined, mistakes: Mistakes.Mistakes) {
  const resources = ResourceRegistry.make()
  const prompts = PromptRegistry.make()
  yield* Effect.scoped(
    Effect.gen(function* () {
      for (const { path, resource } of defined.resources) {
        const added = yield* Effect.either(resources.add([resource]))
        if (Either.isLeft(added)) report(path, added.left, mistakes)
      }
      for (const { path, prompt } of defined.prompts) {
        const added = yield* Effect.either(prompts.add([prompt]))
        if (Either.isLeft(added)) report(path, added.left, mistakes)
      }
    })
  )
})

const report = (
  path: SourceText.Path,
  { detail, property }: { readonly detail: string; readonly property: string },
  mistakes: Mistakes.Mistakes
): void => {
  if (property === "name") return mistakes.atName(path, `the name ${detail}`)
  mistakes.at([...path, members.get(property) ?? property], detail)
}

/** What the server calls a member that has another name in the file. */
const members: ReadonlyMap<string, string> = new Map([
  ["uriTemplate", "uri_template"],
  ["mimeType", "mime_type"],
  ["ttlMs", "ttl_ms"]
])
