/** Finding a program the way a shell does, except that relative entries of PATH are passed over. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Effect from "effect/Effect"

/** The first of the names that is an executable file: an absolute path, or undefined. */
export const find = (
  names: ReadonlyArray<string>,
  path: string | undefined
): Effect.Effect<string | undefined> =>
  Effect.sync(() => {
    const folders = (path ?? "").split(Path.delimiter).filter((folder) => Path.isAbsolute(folder))
    for (const name of names) {
      const places = Path.isAbsolute(name) ? [name] : folders.map((folder) => Path.join(folder, name))
      for (const place of places) if (isProgram(place)) return place
    }
    return undefined
  })

const isProgram = (path: string): boolean => {
  try {
    if (Fs.statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
    Fs.accessSync(path, Fs.constants.X_OK)
    return true
  } catch {
    return false
  }
}
