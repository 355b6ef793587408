/** Finding a program the way a shell does, except that relative entries of PATH are passed over. */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"

/** The first of the names that is an executable file: an absolute path, or undefined. */
export const find = (
  names: ReadonlyArray<string>,
  path: string | undefined
): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    const folders = (path ?? "").split(Path.delimiter).filter((folder) => Path.isAbsolute(folder))
    for (const name of names) {
      const places = Path.isAbsolute(name) ? [name] : folders.map((folder) => Path.join(folder, name))
      for (const place of places) if (await isProgram(place)) return place
    }
    return undefined
  })

const isProgram = async (path: string): Promise<boolean> => {
  try {
    await Fs.access(path, Fs.constants.X_OK)
    return (await Fs.stat(path)).isFile()
  } catch {
    return false
  }
}
