/** The definitions file and what it names, on disk. */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FileIdentity from "./fileIdentity.js"
import * as Trust from "./fileTrust.js"
import * as NodeError from "./nodeError.js"
import * as RegularFiles from "./regularFiles.js"

export const identity = (path: string): Effect.Effect<string> => Effect.promise(() => FileIdentity.of(path))

/** What a definitions file holds, which decides what is run; left is why it is not read. */
export const read = (path: string): Effect.Effect<Either.Either<Uint8Array, string>> =>
  Effect.sync(() => {
    const owners = Trust.owners(path)
    return RegularFiles.read(path, (stats) => Trust.distrust(stats, owners))
  })

/** Why the file of a button's code cannot be run; undefined when it can. `path` is that of the definitions file. */
export const codeObstacle = (path: string, code: string): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    try {
      const stats = await Fs.stat(Path.resolve(Path.dirname(path), code))
      return stats.isFile() ? Trust.distrust(stats, Trust.owners(path)) : "is not a file"
    } catch (error) {
      const found = NodeError.code(error)
      return found === "ENOENT" ? "is missing: it holds the button's code" : `cannot be read: ${found}`
    }
  })

/** What a resource is: text where it is UTF-8, else bytes. Left: why there is none. */
export const content = (path: string): Effect.Effect<Either.Either<string | Uint8Array, string>> =>
  Effect.sync(() =>
    Either.map(RegularFiles.read(path), (bytes) => {
      try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
      } catch {
        return new Uint8Array(bytes)
      }
    })
  )
