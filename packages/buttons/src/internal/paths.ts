/** The host's rules for paths; nothing here looks at a disk. */
import * as Path from "node:path"

export const { basename, dirname, isAbsolute, join, resolve } = Path

/** A folder and the folders around it, innermost first. */
export const ancestors = (folder: string): ReadonlyArray<string> => {
  const found = [folder]
  for (let current = folder, parent = Path.dirname(current); parent !== current; ) {
    found.push(parent)
    current = parent
    parent = Path.dirname(current)
  }
  return found
}

/** Relative to `root`, with forward slashes on every system. */
export const relative = (root: string, path: string): string =>
  Path.relative(root, path).split(Path.sep).join("/")
