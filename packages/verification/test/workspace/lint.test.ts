// What the compiler cannot refuse, the linter does.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { root, runNode } from "./support/runNode.js"
import { temporaryFolder } from "./support/temporaryFolder.js"

const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
const settings = [
  ".biome.json",
  ".gitignore",
  ...readdirSync(join(root, ".workspace/lint")).map((name) => `.workspace/lint/${name}`)
]

const refused: ReadonlyArray<readonly [path: string, source: string, rule: string]> = [
  ["packages/http/src/Now.ts", "export const now = Date.now()", "plugin"],
  ["packages/http/src/Clock.ts", "export const clocks = [Date.now]", "plugin"],
  ["packages/buttons/src/Today.ts", "export const today = new Date()", "plugin"],
  ["packages/cli/src/deep/Id.ts", "export const id = Math.random()", "plugin"],
  [
    "packages/http/src/Given.ts",
    "export const give = (one: One, n: number) => {\n  one.get = () => n\n}",
    "plugin"
  ],
  ["packages/stdio/src/Taken.ts", "export const take = (one: One) => {\n  one.take = (n) => n\n}", "plugin"],
  ["packages/server/src/Barrel.ts", `export * as Effect from "effect"`, "lint/style/noRestrictedImports"],
  ["packages/cli/src/Barrel.ts", `import "@effect/platform-node"`, "lint/style/noRestrictedImports"],
  ["packages/protocol/src/Host.ts", "export const host = process", "lint/style/noRestrictedGlobals"],
  ["packages/server/src/Host.ts", "export const later = setTimeout", "lint/style/noRestrictedGlobals"],
  ["packages/stdio/src/Log.ts", `console.log("to the protocol channel")`, "lint/suspicious/noConsole"],
  ["packages/http/src/Cycle.ts", `export * from "./Cycle2.js"`, "lint/suspicious/noImportCycles"],
  ["packages/http/src/Cycle2.ts", `export * from "./Cycle.js"`, "lint/suspicious/noImportCycles"]
]

const allowed: ReadonlyArray<readonly [path: string, source: string]> = [
  ["packages/buttons/src/Iso.ts", "export const iso = (millis: number) => new Date(millis).toISOString()"],
  ["packages/http/src/Host.ts", "export const later = setTimeout"],
  ["packages/http/src/Let.ts", "export let later = () => 1\nlater = () => 2"],
  ["packages/http/test/Now.test.ts", "export const now = Date.now()"],
  ["packages/server/src/Module.ts", `export * as Effect from "effect/Effect"`]
]

/** What the linter says about each file: its rule per `path`. */
const lint = async () => {
  const sources = [...refused, ...allowed].map(([path, source]) => [path, `${source}\n`])
  const configuration = settings.map((path) => [path, readFileSync(join(root, path), "utf8")])
  const folder = temporaryFolder(Object.fromEntries([...sources, ...configuration]))
  const { output } = await runNode([biome, "lint", "--reporter=github", "--max-diagnostics=none"], {
    cwd: folder
  })
  return [...output.matchAll(/title=([\w/]+),file=[^,]*?(packages\/[^,]+)/g)].map(
    ([, rule, path]) => `${path} ${rule}`
  )
}

// The linter starts next to everything else that a test run keeps busy.
const timeout = 60_000

describe("the linter", () => {
  let said: ReadonlyArray<string> = []
  beforeAll(async () => {
    said = await lint()
  }, timeout)

  it.each(refused)("refuses in %s: %s", (path, _, rule) => {
    assert.deepStrictEqual(
      said.filter((line) => line.startsWith(`${path} `)),
      [`${path} ${rule}`]
    )
  })

  it.each(allowed)("allows in %s: %s", (path) => {
    assert.deepStrictEqual(
      said.filter((line) => line.startsWith(`${path} `)),
      []
    )
  })
})
