// The `pushbutton` command: one bundled file per entry under packages/cli/dist, no code shared between them,
// so that a stdio server loads no HTTP code, neither loads the code of the other commands, and what checks output
// against JSON Schema, or parses YAML, is loaded when there is some.
import { existsSync, readdirSync, rmSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { fingerprint, readStamp, removeStamp, writeWhole } from "./fingerprint.mjs"
import { notices } from "./notices.mjs"
import { filesUnder, packageFolders, root } from "./workspace.mjs"

const source = join(root, "packages", "cli", "src")
/** @param {string} name @param {string} folder @returns {[name: string, path: string]} */
const entry = (name, folder) => [name, join(folder, name)]

/** By name, without the ending of their sources. */
const entries = new Map([
  ...["pushbutton", "stdio", "http", "commands", "outputs"].map((name) => entry(name, source)),
  entry("yaml", join(root, "packages", "buttons", "src", "definitions"))
])
const bin = "pushbutton"
const target = join(root, "packages", "cli", "dist")
// Outside of `dist`, which is published.
const stamp = join(root, "packages", "cli", "build", "bundle.stamp")

const outputs = [
  ...[...entries.keys()].flatMap((entry) => [`${entry}.js`, `${entry}.js.map`]),
  "THIRD-PARTY-NOTICES"
]

const wanted = () => {
  const sources = packageFolders().flatMap((name) => [
    join("packages", name, "package.json"),
    ...filesUnder(join(root, "packages", name, "src")).map((path) => join("packages", name, "src", path))
  ])
  const scripts = readdirSync(join(root, ".workspace"))
    .filter((name) => ["bundle.mjs", "notices.mjs"].includes(name))
    .map((name) => join(".workspace", name))
  return fingerprint(root, [...sources, ...scripts, "pnpm-lock.yaml"])
}

export const isBundled = () =>
  readStamp(stamp) === wanted() && outputs.every((name) => existsSync(join(target, name)))

/** An entry that another entry imports on demand stays a file of its own. @type {import("esbuild").Plugin} */
const entriesStayApart = {
  name: "entries-stay-apart",
  setup: (build) => {
    build.onResolve({ filter: /^\.\/\w+\.js$/ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import" &&
      entries.get(basename(path, ".js")) === resolve(resolveDir, path.slice(0, -3))
        ? { path, external: true }
        : undefined
    )
  }
}

/** A CommonJS dependency that asks for a Node module at run time needs a `require`, which ES modules have not. */
const requireBanner =
  'import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);'

/**
 * @param {typeof import("esbuild")} esbuild
 * @param {string} entry
 * @param {string} [banner]
 * @returns {Promise<import("esbuild").BuildResult<{ write: false, metafile: true }>>}
 */
const bundleEntry = async (esbuild, entry, banner = "") => {
  const result = await esbuild.build({
    entryPoints: [`${entries.get(entry)}.ts`],
    outdir: target,
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    mainFields: ["module", "main"],
    format: "esm",
    target: "node20",
    conditions: ["@pushbutton/source"],
    tsconfigRaw: { compilerOptions: { target: "ES2022", verbatimModuleSyntax: true } },
    plugins: [entriesStayApart],
    // Identifiers stay as written: functions and classes keep their names in stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: "external",
    sourcesContent: false,
    legalComments: "eof",
    logLevel: "silent",
    banner: { js: banner }
  })
  const code = result.outputFiles.find(({ path }) => path.endsWith(".js"))
  return banner === "" && code?.text.includes("Dynamic require of") === true
    ? bundleEntry(esbuild, entry, requireBanner)
    : result
}

/** Bundles when something that goes into the bundles has changed. Call with the lock held. */
export const bundle = async () => {
  if (isBundled()) return true
  const inputs = wanted()
  const esbuild = await import("esbuild")
  try {
    const results = await Promise.all([...entries.keys()].map((entry) => bundleEntry(esbuild, entry)))
    removeStamp(stamp)
    for (const name of existsSync(target) ? readdirSync(target) : []) {
      if (!outputs.includes(name)) rmSync(join(target, name), { recursive: true })
    }
    for (const { path, contents } of results.flatMap((result) => result.outputFiles)) {
      writeWhole(path, contents, basename(path) === `${bin}.js` ? 0o755 : 0o644)
    }
    const bundled = results
      .flatMap((result) => Object.values(result.metafile.outputs))
      .flatMap((output) => Object.keys(output.inputs))
    writeWhole(join(target, "THIRD-PARTY-NOTICES"), notices(bundled))
    writeWhole(stamp, inputs)
    return true
  } catch (error) {
    const errors =
      error instanceof Error && "errors" in error && Array.isArray(error.errors) ? error.errors : undefined
    const text =
      errors === undefined ? [String(error)] : await esbuild.formatMessages(errors, { kind: "error" })
    console.error(text.join("\n").trimEnd())
    console.error("Could not bundle the pushbutton command.")
    return false
  } finally {
    await esbuild.stop()
  }
}
