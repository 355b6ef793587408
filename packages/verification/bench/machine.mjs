// Where the figures come from.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { cpus, loadavg, release, totalmem } from "node:os"

/** @param {string} path */
const versionIn = (path) => String(JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).version)

/** @param {string} name */
const peerDependencies = (name) => {
  const manifest = JSON.parse(readFileSync(new URL(`peers/${name}/package.json`, import.meta.url), "utf8"))
  return Object.entries(manifest.dependencies).map(([dependency, version]) => `${dependency} ${version}`)
}

export const load = () =>
  loadavg()
    .map((value) => value.toFixed(2))
    .join(" ")

/**
 * @param {string} node the one that runs the contenders
 * @returns {ReadonlyArray<string>}
 */
export const describe = (node) => {
  const [cpu] = cpus()
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim()
  return [
    `machine: ${cpus().length} x ${cpu?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`,
    `contenders on Node ${version}, load generators on Node ${process.version}`,
    `ours: pushbutton ${versionIn("../../cli/package.json")} with effect ${versionIn("../node_modules/effect/package.json")}`,
    `officialSdk: ${peerDependencies("official-sdk").join(", ")}`,
    `effect4: ${peerDependencies("effect4").join(", ")}`,
    `load average: ${load()}`
  ]
}
