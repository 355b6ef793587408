/**
 * Which folder of buttons is served. One is active: an explicit folder, else BUTTONS_HOME, else the nearest ancestor's
 * `.buttons`, else `~/.buttons`. Resolved once, to absolute paths.
 */
import * as Effect from "effect/Effect"
import * as HostFacts from "./internal/hostFacts.js"
import * as Paths from "./internal/paths.js"

export interface DataDir {
  /** What the paths in problems are relative to. */
  readonly root: string
  /** The folder whose folders are buttons. */
  readonly buttons: string
  readonly source: "explicit" | "environment" | "ancestor" | "home"
  /** `.buttons` folders of ancestors that were passed over because they belong to another user. */
  readonly passedOver: ReadonlyArray<string>
}

/** What is at a path: nothing usable, a folder, or a folder that another user (not root) owns. */
export type Entry = "none" | "file" | "folder" | "foreign folder"

export interface Facts {
  readonly cwd: string
  /** The value of BUTTONS_HOME. */
  readonly buttonsHome: string | undefined
  readonly home: string
  readonly look: (path: string) => Entry
}

/**
 * The decision, over facts. An explicit folder is either a data directory, which holds a `buttons` folder, or directly
 * a folder of button folders; a `buttons` folder that is itself a button makes it the latter.
 */
export const decide = (explicit: string | undefined, facts: Facts): DataDir => {
  if (explicit !== undefined) {
    const root = Paths.resolve(facts.cwd, explicit)
    const buttons = Paths.join(root, "buttons")
    const isDataDir =
      isFolder(facts.look(buttons)) && facts.look(Paths.join(buttons, "button.json")) !== "file"
    return { root, buttons: isDataDir ? buttons : root, source: "explicit", passedOver: [] }
  }
  if (facts.buttonsHome !== undefined && facts.buttonsHome !== "") {
    return dataDir(Paths.resolve(facts.cwd, facts.buttonsHome), "environment", [])
  }
  const passedOver: Array<string> = []
  for (const ancestor of Paths.ancestors(facts.cwd)) {
    const candidate = Paths.join(ancestor, ".buttons")
    const entry = facts.look(candidate)
    if (entry === "folder") return dataDir(candidate, "ancestor", passedOver)
    // Anyone may create /tmp/.buttons; its scripts must not run because someone works below /tmp.
    if (entry === "foreign folder") passedOver.push(candidate)
  }
  return dataDir(Paths.join(facts.home, ".buttons"), "home", passedOver)
}

/** Decides from the process's own directory, environment and home. */
export const resolve = (explicit: string | undefined): Effect.Effect<DataDir> =>
  Effect.map(HostFacts.gather, (facts) => decide(explicit, facts))

const isFolder = (entry: Entry): boolean => entry === "folder" || entry === "foreign folder"

const dataDir = (root: string, source: DataDir["source"], passedOver: ReadonlyArray<string>): DataDir => ({
  root,
  buttons: Paths.join(root, "buttons"),
  source,
  passedOver
})
