/**
 * Whose files are run. What a press starts must come from this user, from root, or from whoever owns the folder of
 * buttons, which was named or accepted as a whole; nobody else may be able to change it; and it must lie inside.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"

/** What a decision needs to know of a file or folder. */
export interface Stats {
  readonly uid: number
  readonly mode: number
}

/** Users whose files are run; undefined on systems without users in that sense. */
export type Owners = ReadonlySet<number> | undefined

/** This user, and root. */
export const self = (): Owners => {
  const user = process.getuid?.()
  return user === undefined ? undefined : new Set([user, 0])
}

/** A folder that is not there adds nobody. */
export const owners = (folder: string): Owners => {
  const known = self()
  try {
    return known && new Set([...known, Fs.statSync(folder).uid])
  } catch {
    return known
  }
}

const writableByAll = 0o002

/** Why something holds no secret of these owners; undefined when it may. */
export const exposure = ({ mode, uid }: Stats, owners: Owners): string | undefined => {
  if (owners === undefined) return undefined
  if (!owners.has(uid)) return `belongs to another user (${uid})`
  return (mode & accessibleToOthers) === 0
    ? undefined
    : "can be read or changed by other users; take that away with chmod 600"
}

const accessibleToOthers = 0o077

/** Why something must not be run; undefined when it may. */
export const distrust = ({ mode, uid }: Stats, owners: Owners): string | undefined => {
  if (owners === undefined) return undefined
  if (!owners.has(uid)) return `belongs to another user (${uid}), who could change what it does`
  if ((mode & writableByAll) !== 0) return "can be changed by every user; take that away with chmod o-w"
  return undefined
}

/** Whether a path leads into a folder when all links are followed; a link that leads nowhere does not. */
export const leadsInto = (folder: string, path: string): boolean => {
  try {
    const way = Path.relative(Fs.realpathSync(folder), Fs.realpathSync(path))
    return way !== "" && way !== ".." && !way.startsWith(`..${Path.sep}`) && !Path.isAbsolute(way)
  } catch {
    return false
  }
}
