/**
 * The buttons of a definitions file beside those of the folder. Where both have a button of one name, that of the file,
 * which somebody named, is the one there is, and the other one is reported.
 */
import * as Effect from "effect/Effect"
import type { Button } from "../Button.js"
import * as ButtonCatalogue from "../ButtonCatalogue.js"
import { ButtonBroken } from "../ButtonError.js"
import type { ButtonProblem } from "../ButtonProblem.js"
import * as Following from "../internal/following.js"
import { quote } from "../internal/text.js"
import * as Slug from "../Slug.js"
import type { DefinedButton } from "./DefinedButton.js"
import type { Definitions } from "./Definitions.js"

type Catalogue = ButtonCatalogue.ButtonCatalogue["Type"]

export const make = (folder: Catalogue, definitions: Definitions["Type"]): Catalogue => {
  const find = (slug: string) =>
    Effect.map(definitions.current, ({ defined }) =>
      defined.buttons.find(({ button }) => button.slug === slug)
    )

  /** Why the button cannot be used. */
  const obstacle = ({
    button,
    column,
    file,
    line
  }: DefinedButton): Effect.Effect<ButtonProblem | undefined> =>
    button.codeFile === undefined
      ? Effect.succeed(undefined)
      : Effect.map(definitions.codeObstacle(button.codeFile), (message): ButtonProblem | undefined =>
          message === undefined
            ? undefined
            : { slug: button.slug, file, line, column, field: "file", severity: "error", message }
        )

  const list = Effect.gen(function* () {
    const { defined, hidden, problems } = yield* definitions.current
    const obstacles = yield* Effect.forEach(defined.buttons, obstacle, { concurrency: 8 })
    const usable = defined.buttons.filter((_, index) => obstacles[index] === undefined)
    const listing = merged(yield* folder.list, defined.buttons, usable, [
      ...problems,
      ...obstacles.flatMap((problem) => (problem === undefined ? [] : [problem]))
    ])
    return { ...listing, hidden: new Set([...listing.hidden, ...hidden]) }
  })

  return ButtonCatalogue.ButtonCatalogue.of({
    list,
    get: Effect.fnUntraced(function* (name: string) {
      const slug = Slug.fromName(name)
      const found = yield* find(slug)
      if (found === undefined) return yield* folder.get(name)
      const problem = yield* obstacle(found)
      if (problem === undefined) return found.button
      return yield* new ButtonBroken({ slug, mcpEnabled: found.button.mcpEnabled, problems: [problem] })
    }),
    note: (button) =>
      Effect.flatMap(find(button.slug), (found) =>
        found?.note === undefined ? folder.note(button) : Effect.succeed(found.note)
      ),
    follow: (listener) =>
      Following.follow(
        {
          watch: (signal) => {
            const changed = () => Effect.sync(signal)
            return Effect.as(Effect.zipRight(folder.follow(changed), definitions.follow(changed)), {
              refresh: Effect.void
            })
          },
          read: list,
          content: ButtonCatalogue.content
        },
        listener
      )
  })
}

const merged = (
  folder: ButtonCatalogue.Listing,
  defined: ReadonlyArray<DefinedButton>,
  usable: ReadonlyArray<DefinedButton>,
  problems: ReadonlyArray<ButtonProblem>
): ButtonCatalogue.Listing => {
  const slugs = new Set(defined.map(({ button }) => button.slug))
  const isOther = (slug: string) => !slugs.has(slug)
  const hidden = defined.flatMap(({ button }) => (button.mcpEnabled ? [] : [button.slug]))
  return {
    buttons: [
      ...folder.buttons.filter(({ slug }) => isOther(slug)),
      ...usable.map(({ button }) => button)
    ].sort(bySlug),
    problems: [...folder.problems.filter(isOfInterest), ...conflicts(folder, defined), ...problems],
    hidden: new Set([...[...folder.hidden].filter(isOther), ...hidden])
  }
}

/** Where a file has buttons, no folder is needed: one that nobody named may be absent without a word. */
const isOfInterest = ({ severity, slug }: ButtonProblem) => slug !== "" || severity === "error"

const bySlug = (one: Button, other: Button) => (one.slug < other.slug ? -1 : one.slug > other.slug ? 1 : 0)

const conflicts = (
  { buttons, hidden, problems }: ButtonCatalogue.Listing,
  defined: ReadonlyArray<DefinedButton>
): ReadonlyArray<ButtonProblem> => {
  const folders = new Map(buttons.map(({ relativeDirectory, slug }) => [slug, relativeDirectory]))
  const others = new Set([...hidden, ...problems.map(({ slug }) => slug)])
  return defined.flatMap(({ button: { slug }, file, line, column }): ReadonlyArray<ButtonProblem> => {
    const other = folders.get(slug) ?? (others.has(slug) ? slug : undefined)
    if (other === undefined) return []
    const message = `${quote(slug)} is also a folder, ${other} of the data folder; the one of this file is used, so rename one of them`
    return [{ slug, file, line, column, severity: "error", message }]
  })
}
