// Who may use whom. An arrow that points upwards is a problem, whether in an import, a manifest or a project reference.

import { readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { dirname, join, relative, resolve, sep } from "node:path"
import { filesUnder, packageFolders, readManifest, root } from "./workspace.mjs"

/**
 * @typedef {object} Layer
 * @property {ReadonlyArray<string>} ours packages of this workspace it may use
 * @property {ReadonlyArray<string> | "any"} theirs third-party packages it may use
 * @property {boolean} node whether it may use Node's modules
 */

/** @type {Readonly<Record<string, Layer>>} */
export const layers = {
  protocol: { ours: [], theirs: ["effect"], node: false },
  server: { ours: ["protocol"], theirs: ["effect", "ajv", "@noble/ciphers", "@noble/hashes"], node: false },
  stdio: { ours: ["protocol", "server"], theirs: ["effect"], node: true },
  http: { ours: ["protocol", "server"], theirs: ["effect"], node: true },
  buttons: { ours: ["protocol", "server"], theirs: ["effect", "yaml"], node: true },
  cli: { ours: ["protocol", "server", "stdio", "http", "buttons"], theirs: "any", node: true },
  verification: { ours: ["protocol", "server", "stdio", "http", "buttons", "cli"], theirs: "any", node: true }
}

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//.source
const text = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/.source
const importing = new RegExp(
  [
    /^[ \t]*import\s+(?:[\w$*\s{},]+?\s+from\s*)?["']([^"'\n]+)["']/,
    /^[ \t]*export\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[\w$\s,]*\})\s*from\s*["']([^"'\n]+)["']/,
    /\b(?:import|import\.meta\.resolve|require|require\.resolve)\s*\(\s*["'`]([^"'`$\n]+)["'`]/
  ]
    .map((one) => one.source)
    .join("|"),
  "gm"
)

/**
 * The specifiers that a TypeScript module imports, of types and on demand included.
 * @param {string} source
 */
export const importsOf = (source) => {
  const code = source.replace(new RegExp(`(${text})|${comment}`, "g"), (_, string) => string ?? " ")
  return [...code.matchAll(importing)].flatMap((match) => match[1] ?? match[2] ?? match[3] ?? [])
}

/** @param {string} specifier */
const packageOf = (specifier) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

/** @param {string} specifier */
const isNode = (specifier) => specifier.startsWith("node:") || builtinModules.includes(specifier)

/**
 * @typedef {object} Package
 * @property {string} name the folder
 * @property {string} folder
 * @property {import("./workspace.mjs").Manifest} manifest
 * @property {Layer | undefined} layer
 */

/**
 * @param {string} from
 * @returns {ReadonlyArray<Package>}
 */
const packagesOf = (from) =>
  packageFolders(from).map((name) => {
    const folder = join(from, "packages", name)
    return { name, folder, manifest: readManifest(join(folder, "package.json")), layer: layers[name] }
  })

/**
 * @param {ReadonlyArray<Package>} packages
 * @param {Package} from
 * @param {string} specifier
 * @param {string} file the importing module
 */
const importProblem = (packages, from, specifier, file) => {
  const { folder, layer, manifest, name } = from
  if (layer === undefined) return undefined
  if (specifier.startsWith(".")) {
    const below = relative(join(folder, "src"), resolve(dirname(file), specifier))
    return below === ".." || below.startsWith(`..${sep}`)
      ? `reaches outside of its src with ${specifier}`
      : undefined
  }
  if (isNode(specifier)) return layer.node ? undefined : `uses Node: ${specifier}`
  const imported = packageOf(specifier)
  const ours = packages.find((other) => other.manifest.name === imported)
  if (ours !== undefined) {
    if (ours.name === name) return `imports its own package by name: ${specifier}`
    if (!layer.ours.includes(ours.name)) return `may not use ${imported}`
    if (specifier.split("/").includes("internal")) return `uses an internal module: ${specifier}`
  } else if (layer.theirs !== "any" && !layer.theirs.includes(imported)) return `may not use ${imported}`
  return manifest.dependencies?.[imported] === undefined
    ? `uses ${imported}, which is not among the dependencies of its manifest`
    : undefined
}

/** @param {string} from */
export const importProblems = (from = root) => {
  const packages = packagesOf(from)
  return packages.flatMap((one) =>
    filesUnder(join(one.folder, "src"))
      .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
      .flatMap((path) => {
        const file = join(one.folder, "src", path)
        return importsOf(readFileSync(file, "utf8")).flatMap((specifier) => {
          const problem = importProblem(packages, one, specifier, file)
          return problem === undefined
            ? []
            : [`packages/${one.name}/src/${path.split(sep).join("/")} ${problem}`]
        })
      })
  )
}

/**
 * @param {ReadonlyArray<Package>} packages
 * @param {Package} one
 */
const manifestProblemsOf = (packages, one) => {
  const { layer, manifest } = one
  if (layer === undefined) return ["has no place in the layers: add it to .workspace/layering.mjs"]
  const used = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }
  const allowed = packages
    .filter((other) => layer.ours.includes(other.name))
    .map((other) => other.manifest.name)
  /** @param {string} name */
  const isOurs = (name) => packages.some((other) => other.manifest.name === name)
  const upward = Object.keys({ ...used, ...manifest.devDependencies }).filter(
    (name) => isOurs(name) && !allowed.includes(name)
  )
  const foreign = Object.keys(used).filter(
    (name) => !isOurs(name) && layer.theirs !== "any" && !layer.theirs.includes(name)
  )
  return [...upward, ...foreign].map((name) => `may not depend on ${name}`)
}

/** @param {Package} one */
const referenceProblemsOf = (one) => {
  /** @type {{ references?: ReadonlyArray<{ path: string }> }} */
  const project = JSON.parse(readFileSync(join(one.folder, "tsconfig.src.json"), "utf8"))
  return (project.references ?? [])
    .map(({ path }) => path.split("/")[1] ?? path)
    .filter((name) => one.layer !== undefined && !one.layer.ours.includes(name))
    .map((name) => `may not refer to the project of ${name}`)
}

/** @param {string} from */
export const manifestProblems = (from = root) => {
  const packages = packagesOf(from)
  return packages.flatMap((one) =>
    [...manifestProblemsOf(packages, one), ...referenceProblemsOf(one)].map(
      (problem) => `packages/${one.name} ${problem}`
    )
  )
}
