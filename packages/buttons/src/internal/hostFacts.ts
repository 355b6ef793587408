/** What the process knows of its surroundings. */
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Effect from "effect/Effect"
import type { Entry, Facts } from "../DataDir.js"

export const gather: Effect.Effect<Facts> = Effect.sync(() => ({
  cwd: process.cwd(),
  buttonsHome: process.env["BUTTONS_HOME"],
  home: Os.homedir(),
  look
}))

export const environment: Effect.Effect<Readonly<Record<string, string | undefined>>> = Effect.sync(() => ({
  ...process.env
}))

export const workingDirectory: Effect.Effect<string> = Effect.sync(() => process.cwd())

const look = (path: string): Entry => {
  const stats = Fs.statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return "none"
  if (!stats.isDirectory()) return stats.isFile() ? "file" : "none"
  const user = process.getuid?.()
  return user === undefined || stats.uid === user || stats.uid === 0 ? "folder" : "foreign folder"
}
