// Every version is written once, exactly, in the catalog; the lockfile says nothing about where packages come from.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { packageFolders, readManifest, root } from "./workspace.mjs"

const exact = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/

/**
 * The entries of every catalog, read line by line: the file is ours and stays this simple.
 * @param {string} yaml
 * @returns {ReadonlyArray<readonly [name: string, version: string]>}
 */
const catalogEntries = (yaml) => {
  let inside = false
  return yaml.split("\n").flatMap((line) => {
    if (/^\S/.test(line)) inside = /^catalogs?:/.test(line)
    const entry = /^\s+["']?([^"'\s#][^"'\s]*?)["']?:\s+["']?([^"'#]+?)["']?\s*(?:#.*)?$/.exec(line)
    return inside && entry !== null ? [/** @type {const} */ ([entry[1] ?? "", entry[2] ?? ""])] : []
  })
}

/** @param {string} from */
export const catalogProblems = (from = root) => {
  const entries = catalogEntries(readFileSync(join(from, "pnpm-workspace.yaml"), "utf8"))
  if (entries.length === 0) return ["pnpm-workspace.yaml has no catalog"]
  return entries
    .filter(([, version]) => !exact.test(version))
    .map(([name, version]) => `pnpm-workspace.yaml: ${name} has no exact version: ${version}`)
}

/** @param {string} from */
export const dependencyProblems = (from = root) =>
  ["package.json", ...packageFolders(from).map((name) => `packages/${name}/package.json`)].flatMap((path) => {
    const manifest = readManifest(join(from, path))
    const all = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies
    })
    return all
      .filter(([, version]) => !version.startsWith("catalog:") && version !== "workspace:*")
      .map(([name, version]) => `${path}: ${name} is neither catalog: nor workspace:* but ${version}`)
  })

/** @param {string} from */
export const lockfileProblems = (from = root) =>
  readFileSync(join(from, "pnpm-lock.yaml"), "utf8")
    .split("\n")
    .flatMap((line, index) =>
      /https?:\/\/|\btarball:/.test(line) ? [`pnpm-lock.yaml:${index + 1} names a host`] : []
    )
