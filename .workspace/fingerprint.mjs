// A hash over names and contents of files: equal exactly when nothing that was hashed has changed.
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** @param {string} path */
const contents = (path) => {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/**
 * A missing file counts as such, so that adding or removing one changes the fingerprint.
 * @param {string} folder
 * @param {ReadonlyArray<string>} paths below the folder
 * @param {ReadonlyArray<string>} facts
 */
export const fingerprint = (folder, paths, facts = []) => {
  const hash = createHash("sha256")
  for (const fact of facts) hash.update(`${JSON.stringify(fact)}\n`)
  for (const path of paths) {
    const bytes = contents(join(folder, path))
    hash.update(`${JSON.stringify(path)} ${bytes === undefined ? "missing" : bytes.length}\n`)
    if (bytes !== undefined) hash.update(bytes)
  }
  return hash.digest("hex")
}

/** @param {string} stamp */
export const readStamp = (stamp) => contents(stamp)?.toString()

/** @param {string} stamp */
export const removeStamp = (stamp) => rmSync(stamp, { force: true })

/**
 * Replaces a file in one step: nobody ever reads half of it.
 * @param {string} path
 * @param {string | Uint8Array} data
 * @param {number} [mode]
 */
export const writeWhole = (path, data, mode = 0o644) => {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, data, { mode })
  renameSync(draft, path)
}
