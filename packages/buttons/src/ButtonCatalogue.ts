/**
 * The buttons that exist. Every call reads them afresh, so an edit counts at once; a broken folder is reported and
 * hides no other.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Button from "./Button.js"
import { ButtonBroken, ButtonNotFound, CatalogueUnreadable, PromptUnreadable } from "./ButtonError.js"
import type { ButtonProblem } from "./ButtonProblem.js"
import { type DataDir, isNamed } from "./DataDir.js"
import * as ButtonFolders from "./internal/buttonFolders.js"
import * as FolderWatch from "./internal/folderWatch.js"
import * as Following from "./internal/following.js"
import type { Caller } from "./PressResult.js"
import * as Slug from "./Slug.js"

export interface Listing {
  /** Sorted by slug. A button whose code file or note is missing is listed, and also has a problem. */
  readonly buttons: ReadonlyArray<Button.Button>
  readonly problems: ReadonlyArray<ButtonProblem>
  /** Slugs, usable or not, whose definition keeps them from MCP callers. */
  readonly hidden: ReadonlySet<string>
}

export type GetFailure = ButtonNotFound | ButtonBroken | CatalogueUnreadable

export class ButtonCatalogue extends Context.Tag("@pushbutton/buttons/ButtonCatalogue")<
  ButtonCatalogue,
  {
    readonly list: Effect.Effect<Listing>
    /** Any spelling that slugifies to a button's name finds it; no spelling reaches outside the folder. */
    readonly get: (name: string) => Effect.Effect<Button.Button, GetFailure>
    /** The text of a button's note. */
    readonly note: (button: Button.Button) => Effect.Effect<string, PromptUnreadable>
    /**
     * Calls the listener with what is listed, and again after each change of it, for as long as the scope lives.
     * Completes when the first call has. Changes that come close together are one, a change that comes back is none,
     * and calls never overlap. What is in a code file or a note is not listed. Without a listener nothing is watched.
     */
    readonly follow: (
      listener: (listing: Listing) => Effect.Effect<void>
    ) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

/**
 * Reads the folder at every call. Files larger than 1 MiB, symbolic links in place of folders, and files that somebody
 * else could change are refused.
 */
export const layerFileSystem = (dataDir: DataDir): Layer.Layer<ButtonCatalogue> => {
  const list = listFolder(dataDir)
  return Layer.succeed(
    ButtonCatalogue,
    ButtonCatalogue.of({
      list,
      get: Effect.fnUntraced(function* (name: string) {
        const slug = Slug.fromName(name)
        const names = yield* ButtonFolders.names(dataDir)
        if (Either.isLeft(names)) {
          const { detail, folder } = names.left
          return yield* mayComeLater(names.left, dataDir)
            ? new ButtonNotFound({ name })
            : new CatalogueUnreadable({ folder, detail })
        }
        // Only names that the folder itself lists are opened: a case-insensitive disk must not find more.
        if (!names.right.includes(slug)) return yield* new ButtonNotFound({ name })
        const { button, mcpEnabled, problems } = yield* load(dataDir, slug)
        return button ?? (yield* new ButtonBroken({ slug, mcpEnabled, problems }))
      }),
      note: (button) =>
        button.noteFile === undefined
          ? noNote(button)
          : Effect.flatMap(ButtonFolders.readText(dataDir, button.directory, button.noteFile), (text) =>
              Either.isLeft(text) ? noNote(button, text.left) : Effect.succeed(text.right)
            ),
      follow: (listener) =>
        Following.follow(
          {
            watch: (signal) => FolderWatch.make({ folder: dataDir.buttons, deep: true }, signal),
            read: list,
            content
          },
          listener
        )
    })
  )
}

const listFolder = (dataDir: DataDir): Effect.Effect<Listing> =>
  Effect.flatMap(ButtonFolders.names(dataDir), (names) =>
    Either.isLeft(names)
      ? Effect.succeed({ buttons: [], problems: [problemOf(names.left, dataDir)], hidden: new Set() })
      : Effect.map(
          Effect.forEach([...names.right].sort(), (name) => load(dataDir, name), { concurrency: 8 }),
          (loaded) => ({
            buttons: loaded.flatMap(({ button }) => (button === undefined ? [] : [button])),
            problems: loaded.flatMap(({ problems }) => problems),
            hidden: new Set(loaded.flatMap(({ mcpEnabled, slug }) => (mcpEnabled === false ? [slug] : [])))
          })
        )
  )

/** Two listings with the same content are one. */
export const content = ({ buttons, hidden, problems }: Listing): string =>
  JSON.stringify([buttons, problems, [...hidden].sort()])

/** Who named a folder meant one that is there; one that is looked for by default may come later. */
const mayComeLater = ({ isAbsent }: ButtonFolders.Unreadable, dataDir: DataDir) =>
  isAbsent && !isNamed(dataDir)

const problemOf = (unreadable: ButtonFolders.Unreadable, dataDir: DataDir): ButtonProblem => ({
  slug: "",
  file: unreadable.folder,
  severity: mayComeLater(unreadable, dataDir) ? "warning" : "error",
  message: unreadable.isAbsent ? `the folder of buttons ${unreadable.detail}` : unreadable.detail
})

export interface Memory {
  readonly buttons: ReadonlyArray<Button.Button>
  /** A slug with an error among its problems and no button is broken. */
  readonly problems?: ReadonlyArray<ButtonProblem>
  /** Texts of notes by slug. */
  readonly notes?: Readonly<Record<string, string>>
}

export const layerMemory = ({ buttons, notes = {}, problems = [] }: Memory): Layer.Layer<ButtonCatalogue> => {
  const bySlug = new Map(buttons.map((button) => [button.slug, button]))
  const sorted = [...bySlug.keys()].sort().flatMap((slug) => bySlug.get(slug) ?? [])
  const listing: Listing = {
    buttons: sorted,
    problems,
    hidden: new Set(sorted.filter(({ mcpEnabled }) => !mcpEnabled).map(({ slug }) => slug))
  }
  return Layer.succeed(
    ButtonCatalogue,
    ButtonCatalogue.of({
      list: Effect.succeed(listing),
      get: (name) => {
        const slug = Slug.fromName(name)
        const button = bySlug.get(slug)
        if (button !== undefined) return Effect.succeed(button)
        const own = problems.filter((problem) => problem.slug === slug)
        return own.length === 0
          ? new ButtonNotFound({ name })
          : new ButtonBroken({ slug, mcpEnabled: undefined, problems: own })
      },
      note: (button) => {
        const text = Object.hasOwn(notes, button.slug) ? notes[button.slug] : undefined
        return text === undefined ? noNote(button) : Effect.succeed(text)
      },
      follow: (listener) => listener(listing)
    })
  )
}

const load = (dataDir: DataDir, slug: string) =>
  Effect.map(ButtonFolders.read(dataDir, slug), (source) => ({ slug, ...Button.decode(source) }))

/** The same as `get`, except that an MCP caller cannot tell a button that is not for it from one that does not exist. */
export const getVisible = (
  catalogue: ButtonCatalogue["Type"],
  name: string,
  caller: Caller
): Effect.Effect<Button.Button, GetFailure> => {
  if (caller !== "mcp") return catalogue.get(name)
  const absent = new ButtonNotFound({ name })
  return Effect.flatMap(
    Effect.mapError(catalogue.get(name), (error) =>
      error._tag === "ButtonBroken" && error.mcpEnabled === false ? absent : error
    ),
    (button) => (button.mcpEnabled ? Effect.succeed(button) : absent)
  )
}

const noNote = (button: Button.Button, detail = "it is missing") =>
  new PromptUnreadable({
    slug: button.slug,
    file: `${button.relativeDirectory}/${button.noteFile ?? "AGENTS.md"}`,
    detail
  })
