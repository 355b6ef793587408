/** What the process knows of its surroundings. Each of them may be missing, and none of that is a reason to die. */
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Effect from "effect/Effect"
import type { Entry, Facts } from "../DataDir.js"
import * as NodeError from "./nodeError.js"
import * as Paths from "./paths.js"

const known = <A>(ask: () => A): A | undefined => {
  try {
    return ask()
  } catch {
    return undefined
  }
}

/** Undefined when it was removed. */
export const workingDirectory: Effect.Effect<string | undefined> = Effect.sync(() =>
  known(() => process.cwd())
)

export type Environment = Readonly<Record<string, string | undefined>>

export const environment: Effect.Effect<Environment> = Effect.sync(() => ({
  ...process.env
}))

/** What programs are started with; a working directory that is relative is relative to that of this process. */
export const surroundings = ({
  workingDirectory: given = ""
}: {
  readonly workingDirectory?: string | undefined
}) =>
  Effect.map(Effect.all([environment, workingDirectory]), ([environment, cwd]) => ({
    environment,
    workingDirectory:
      cwd === undefined && !Paths.isAbsolute(given) ? undefined : Paths.resolve(cwd ?? "/", given)
  }))

export const gather: Effect.Effect<Facts> = Effect.map(workingDirectory, (cwd) => ({
  cwd,
  buttonsHome: process.env["BUTTONS_HOME"],
  home: known(Os.homedir),
  look: (path) => known(() => look(path)) ?? "none"
}))

const look = (path: string): Entry => {
  const stats = Fs.statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return "none"
  if (!stats.isDirectory()) return stats.isFile() ? "file" : "none"
  const user = process.getuid?.()
  return user === undefined || stats.uid === user || stats.uid === 0 ? "folder" : "foreign folder"
}

/** What a folder is needed for: only to reach what is in it, or to list it too. */
export type Need = "enter" | "list"

/** Why a folder is of no use; undefined for one that is, and for one that is not there. */
export const obstacle = (folder: string, need: Need): string | undefined => {
  try {
    if (!Fs.statSync(folder).isDirectory()) return "is not a folder"
    Fs.accessSync(folder, Fs.constants.X_OK | (need === "list" ? Fs.constants.R_OK : 0))
    return undefined
  } catch (error) {
    const code = NodeError.code(error)
    return code === "ENOENT" ? undefined : (obstacles.get(code) ?? `cannot be read: ${code}`)
  }
}

const obstacles: ReadonlyMap<string, string> = new Map([
  ["EACCES", "may not be read by this user"],
  ["EPERM", "may not be read by this user"],
  ["ENOTDIR", "is inside of a file"]
])
