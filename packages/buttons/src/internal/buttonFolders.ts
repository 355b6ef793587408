/** Reading button folders from disk. Every read is bounded, and only regular files are opened. */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Source } from "../Button.js"
import type { DataDir } from "../DataDir.js"
import * as NodeError from "./nodeError.js"
import * as Paths from "./paths.js"

export const maxFileBytes = 1_048_576

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
    try {
      if ((await Fs.lstat(directory)).isSymbolicLink()) {
        return {
          ...place,
          text: Either.left("the folder is a symbolic link; a button must be a folder"),
          files: none
        }
      }
      return { ...place, text: await text(directory, "button.json"), files: await regularFiles(directory) }
    } catch (error) {
      return { ...place, text: Either.left(`cannot be read: ${NodeError.code(error)}`), files: none }
    }
  })

/** The text of a file without its byte order mark, or why there is none. */
export const readText = (directory: string, name: string): Effect.Effect<Either.Either<string, string>> =>
  Effect.promise(() => text(directory, name))

const none: ReadonlySet<string> = new Set()

const text = async (directory: string, name: string): Promise<Either.Either<string, string>> => {
  try {
    const path = Path.join(directory, name)
    const stats = await Fs.stat(path)
    if (!stats.isFile()) return Either.left("is not a file")
    if (stats.size > maxFileBytes) return Either.left(`is larger than ${maxFileBytes} bytes`)
    const content = await Fs.readFile(path, "utf8")
    return Either.right(content.startsWith("\uFEFF") ? content.slice(1) : content)
  } catch (error) {
    const code = NodeError.code(error)
    return Either.left(code === "ENOENT" ? "is missing" : `cannot be read: ${code}`)
  }
}

const regularFiles = async (directory: string): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  for (const entry of await Fs.readdir(directory, { withFileTypes: true })) {
    if (entry.isFile()) found.add(entry.name)
    else if (entry.isSymbolicLink() && (await leadsToFile(Path.join(directory, entry.name))))
      found.add(entry.name)
  }
  return found
}

const leadsToFile = async (path: string): Promise<boolean> => {
  try {
    return (await Fs.stat(path)).isFile()
  } catch {
    return false
  }
}
