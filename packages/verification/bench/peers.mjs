// The servers we compare with, fetched when a bench needs them and never by the installation of the workspace.
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileOf } from "./contenders.mjs"

const peers = /** @type {const} */ ({ officialSdk: "official-sdk", effect4: "effect4" })

/** @param {string} path */
const read = (path) => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/**
 * Installs a peer as its lockfile says, unless that is done; gives what went wrong.
 * @param {keyof typeof peers} key
 * @returns {string | undefined}
 */
export const fetchPeer = (key) => {
  const folder = fileOf(`peers/${peers[key]}`)
  const lockfile = read(join(folder, "package-lock.json"))
  const stamp = join(folder, "node_modules", ".installed")
  if (lockfile !== undefined && read(stamp) === lockfile) return undefined
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  const { error, status, stderr, stdout } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" })
  if (status !== 0) return error?.message ?? `${stdout}${stderr}`.trim()
  writeFileSync(stamp, lockfile ?? "")
  return undefined
}

export const peerKeys = /** @type {ReadonlyArray<keyof typeof peers>} */ (Object.keys(peers))
