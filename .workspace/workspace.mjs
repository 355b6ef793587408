// Where things are: the root of the workspace, its packages, and the folder for what the scripts remember.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

/** Ignored by git, removed together with the dependencies, left alone when pnpm empties `node_modules`. */
export const memory = join(root, "node_modules", ".workspace")

/**
 * The names of the package folders, sorted.
 * @param {string} [from]
 */
export const packageFolders = (from = root) =>
  readdirSync(join(from, "packages"))
    .filter((name) => existsSync(join(from, "packages", name, "package.json")))
    .sort()

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} [packageManager]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/**
 * @param {string} path
 * @returns {Manifest}
 */
export const readManifest = (path) => JSON.parse(readFileSync(path, "utf8"))

/**
 * Every file under a folder, as paths below it, sorted; no files when the folder is missing.
 * @param {string} folder
 * @returns {Array<string>}
 */
export const filesUnder = (folder) => {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory()
        ? filesUnder(join(folder, entry.name)).map((path) => join(entry.name, path))
        : [entry.name]
    )
    .sort()
}
