/**
 * The buttons that exist. Every call looks at them afresh, so an edit counts at once; a broken folder is reported and
 * hides no other.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Button from "./Button.js"
import { ButtonBroken, ButtonNotFound, CatalogueUnreadable, PromptUnreadable } from "./ButtonError.js"
import type { ButtonProblem } from "./ButtonProblem.js"
import { type DataDir, isNamed } from "./DataDir.js"
import * as Files from "./internal/buttonFiles.js"
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
 * Looks at the folder at every call, and reads again what has changed. Files larger than 1 MiB, symbolic links in place of
 * folders, and files that somebody else could change are refused.
 */
export const layerFileSystem = (dataDir: DataDir): Layer.Layer<ButtonCatalogue> =>
  Layer.sync(ButtonCatalogue, () => makeFileSystem(dataDir))

export const makeFileSystem = (dataDir: DataDir): ButtonCatalogue["Type"] => {
  const loader = makeLoader(dataDir)
  const list = listFolder(dataDir, loader)
  return ButtonCatalogue.of({
    list,
    get: Effect.fnUntraced(function* (name: string) {
      const slug = Slug.fromName(name)
      const isThere = ButtonFolders.has(dataDir, slug)
      if (Either.isLeft(isThere)) {
        const { detail, folder } = isThere.left
        return yield* mayComeLater(isThere.left, dataDir)
          ? new ButtonNotFound({ name })
          : new CatalogueUnreadable({ folder, detail })
      }
      if (!isThere.right) return yield* new ButtonNotFound({ name })
      const { button, mcpEnabled, problems } = loader.load(slug, yield* Clock.currentTimeMillis)
      return button ?? (yield* new ButtonBroken({ slug, mcpEnabled, problems }))
    }),
    note: (button) =>
      Effect.suspend(() => {
        if (button.noteFile === undefined) return noNote(button)
        const text = ButtonFolders.readText(dataDir, button.directory, button.noteFile)
        return Either.isLeft(text) ? noNote(button, text.left) : Effect.succeed(text.right)
      }),
    follow: (listener) =>
      Following.follow(
        {
          watch: (signal) =>
            FolderWatch.make({ folder: dataDir.buttons, deep: true, counts: Files.counts }, signal),
          read: list,
          content
        },
        listener
      )
  })
}

interface Loaded extends Button.Decoded {
  readonly slug: string
}

/** Remembers what was read, as long as nothing of it has changed. */
interface Loader {
  readonly load: (slug: string, nowMillis: number) => Loaded
  /** Of other buttons it remembers nothing. */
  readonly keep: (slugs: ReadonlyArray<string>) => void
}

const makeLoader = (dataDir: DataDir): Loader => {
  const known = new Map<string, { readonly identity: string; readonly loaded: Loaded }>()
  return {
    load: (slug, nowMillis) => {
      const identity = ButtonFolders.identity(dataDir, slug, nowMillis)
      const found = known.get(slug)
      if (found !== undefined && found.identity === identity) return found.loaded
      const loaded = { slug, ...Button.decode(ButtonFolders.readNow(dataDir, slug)) }
      if (identity === undefined) known.delete(slug)
      else known.set(slug, { identity, loaded })
      return loaded
    },
    keep: (slugs) => {
      const kept = new Set(slugs)
      for (const slug of known.keys()) if (!kept.has(slug)) known.delete(slug)
    }
  }
}

/** As many are read before others have their turn. */
const slice = 32

const listFolder = (dataDir: DataDir, { keep, load }: Loader): Effect.Effect<Listing> =>
  Effect.gen(function* () {
    const names = yield* ButtonFolders.names(dataDir)
    if (Either.isLeft(names))
      return { buttons: [], problems: [problemOf(names.left, dataDir)], hidden: new Set() }
    keep(names.right)
    const now = yield* Clock.currentTimeMillis
    const loaded: Array<Loaded> = []
    for (const [index, name] of [...names.right].sort().entries()) {
      if (index % slice === slice - 1) yield* Effect.yieldNow()
      loaded.push(load(name, now))
    }
    return {
      buttons: loaded.flatMap(({ button }) => (button === undefined ? [] : [button])),
      problems: loaded.flatMap(({ problems }) => problems),
      hidden: new Set(loaded.flatMap(({ mcpEnabled, slug }) => (mcpEnabled === false ? [slug] : [])))
    }
  })

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

/** The same as `get`, except that an MCP caller cannot tell a button that is not for it from one that does not exist. */
export const getVisible = (
  catalogue: ButtonCatalogue["Type"],
  name: string,
  caller: Caller
): Effect.Effect<Button.Button, GetFailure> => {
  if (caller !== "mcp") return catalogue.get(name)
  const absent = () => new ButtonNotFound({ name })
  return Effect.flatMap(
    Effect.mapError(catalogue.get(name), (error) =>
      error._tag === "ButtonBroken" && error.mcpEnabled === false ? absent() : error
    ),
    (button) => (button.mcpEnabled ? Effect.succeed(button) : absent())
  )
}

const noNote = (button: Button.Button, detail = "it is missing") =>
  new PromptUnreadable({
    slug: button.slug,
    file: `${button.relativeDirectory}/${button.noteFile ?? "AGENTS.md"}`,
    detail
  })
