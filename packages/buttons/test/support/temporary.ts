/** Folders that are gone when the test's scope closes. */
import * as Fs from "node:fs/promises"
import * as Os from "node:os"
import * as Path from "node:path"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as Effect from "effect/Effect"

export const folder = Effect.acquireRelease(
  Effect.promise(async () => Fs.realpath(await Fs.mkdtemp(Path.join(Os.tmpdir(), "pushbutton-")))),
  (path) => Effect.promise(() => Fs.rm(path, { recursive: true, force: true }))
)

/** An empty data directory. */
export const dataDir = Effect.gen(function* () {
  const root = yield* folder
  const buttons = Path.join(root, "buttons")
  yield* Effect.promise(() => Fs.mkdir(buttons))
  const found: DataDir = { root, buttons, source: "explicit", passedOver: [] }
  return found
})

/** Writes files below a folder: paths to contents. */
export const write = (root: string, files: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    for (const [path, content] of Object.entries(files)) {
      const full = Path.join(root, path)
      await Fs.mkdir(Path.dirname(full), { recursive: true })
      await Fs.writeFile(full, content)
    }
  })

export const remove = (path: string) => Effect.promise(() => Fs.rm(path, { recursive: true }))

export const read = (...path: ReadonlyArray<string>) =>
  Effect.promise(() => Fs.readFile(Path.join(...path), "utf8"))

export const names = (...path: ReadonlyArray<string>) => Effect.promise(() => Fs.readdir(Path.join(...path)))
