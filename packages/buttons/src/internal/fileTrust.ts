/**
 * Whose files are run. What a press starts must come from this user, from root, or from whoever owns the folder of
 * buttons, which was named or accepted as a whole; nobody else may be able to change it; and it must lie inside.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"

/** What a decision needs to know of a file or folder. */
export interface Stats {
  readonly uid: number
  readonly mode: number
}

/** Users whose files are run; undefined on systems without users in that sense. */
export type Owners = ReadonlySet<number> | undefined

/** A folder that is not there adds nobody. */
export const owners = async (folder: string): Promise<Owners> => {
  const user = process.getuid?.()
  if (user === undefined) return undefined
  try {
    return new Set([user, 0, (await Fs.stat(folder)).uid])
  } catch {
    return new Set([user, 0])
  }
}

const writableByAll = 0o002

/** Why something must not be run; undefined when it may. */
export const distrust = ({ mode, uid }: Stats, owners: Owners): string | undefined => {
  if (owners === undefined) return undefined
  if (!owners.has(uid)) return `belongs to another user (${uid}), who could change what it does`
  if ((mode & writableByAll) !== 0) return "can be changed by every user; take that away with chmod o-w"
  return undefined
}

/** Whether a path leads into a folder when all links are followed; a link that leads nowhere does not. */
export const leadsInto = async (folder: string, path: string): Promise<boolean> => {
  try {
    const [inside, target] = await Promise.all([Fs.realpath(folder), Fs.realpath(path)])
    const way = Path.relative(inside, target)
    return way !== "" && way !== ".." && !way.startsWith(`..${Path.sep}`) && !Path.isAbsolute(way)
  } catch {
    return false
  }
}
