/** What a script wrote as progress stays beside its record, without its secrets. */
import * as Fs from "node:fs"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Redaction } from "../Redaction.js"

/** A longer file is emptied: nobody reads that much progress. */
const maxBytes = 16 * 1024 * 1024

/** Takes the secrets out when the scope closes. What cannot be read or written again is removed. */
export const atEnd = (
  path: string | undefined,
  redaction: Redaction
): Effect.Effect<void, never, Scope.Scope> =>
  path === undefined || redaction.secrets.length === 0
    ? Effect.void
    : Effect.addFinalizer(() => Effect.sync(() => clean(path, redaction)))

const clean = (path: string, redaction: Redaction): void => {
  try {
    // A script may have put anything in the place of its file.
    const stats = Fs.lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined || (stats.isFile() && stats.size === 0)) return
    if (!stats.isFile()) return Fs.rmSync(path, { force: true })
    rewrite(path, stats.size, redaction)
  } catch {
    remove(path)
  }
}

const remove = (path: string): void => {
  try {
    Fs.rmSync(path, { force: true, recursive: true })
  } catch {
    // The folder is gone, or is another thing by now.
  }
}

const rewrite = (path: string, size: number, redaction: Redaction): void => {
  const descriptor = Fs.openSync(
    path,
    Fs.constants.O_RDWR | Fs.constants.O_NOFOLLOW | Fs.constants.O_NONBLOCK
  )
  try {
    const text = size > maxBytes ? "" : Fs.readFileSync(descriptor, "utf8")
    const kept = redaction.text(text)
    if (kept === text && size <= maxBytes) return
    Fs.ftruncateSync(descriptor, 0)
    Fs.writeSync(descriptor, kept, 0)
  } finally {
    Fs.closeSync(descriptor)
  }
}
