/** Reading button folders from disk. Every read is bounded, and only regular files that are trusted are read. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Source } from "../Button.js"
import type { DataDir } from "../DataDir.js"
import * as Files from "./buttonFiles.js"
import * as Trust from "./fileTrust.js"
import * as NodeError from "./nodeError.js"
import * as Paths from "./paths.js"
import * as RegularFiles from "./regularFiles.js"

/** Why the folder of buttons has no names to give. */
export interface Unreadable {
  /** Relative to the data directory. */
  readonly folder: string
  readonly isAbsent: boolean
  readonly detail: string
}

/** Names of the folders in the folder of buttons; hidden ones and plain files are no buttons. */
export const names = (dataDir: DataDir): Effect.Effect<Names> => Effect.sync(() => listNames(dataDir))

type Names = Either.Either<ReadonlyArray<string>, Unreadable>

const listNames = (dataDir: DataDir): Names => {
  try {
    const entries = Fs.readdirSync(dataDir.buttons, { withFileTypes: true })
    return Either.right(
      entries
        .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith("."))
        .map((entry) => entry.name)
    )
  } catch (error) {
    const code = NodeError.code(error)
    const isAbsent = code === "ENOENT"
    return Either.left({
      folder: Paths.relative(dataDir.root, dataDir.buttons) || ".",
      isAbsent,
      detail: isAbsent ? "does not exist" : `cannot be read: ${code}`
    })
  }
}

/**
 * Whether `names` has the slug. It is asked of the disk by its name, and all names are read only where that says nothing: a
 * disk that does not tell cases apart must not find more.
 */
export const has = (dataDir: DataDir, slug: string): Either.Either<boolean, Unreadable> => {
  const found = entry(Path.join(dataDir.buttons, slug))
  const shouted = entry(Path.join(dataDir.buttons, slug.toUpperCase()))
  const isExact =
    slug !== "" && found !== undefined && (slug === slug.toUpperCase() || found.ino !== shouted?.ino)
  if (isExact && (found.isDirectory() || found.isSymbolicLink())) return Either.right(true)
  return Either.map(listNames(dataDir), (all) => all.includes(slug))
}

const entry = (path: string): Fs.Stats | undefined => {
  try {
    return Fs.lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** One button folder. `slug` must be a name that `names` gave. */
export const read = (dataDir: DataDir, slug: string): Effect.Effect<Source> =>
  Effect.sync(() => readNow(dataDir, slug))

export const readNow = (dataDir: DataDir, slug: string): Source => {
  const directory = Path.join(dataDir.buttons, slug)
  const place = { slug, directory, relativeDirectory: Paths.relative(dataDir.root, directory) }
  const nothing = (reason: string): Source => ({ ...place, text: Either.left(reason), files: new Set() })
  try {
    const stats = Fs.lstatSync(directory)
    if (stats.isSymbolicLink()) return nothing("the folder is a symbolic link; a button must be a folder")
    const owners = Trust.owners(dataDir.buttons)
    const reason = Trust.distrust(stats, owners)
    if (reason !== undefined) return nothing(`the folder ${reason}`)
    const trusted: Trusted = { root: dataDir.root, owners }
    return { ...place, text: text(trusted, directory, definition), ...usable(trusted, directory) }
  } catch (error) {
    return nothing(`cannot be read: ${NodeError.code(error)}`)
  }
}

const definition = "button.json"

/** The text of a file of a button's folder without its byte order mark, or why there is none. */
export const readText = (dataDir: DataDir, directory: string, name: string): Either.Either<string, string> =>
  text({ root: dataDir.root, owners: Trust.owners(dataDir.buttons) }, directory, name)

interface Trusted {
  /** Links may lead anywhere in it, and nowhere else. */
  readonly root: string
  readonly owners: Trust.Owners
}

const text = (trusted: Trusted, directory: string, name: string): Either.Either<string, string> => {
  const path = Path.join(directory, name)
  return Either.map(
    RegularFiles.read(path, (stats) => obstacle(trusted, path, stats)),
    RegularFiles.toText
  )
}

const obstacle = (trusted: Trusted, path: string, stats: Trust.Stats): string | undefined => {
  const isLink = Fs.lstatSync(path).isSymbolicLink()
  if (isLink && !Trust.leadsInto(trusted.root, path))
    return "is a symbolic link that leads out of the data folder"
  return Trust.distrust(stats, trusted.owners)
}

/** Which of the files that a press reads are there, and which of them must not be used. */
const usable = (trusted: Trusted, directory: string): Pick<Source, "files" | "refused"> => {
  const files = new Set<string>()
  const refused = new Map<string, string>()
  for (const { name } of Fs.readdirSync(directory, { withFileTypes: true })) {
    if (!Files.names.has(name)) continue
    const path = Path.join(directory, name)
    const stats = target(path)
    if (stats === undefined) continue
    const reason = obstacle(trusted, path, stats)
    if (reason === undefined) files.add(name)
    else refused.set(name, reason)
  }
  return { files, refused }
}

/** Of the file at the end of all links; undefined when there is none. */
const target = (path: string): Trust.Stats | undefined => {
  try {
    const stats = Fs.statSync(path)
    return stats.isFile() ? stats : undefined
  } catch {
    return undefined
  }
}

/**
 * What a reading of a folder depends on, as a text that changes whenever that does; undefined where it cannot be told by
 * looking: where links are involved, or something changed just now and may change again within the grain of its time.
 */
export const identity = (dataDir: DataDir, slug: string, nowMillis: number): string | undefined => {
  const directory = Path.join(dataDir.buttons, slug)
  try {
    let text = `${Fs.statSync(dataDir.buttons).uid}`
    for (const name of readNames) {
      const stats = Fs.lstatSync(`${directory}${name}`, { throwIfNoEntry: false })
      if (stats === undefined) text += "\n"
      else if (stats.isSymbolicLink() || nowMillis - stats.ctimeMs < grainMillis) return undefined
      else
        text += `\n${stats.dev} ${stats.ino} ${stats.mode} ${stats.uid} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`
    }
    return text
  } catch {
    return undefined
  }
}

/** The folder itself, and what is read of it. */
const readNames = ["", ...[definition, ...Files.names].map((name) => `${Path.sep}${name}`)]

/** The coarsest time stamps in use are those of FAT. */
const grainMillis = 2_000
