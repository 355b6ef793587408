// The compiler is the fence: a pure package cannot see the host, and no package can see one above it.
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { root, runNode } from "./support/runNode.js"
import { temporaryFolder } from "./support/temporaryFolder.js"

const tsc = join(root, "node_modules/typescript/bin/tsc")

// A compiler starts and reads Effect's declarations, next to everything else that a test run keeps busy.
const timeout = 60_000

/** Compiles modules as if they were sources of a package, and gives the errors of each. */
const compileIn = async (packageName: string, modules: Readonly<Record<string, string>>) => {
  const project = {
    extends: "../../tsconfig.src.json",
    compilerOptions: {
      rootDir: "../../../..",
      composite: false,
      incremental: false,
      tsBuildInfoFile: null,
      noEmit: true
    },
    include: ["*.ts"],
    references: []
  }
  const sources = Object.entries(modules).map(([name, source]) => [`${name}.ts`, source])
  // Below the package, so that its dependencies resolve as they do for its sources.
  const folder = temporaryFolder(
    { ...Object.fromEntries(sources), "tsconfig.json": JSON.stringify(project) },
    join(root, "packages", packageName, "build")
  )
  const { code, output } = await runNode([tsc, "-p", folder, "--pretty", "false"])
  const errorsOf = (name: string) =>
    output.split("\n").flatMap((line) => {
      const error = /([^/\\]+)\.ts\(\d+,\d+\): error TS\d+: (.*)$/.exec(line.trim())
      return error?.[1] === name ? [error[2]] : []
    })
  return { code, output, errorsOf }
}

const pureModule = [
  `import * as Effect from "effect/Effect"`,
  `import * as Schema from "effect/Schema"`,
  `export const decode = Schema.decodeUnknownEither(Schema.String)`,
  `export const greet = (name: string): Effect.Effect<string> => Effect.succeed(name)`
].join("\n")

const hostGlobals = [
  "process",
  "Buffer",
  "console",
  "fetch",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "TextDecoder",
  "TextEncoder",
  "URL",
  "crypto",
  "performance"
]

describe.each(["protocol", "server"])("the pure package %s", (packageName) => {
  it(
    "does not build when it touches a host API",
    async () => {
      const probes = hostGlobals.map((name) => [
        `uses_${name}`,
        `${pureModule}\nexport const host = ${name}\n`
      ])
      const { code, errorsOf } = await compileIn(packageName, {
        pure: pureModule,
        ...Object.fromEntries(probes)
      })
      assert.notStrictEqual(code, 0)
      assert.deepStrictEqual(errorsOf("pure"), [])
      for (const name of hostGlobals) {
        const [error, ...others] = errorsOf(`uses_${name}`)
        assert.isTrue(error?.startsWith(`Cannot find name '${name}'`), `${name}: ${error}`)
        assert.deepStrictEqual(others, [])
      }
    },
    timeout
  )

  it(
    "does not build when it imports a module of Node",
    async () => {
      const { code, errorsOf } = await compileIn(packageName, { reads: `export * as Fs from "node:fs"\n` })
      assert.notStrictEqual(code, 0)
      assert.isTrue(errorsOf("reads")[0]?.startsWith("Cannot find name 'node:fs'"), errorsOf("reads")[0])
    },
    timeout
  )

  it(
    "sees no declarations of a host through what it imports",
    async () => {
      const project = join(root, "packages", packageName, "tsconfig.src.json")
      const { output } = await runNode([tsc, "-p", project, "--listFilesOnly"])
      const files = output.split("\n")
      assert.isTrue(files.some((file) => file.endsWith("lib.es2022.d.ts")))
      assert.deepStrictEqual(
        files.filter((file) => /@types[/+]|\/lib\.(?:dom|webworker)/.test(file)),
        []
      )
    },
    timeout
  )
})

describe("an upward import", () => {
  const upward: ReadonlyArray<readonly [from: string, specifier: string]> = [
    ["protocol", "@pushbutton/server/InFlight"],
    ["server", "@pushbutton/stdio"],
    ["stdio", "@pushbutton/http"],
    ["http", "@pushbutton/buttons"],
    ["buttons", "@pushbutton/stdio"],
    ["cli", "@pushbutton/verification"]
  ]
  it.each(upward)(
    "does not resolve from %s to %s",
    async (from, specifier) => {
      const { code, errorsOf } = await compileIn(from, { upward: `export * as X from "${specifier}"\n` })
      assert.notStrictEqual(code, 0)
      assert.deepStrictEqual(errorsOf("upward"), [
        `Cannot find module '${specifier}' or its corresponding type declarations.`
      ])
    },
    timeout
  )

  it(
    "is what fails: a downward import resolves",
    async () => {
      const { errorsOf } = await compileIn("server", {
        downward: `export * as X from "@pushbutton/protocol/Json"\n`
      })
      assert.deepStrictEqual(errorsOf("downward"), [])
    },
    timeout
  )

  it(
    "of an internal module does not resolve either",
    async () => {
      const specifier = "@pushbutton/protocol/internal/codec"
      const { code, errorsOf } = await compileIn("server", { inward: `export * as X from "${specifier}"\n` })
      assert.notStrictEqual(code, 0)
      assert.deepStrictEqual(errorsOf("inward"), [
        `Cannot find module '${specifier}' or its corresponding type declarations.`
      ])
    },
    timeout
  )
})
