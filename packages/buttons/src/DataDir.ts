/**
 * Which folder of buttons is served. One is active: an explicit folder, else BUTTONS_HOME, else the nearest ancestor's
 * `.buttons`, else `~/.buttons`. Resolved once, to absolute paths.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as HostFacts from "./internal/hostFacts.js"
import * as Paths from "./internal/paths.js"
import * as Printable from "./Printable.js"

export interface DataDir {
  /** What the paths in problems are relative to. */
  readonly root: string
  /** The folder whose folders are buttons. */
  readonly buttons: string
  readonly source: "explicit" | "environment" | "ancestor" | "home"
  /** `.buttons` folders of ancestors that were passed over because they belong to another user. */
  readonly passedOver: ReadonlyArray<string>
}

/** No folder can be served, and waiting does not help: it cannot be told, or what is there is no folder to read. */
export class DataDirUnusable extends Data.TaggedError("DataDirUnusable")<{
  /** As it was named or found. */
  readonly folder: string
  readonly detail: string
}> {
  override get message() {
    return Printable.line(`${this.folder} ${this.detail}`)
  }
}

/** Whether someone asked for this folder, so that its absence is a mistake. */
export const isNamed = ({ source }: DataDir): boolean => source === "explicit" || source === "environment"

/** What is at a path: nothing usable, a folder, or a folder that another user (not root) owns. */
export type Entry = "none" | "file" | "folder" | "foreign folder"

export interface Facts {
  /** Undefined when it was removed. */
  readonly cwd: string | undefined
  /** The value of BUTTONS_HOME. */
  readonly buttonsHome: string | undefined
  /** Undefined when the user has none. */
  readonly home: string | undefined
  readonly look: (path: string) => Entry
}

/**
 * The decision, over facts. An explicit folder is either a data directory, which holds a `buttons` folder, or directly
 * a folder of button folders; a `buttons` folder that is itself a button makes it the latter.
 */
export const decide = (
  explicit: string | undefined,
  facts: Facts
): Either.Either<DataDir, DataDirUnusable> => {
  if (explicit !== undefined) {
    return Either.flatMap(absolute(explicit, facts), (root) => decideExplicit(root, facts))
  }
  if (facts.buttonsHome !== undefined && facts.buttonsHome !== "") {
    return Either.map(absolute(facts.buttonsHome, facts), (root) => dataDir(root, "environment", []))
  }
  const passedOver: Array<string> = []
  for (const ancestor of facts.cwd === undefined ? [] : Paths.ancestors(facts.cwd)) {
    const candidate = Paths.join(ancestor, ".buttons")
    const entry = facts.look(candidate)
    if (entry === "folder") return Either.right(dataDir(candidate, "ancestor", passedOver))
    // Anyone may create /tmp/.buttons; its scripts must not run because someone works below /tmp.
    if (entry === "foreign folder") passedOver.push(candidate)
  }
  return facts.home === undefined
    ? Either.left(new DataDirUnusable({ folder: "~/.buttons", detail: "cannot be found: there is no home" }))
    : Either.right(dataDir(Paths.join(facts.home, ".buttons"), "home", passedOver))
}

const absolute = (folder: string, { cwd }: Facts): Either.Either<string, DataDirUnusable> => {
  if (cwd !== undefined) return Either.right(Paths.resolve(cwd, folder))
  return Paths.isAbsolute(folder)
    ? Either.right(Paths.resolve(folder))
    : Either.left(
        new DataDirUnusable({ folder, detail: "cannot be found: the working directory does not exist" })
      )
}

/** Of a path that somebody named. */
export const absolutePath = (path: string): Effect.Effect<string, DataDirUnusable> =>
  Effect.flatMap(HostFacts.gather, (facts) => absolute(path, facts))

const decideExplicit = (root: string, facts: Facts): Either.Either<DataDir, DataDirUnusable> => {
  const buttons = Paths.join(root, "buttons")
  const isButton = (folder: string) => facts.look(Paths.join(folder, "button.json")) === "file"
  if (isButton(root)) {
    const detail = `is a button itself; name the folder that it is in, ${Paths.dirname(root)}`
    return Either.left(new DataDirUnusable({ folder: root, detail }))
  }
  const isDataDir = isFolder(facts.look(buttons)) && !isButton(buttons)
  return Either.right({ root, buttons: isDataDir ? buttons : root, source: "explicit", passedOver: [] })
}

/**
 * Decides from the process's own directory, environment and home. A folder that does not exist may come later; one that
 * is a file, or that may not be read, is refused.
 */
export const resolve = (explicit: string | undefined): Effect.Effect<DataDir, DataDirUnusable> =>
  Effect.flatMap(HostFacts.gather, (facts) =>
    Effect.flatMap(decide(explicit, facts), (found) => {
      const { buttons, root } = found
      const rootDetail = HostFacts.obstacle(root, "enter")
      if (rootDetail !== undefined) return new DataDirUnusable({ folder: root, detail: rootDetail })
      const detail = HostFacts.obstacle(buttons, "list")
      return detail === undefined ? Effect.succeed(found) : new DataDirUnusable({ folder: buttons, detail })
    })
  )

const isFolder = (entry: Entry): boolean => entry === "folder" || entry === "foreign folder"

const dataDir = (root: string, source: DataDir["source"], passedOver: ReadonlyArray<string>): DataDir => ({
  root,
  buttons: Paths.join(root, "buttons"),
  source,
  passedOver
})
