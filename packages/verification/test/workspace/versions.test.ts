import { assert, describe, it } from "@effect/vitest"
import { catalogProblems, dependencyProblems, lockfileProblems } from "../../../../.workspace/versions.mjs"
import { temporaryFolder } from "./support/temporaryFolder.js"

describe("versions of this workspace", () => {
  it("are exact in the catalog", () => {
    assert.deepStrictEqual(catalogProblems(), [])
  })

  it("are named by the catalog alone", () => {
    assert.deepStrictEqual(dependencyProblems(), [])
  })

  it("come from whatever registry is configured: the lockfile names none", () => {
    assert.deepStrictEqual(lockfileProblems(), [])
  })
})

describe("catalogProblems", () => {
  const problemsOf = (yaml: string) => catalogProblems(temporaryFolder({ "pnpm-workspace.yaml": yaml }))

  it("refuses ranges, tags and wildcards, in every catalog", () => {
    const yaml = [
      "packages:",
      "  - packages/*",
      "catalog:",
      '  "@scope/caret": ^1.2.3',
      "  exact: 1.2.3",
      "  prerelease: 1.2.3-beta.1 # kept",
      "  tag: latest",
      "catalogs:",
      "  old:",
      "    wildcard: 1.x",
      "overrides:",
      "  elsewhere: ^1.0.0"
    ].join("\n")
    assert.deepStrictEqual(problemsOf(yaml), [
      "pnpm-workspace.yaml: @scope/caret has no exact version: ^1.2.3",
      "pnpm-workspace.yaml: tag has no exact version: latest",
      "pnpm-workspace.yaml: wildcard has no exact version: 1.x"
    ])
  })

  it("refuses a workspace without a catalog", () => {
    assert.deepStrictEqual(problemsOf("packages:\n  - packages/*\n"), ["pnpm-workspace.yaml has no catalog"])
  })
})

describe("dependencyProblems", () => {
  it("refuses a version in a manifest", () => {
    const root = temporaryFolder({
      "package.json": JSON.stringify({ devDependencies: { biome: "1.0.0" } }),
      "packages/one/package.json": JSON.stringify({
        dependencies: { ours: "workspace:*", theirs: "catalog:" },
        devDependencies: { loose: "workspace:^" }
      })
    })
    assert.deepStrictEqual(dependencyProblems(root), [
      "package.json: biome is neither catalog: nor workspace:* but 1.0.0",
      "packages/one/package.json: loose is neither catalog: nor workspace:* but workspace:^"
    ])
  })
})

describe("lockfileProblems", () => {
  it("refuses an address, with its line", () => {
    const root = temporaryFolder({
      "pnpm-lock.yaml": "a: 1\nresolution: {tarball: https://registry.test/a.tgz}\n"
    })
    assert.deepStrictEqual(lockfileProblems(root), ["pnpm-lock.yaml:2 names a host"])
  })
})
