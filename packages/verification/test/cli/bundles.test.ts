import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Binary from "../support/binary.js"

const dist = dirname(Binary.script)

/** The sources that a bundle was made of. */
const sourcesOf = (entry: string): ReadonlyArray<string> =>
  JSON.parse(readFileSync(join(dist, `${entry}.js.map`), "utf8")).sources

/** The files of ours that a bundle loads, by static and dynamic import. */
const importsOf = (entry: string): ReadonlyArray<string> =>
  [
    ...readFileSync(join(dist, `${entry}.js`), "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]*)"/g)
  ].flatMap(([, path]) => (path === undefined ? [] : [path]))

describe("bundles", () => {
  // verifies: P-16
  it("keep HTTP and the command line library out of a stdio server", () => {
    const sources = [...sourcesOf("pushbutton"), ...sourcesOf("stdio")]
    assert.isNotEmpty(sources.filter((source) => source.includes("/stdio/src/")))
    for (const unwanted of [
      "/http/src/",
      "/@effect/cli/",
      "/undici/",
      "/@effect/printer",
      "/ajv/",
      "/yaml/"
    ]) {
      assert.deepStrictEqual(
        sources.filter((source) => source.includes(unwanted)),
        []
      )
    }
    assert.notMatch(
      readFileSync(join(dist, "stdio.js"), "utf8"),
      /from\s*["']node:(?:https?|zlib|dns\/promises)["']/
    )
    assert.sameMembers([...new Set(importsOf("stdio"))], ["./outputs.js", "./yaml.js"])
  })

  it("are one file for each entry", () => {
    assert.deepStrictEqual([...importsOf("pushbutton")].sort(), ["./commands.js", "./stdio.js"])
    assert.sameMembers([...new Set(importsOf("commands"))], ["./http.js", "./stdio.js", "./yaml.js"])
    for (const entry of ["stdio", "http"])
      assert.sameMembers([...new Set(importsOf(entry))], ["./outputs.js", "./yaml.js"])
    for (const entry of ["outputs", "yaml"]) assert.deepStrictEqual(importsOf(entry), [])
    for (const entry of ["pushbutton", "stdio", "http", "commands", "outputs", "yaml"])
      assert.isTrue(existsSync(join(dist, `${entry}.js`)))
  })
})
