/** Folders that we write into: each must be a real folder, not a link that leads elsewhere, and nobody else's. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Data from "effect/Data"
import * as NodeError from "./nodeError.js"

/** The folder in a data folder for what nobody else reads. */
export const hidden = ".pushbutton"

/** Has the form of Node's errors. */
class NotOurs extends Data.TaggedError("NotOurs")<{ readonly code: "ELOOP" | "ENOTDIR" | "EPERM" }> {}

/** Whether there is such a folder, and it is one that `make` would take. */
export const isThere = (folder: string): boolean => {
  try {
    if (!Fs.existsSync(folder)) return false
    make(folder)
    return true
  } catch {
    return false
  }
}

/** Makes the folder, for its owner only, in one that is there. Throws the errors of Node. */
export const make = (folder: string): void => {
  const stats = Fs.lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) return makeNew(folder)
  if (stats.isSymbolicLink()) throw new NotOurs({ code: "ELOOP" })
  if (!stats.isDirectory()) throw new NotOurs({ code: "ENOTDIR" })
  if (!isOurs(stats.uid, folder) || (stats.mode & writableByAll) !== 0) throw new NotOurs({ code: "EPERM" })
}

/** Makes one folder in the other, the first of them in one that is there. */
export const makePath = (folder: string, ...names: ReadonlyArray<string>): string =>
  names.reduce((outer, name) => {
    const inner = Path.join(outer, name)
    make(inner)
    return inner
  }, folder)

const makeNew = (folder: string): void => {
  try {
    Fs.mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Somebody was faster: what is there now is looked at like any other.
    if (NodeError.code(error) !== "EEXIST") throw error
    make(folder)
  }
}

const writableByAll = 0o002

/** Of this user, of root, or of whoever owns the folder around it, which was accepted before. */
const isOurs = (uid: number, folder: string): boolean => {
  const user = process.getuid?.()
  return user === undefined || uid === user || uid === 0 || uid === Fs.statSync(Path.dirname(folder)).uid
}
