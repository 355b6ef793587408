import { assert, describe, it } from "@effect/vitest"
import { importProblems, importsOf, manifestProblems } from "../../../../.workspace/layering.mjs"
import { temporaryFolder } from "./support/temporaryFolder.js"

const names: Readonly<Record<string, string>> = {
  protocol: "@pushbutton/protocol",
  server: "@pushbutton/server",
  stdio: "@pushbutton/stdio",
  http: "@pushbutton/http",
  buttons: "@pushbutton/buttons",
  cli: "pushbutton",
  verification: "@pushbutton/verification"
}

interface Contents {
  readonly source?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly references?: ReadonlyArray<{ readonly path: string }>
}

/** A workspace of all the packages, empty but for what is given. */
const workspace = (contents: Readonly<Record<string, Contents>>): string =>
  temporaryFolder(
    Object.fromEntries(
      Object.keys({ ...names, ...contents }).flatMap((folder) => {
        const {
          dependencies = {},
          devDependencies = {},
          references = [],
          source = ""
        } = contents[folder] ?? {}
        const manifest = { name: names[folder] ?? folder, dependencies, devDependencies }
        return [
          [`packages/${folder}/package.json`, JSON.stringify(manifest)],
          [`packages/${folder}/tsconfig.src.json`, JSON.stringify({ references })],
          [`packages/${folder}/src/Module.ts`, source]
        ]
      })
    )
  )

/** The problems of one module whose manifest declares everything it imports. */
const problemsOf = (folder: string, source: string): ReadonlyArray<string> => {
  const everything = ["effect", "zod", "@effect/cli", ...Object.values(names)]
  const dependencies = Object.fromEntries(everything.map((name) => [name, "catalog:"]))
  return importProblems(workspace({ [folder]: { source, dependencies } }))
}

describe("layering of this workspace", () => {
  it("has no import that points upwards", () => {
    assert.deepStrictEqual(importProblems(), [])
  })

  it("has no manifest or project reference that points upwards", () => {
    assert.deepStrictEqual(manifestProblems(), [])
  })
})

describe("importsOf", () => {
  it("finds static, type, re-exported and dynamic imports, whatever their lines", () => {
    const source = [
      `import * as A from "a"`,
      `import type { B } from "b"`,
      `import {`,
      `  c,`,
      `  type C`,
      `} from "c"`,
      `import "d"`,
      `export * as E from "e"`,
      `export type { F } from 'f'`,
      `const g = await import("g")`,
      `type H = import("h").H`
    ].join("\n")
    assert.deepStrictEqual(importsOf(source), ["a", "b", "c", "d", "e", "f", "g", "h"])
  })

  it("takes no text for an import", () => {
    const source = [
      `// import * as A from "a"`,
      `/* import("b") */`,
      `/**`,
      ` * import * as C from "c"`,
      ` */`,
      `export const url = "https://example.test"`,
      `export const letters = Array.from("d")`,
      `export class E extends Base { readonly _tag = "e" }`,
      `export const importing = "import "`,
      `export const f = reimport("f")`
    ].join("\n")
    assert.deepStrictEqual(importsOf(source), [])
  })
})

describe("importProblems", () => {
  const allowed: ReadonlyArray<readonly [folder: string, specifier: string]> = [
    ["protocol", "effect/Either"],
    ["server", "@pushbutton/protocol/JsonRpc"],
    ["server", "./Other.js"],
    ["stdio", "@pushbutton/server/Dispatcher"],
    ["stdio", "node:fs"],
    ["http", "node:http"],
    ["buttons", "@pushbutton/protocol/Json"],
    ["cli", "@pushbutton/http/HttpTransport"],
    ["cli", "@effect/cli/Command"],
    ["verification", "pushbutton"]
  ]
  it.each(allowed)("lets %s use %s", (folder, specifier) => {
    assert.deepStrictEqual(problemsOf(folder, `import * as X from "${specifier}"\n`), [])
  })

  const refused: ReadonlyArray<readonly [folder: string, specifier: string, problem: string]> = [
    ["protocol", "@pushbutton/server/InFlight", "may not use @pushbutton/server"],
    ["protocol", "node:buffer", "uses Node: node:buffer"],
    ["protocol", "fs/promises", "uses Node: fs/promises"],
    ["protocol", "zod", "may not use zod"],
    ["server", "@pushbutton/stdio", "may not use @pushbutton/stdio"],
    ["server", "node:crypto", "uses Node: node:crypto"],
    ["stdio", "@pushbutton/http/HttpTransport", "may not use @pushbutton/http"],
    ["http", "@pushbutton/buttons/Press", "may not use @pushbutton/buttons"],
    ["buttons", "@pushbutton/stdio/StdioTransport", "may not use @pushbutton/stdio"],
    ["buttons", "@effect/cli/Command", "may not use @effect/cli"],
    ["cli", "@pushbutton/verification", "may not use @pushbutton/verification"],
    [
      "cli",
      "@pushbutton/server/internal/tools",
      "uses an internal module: @pushbutton/server/internal/tools"
    ],
    ["server", "../../protocol/src/Json.js", "reaches outside of its src with ../../protocol/src/Json.js"],
    ["server", "@pushbutton/server/InFlight", "imports its own package by name: @pushbutton/server/InFlight"]
  ]
  it.each(refused)("does not let %s use %s", (folder, specifier, problem) => {
    const source = `import type { X } from "${specifier}"\n`
    assert.deepStrictEqual(problemsOf(folder, source), [`packages/${folder}/src/Module.ts ${problem}`])
  })

  it("refuses a package that is only a development dependency", () => {
    const source = `import * as Effect from "effect/Effect"\n`
    const problems = importProblems(
      workspace({ protocol: { source, devDependencies: { effect: "catalog:" } } })
    )
    assert.deepStrictEqual(problems, [
      "packages/protocol/src/Module.ts uses effect, which is not among the dependencies of its manifest"
    ])
  })
})

describe("manifestProblems", () => {
  it("refuses an upward dependency, even for development", () => {
    const problems = manifestProblems(
      workspace({
        server: { devDependencies: { "@pushbutton/stdio": "workspace:*" } },
        cli: { dependencies: { "@pushbutton/verification": "workspace:*" } }
      })
    )
    assert.deepStrictEqual(problems, [
      "packages/cli may not depend on @pushbutton/verification",
      "packages/server may not depend on @pushbutton/stdio"
    ])
  })

  it("refuses a foreign dependency, except for development", () => {
    const problems = manifestProblems(
      workspace({ http: { dependencies: { express: "catalog:" }, devDependencies: { vitest: "catalog:" } } })
    )
    assert.deepStrictEqual(problems, ["packages/http may not depend on express"])
  })

  it("refuses a project reference that points upwards", () => {
    const problems = manifestProblems(
      workspace({ protocol: { references: [{ path: "../server/tsconfig.src.json" }] } })
    )
    assert.deepStrictEqual(problems, ["packages/protocol may not refer to the project of server"])
  })

  it("refuses a package that has no place in the layers", () => {
    assert.deepStrictEqual(manifestProblems(workspace({ extras: {} })), [
      "packages/extras has no place in the layers: add it to .workspace/layering.mjs"
    ])
  })
})
