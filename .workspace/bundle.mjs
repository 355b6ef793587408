// The `pushbutton` command: one bundled file per entry under packages/cli/dist, no code shared between them,
// so that a stdio server loads no HTTP code, neither loads the code of the other commands, and what checks output
// against JSON Schema, reads definitions files or seals states is loaded when there is some.
// The first of them is a program for Node, and the others are scripts that it loads: see packages/cli/src/pushbutton.ts.
import { createHash } from "node:crypto"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { fingerprint, readStamp, removeStamp, writeWhole } from "./fingerprint.mjs"
import { notices } from "./notices.mjs"
import { filesUnder, packageFolders, root } from "./workspace.mjs"

/** @param {string} name @param {ReadonlyArray<string>} folder @returns {[name: string, path: string]} */
const entry = (name, ...folder) => [name, join(root, "packages", ...folder, name)]

/** By name, without the ending of their sources. */
const entries = new Map([
  ...["pushbutton", "main", "stdio", "http", "commands", "outputs"].map((name) => entry(name, "cli", "src")),
  entry("decodeDefinitions", "buttons", "src", "definitions"),
  entry("sealing", "server", "src", "internal")
])
const bin = "pushbutton"
const target = join(root, "packages", "cli", "dist")
// Outside of `dist`, which is published.
const stamp = join(root, "packages", "cli", "build", "bundle.stamp")

const outputs = [
  ...[...entries.keys()].flatMap((entry) => [`${entry}.js`, `${entry}.js.map`]),
  "package.json",
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
    build.onResolve({ filter: /^\.\/[\w/]+\.js$/ }, ({ kind, path, resolveDir }) => {
      const name = basename(path, ".js")
      return kind === "dynamic-import" && entries.get(name) === resolve(resolveDir, path.slice(0, -3))
        ? { path: `./${name}.js`, external: true }
        : undefined
    })
  }
}

/** @param {string} module @param {string} name */
const from = (module, name) => `require(${JSON.stringify(module)}).${name}`

/** What is used of modules of Node that take their time to load and that a start does not need, and where it is found. */
const late = new Map([
  ["node:child_process", { spawn: from("node:child_process", "spawn") }],
  [
    "node:crypto",
    {
      createHash: from("node:crypto", "createHash"),
      createHmac: from("node:crypto", "createHmac"),
      randomBytes: from("node:crypto", "randomBytes"),
      // The same function, without the ciphers.
      randomUUID: "globalThis.crypto.randomUUID"
    }
  ],
  [
    "node:fs/promises",
    Object.fromEntries(
      [
        "chmod",
        "chown",
        "link",
        "lstat",
        "mkdir",
        "open",
        "readFile",
        "readdir",
        "realpath",
        "rename",
        "rm",
        "stat",
        "statfs"
      ].map((name) => [name, from("node:fs/promises", name)])
    )
  ],
  ["node:v8", { cachedDataVersionTag: from("node:v8", "cachedDataVersionTag") }]
])

/** Our sources load these with the first use. @type {import("esbuild").Plugin} */
const lateModules = {
  name: "late-modules",
  setup: (build) => {
    build.onResolve({ filter: /^node:/ }, ({ importer, kind, path }) =>
      late.has(path) && kind === "import-statement" && !importer.includes("node_modules")
        ? { path, namespace: "late", sideEffects: false }
        : undefined
    )
    build.onLoad({ filter: /./, namespace: "late" }, ({ path }) => ({
      contents: Object.entries(late.get(path) ?? {})
        .map(([name, place]) => `export const ${name}=(...args)=>${place}(...args);`)
        .join("")
    }))
  }
}

/** Has the place of the name that is made of the whole text. */
const unnamed = `/*${"0".repeat(32)}*/`

/** A script whose value is a function that makes the module. */
const script = { banner: { js: `${unnamed}(function(require,module,exports){` }, footer: { js: "})" } }

/** How a module of Node is imported that might be an object with a default of its own, which none of them is. */
const wrapped = /=__toESM\(require\(("node:[\w/]+")\),1\)/g

/**
 * The same length, for the source map. What wraps them copies each of them anew for every module that imports it.
 * @param {string} text
 */
const unwrapped = (text) => {
  if (/\bimport_node_\w+\.default\b/.test(text))
    throw new Error("A module of Node is imported by its default.")
  return text.replaceAll(wrapped, (whole, name) => `=require(${name})`.padEnd(whole.length))
}

/** @param {string} text */
const named = (text) =>
  text.replace(unnamed, `/*${createHash("sha256").update(text).digest("hex").slice(0, 32)}*/`)

/**
 * @param {typeof import("esbuild")} esbuild
 * @param {string} entry
 * @returns {Promise<import("esbuild").BuildResult<{ write: false, metafile: true }>>}
 */
const bundleEntry = (esbuild, entry) =>
  esbuild.build({
    entryPoints: [`${entries.get(entry)}.ts`],
    outdir: target,
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    mainFields: ["module", "main"],
    format: "cjs",
    target: "node20",
    // What is imported on demand is loaded by the same `require`.
    supported: { "dynamic-import": false },
    // Read as bytes that are characters.
    charset: "ascii",
    conditions: ["@pushbutton/source"],
    tsconfigRaw: { compilerOptions: { target: "ES2022", verbatimModuleSyntax: true } },
    // Effect's clock alone would use it, at once, and does as well with the one of the process, which is not loaded first.
    define: { performance: "undefined" },
    plugins: [entriesStayApart, lateModules],
    // Identifiers stay as written: functions and classes keep their names in stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: "external",
    sourcesContent: false,
    legalComments: "eof",
    logLevel: "silent",
    ...(entry === bin ? {} : script)
  })

/** Bundles when something that goes into the bundles has changed. Call with the lock held. */
export const bundle = async () => {
  if (isBundled()) return true
  const inputs = wanted()
  const esbuild = await import("esbuild")
  try {
    const results = await Promise.all([...entries.keys()].map((entry) => bundleEntry(esbuild, entry)))
    const undefinedImports = results
      .flatMap(({ warnings }) => warnings)
      .filter(({ id }) => id === "import-is-undefined")
    if (undefinedImports.length > 0) throw Object.assign(new Error("undefined"), { errors: undefinedImports })
    removeStamp(stamp)
    for (const name of existsSync(target) ? readdirSync(target) : []) {
      if (!outputs.includes(name)) rmSync(join(target, name), { recursive: true })
    }
    for (const { path, text } of results.flatMap((result) => result.outputFiles)) {
      writeWhole(path, named(unwrapped(text)), basename(path) === `${bin}.js` ? 0o755 : 0o644)
    }
    writeWhole(join(target, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`)
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
