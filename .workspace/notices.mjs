// The licence texts of the third-party code that ends up in the bundles.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./workspace.mjs"

const inPackage = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//

/** @param {string} folder */
const notice = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`
  return `${name} ${version} (${license})\n${text}`
}

/** @param {ReadonlyArray<string>} bundled the paths below the root of every file that was bundled */
export const notices = (bundled) => {
  const folders = new Set(bundled.flatMap((path) => inPackage.exec(path)?.[1] ?? []))
  const texts = [...folders]
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map(notice)
  return [...new Set(texts)].sort().join(`\n${"-".repeat(78)}\n\n`)
}
