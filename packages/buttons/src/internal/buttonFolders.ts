/** Reading button folders from disk. Every read is bounded, and only regular files that are trusted are read. */
import * as Fs from "node:fs/promises"
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
export const names = (dataDir: DataDir): Effect.Effect<Either.Either<ReadonlyArray<string>, Unreadable>> =>
  Effect.promise(async () => {
    try {
      const entries = await Fs.readdir(dataDir.buttons, { withFileTypes: true })
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
  })

/** One button folder. `slug` must be a name that `names` gave. */
export const read = (dataDir: DataDir, slug: string): Effect.Effect<Source> =>
  Effect.promise(async () => {
    const directory = Path.join(dataDir.buttons, slug)
    const place = { slug, directory, relativeDirectory: Paths.relative(dataDir.root, directory) }
    const nothing = (reason: string): Source => ({ ...place, text: Either.left(reason), files: new Set() })
    try {
      const stats = await Fs.lstat(directory)
      if (stats.isSymbolicLink()) return nothing("the folder is a symbolic link; a button must be a folder")
      const owners = await Trust.owners(dataDir.buttons)
      const reason = Trust.distrust(stats, owners)
      if (reason !== undefined) return nothing(`the folder ${reason}`)
      const trusted: Trusted = { root: dataDir.root, owners }
      return {
        ...place,
        text: await text(trusted, directory, "button.json"),
        ...(await usable(trusted, directory))
      }
    } catch (error) {
      return nothing(`cannot be read: ${NodeError.code(error)}`)
    }
  })

/** The text of a file of a button's folder without its byte order mark, or why there is none. */
export const readText = (
  dataDir: DataDir,
  directory: string,
  name: string
): Effect.Effect<Either.Either<string, string>> =>
  Effect.promise(async () =>
    text({ root: dataDir.root, owners: await Trust.owners(dataDir.buttons) }, directory, name)
  )

interface Trusted {
  /** Links may lead anywhere in it, and nowhere else. */
  readonly root: string
  readonly owners: Trust.Owners
}

const text = async (
  trusted: Trusted,
  directory: string,
  name: string
): Promise<Either.Either<string, string>> => {
  const path = Path.join(directory, name)
  return Either.map(
    await RegularFiles.read(path, (stats) => obstacle(trusted, path, stats)),
    RegularFiles.toText
  )
}

const obstacle = async (trusted: Trusted, path: string, stats: Trust.Stats): Promise<string | undefined> => {
  const isLink = (await Fs.lstat(path)).isSymbolicLink()
  if (isLink && !(await Trust.leadsInto(trusted.root, path)))
    return "is a symbolic link that leads out of the data folder"
  return Trust.distrust(stats, trusted.owners)
}

/** Which of the files that a press reads are there, and which of them must not be used. */
const usable = async (trusted: Trusted, directory: string): Promise<Pick<Source, "files" | "refused">> => {
  const files = new Set<string>()
  const refused = new Map<string, string>()
  for (const entry of await Fs.readdir(directory, { withFileTypes: true })) {
    if (!Files.names.has(entry.name) || !(entry.isFile() || entry.isSymbolicLink())) continue
    const path = Path.join(directory, entry.name)
    const stats = await target(path)
    if (stats === undefined) continue
    const reason = await obstacle(trusted, path, stats)
    if (reason === undefined) files.add(entry.name)
    else refused.set(entry.name, reason)
  }
  return { files, refused }
}

/** Of the file at the end of all links; undefined when there is none. */
const target = async (path: string): Promise<Trust.Stats | undefined> => {
  try {
    const stats = await Fs.stat(path)
    return stats.isFile() ? stats : undefined
  } catch {
    return undefined
  }
}
