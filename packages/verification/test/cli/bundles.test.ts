import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { dataFolder } from "../support/buttons.js"
import { modern } from "../support/messages.js"

const dist = dirname(Binary.script)

/** The sources that a bundle was made of. */
const sourcesOf = (entry: string): ReadonlyArray<string> =>
  JSON.parse(readFileSync(join(dist, `${entry}.js.map`), "utf8")).sources

/** The files of ours that a bundle may load. */
const importsOf = (entry: string): Array<string> => [
  ...new Set(
    [...readFileSync(join(dist, `${entry}.js`), "utf8").matchAll(/require\("(\.[^"]*)"\)/g)].flatMap(
      ([, path]) => (path === undefined ? [] : [path])
    )
  )
]

/** Writes down which modules of Node are loaded when the process exits. */
const modulesAtExit = (file: string) =>
  `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(file)}, process.moduleLoadList.join("\\n")))`

describe("bundles", () => {
  // verifies: P-16
  it("keep HTTP and the command line library out of a stdio server", () => {
    const sources = [...sourcesOf("pushbutton"), ...sourcesOf("main"), ...sourcesOf("stdio")]
    assert.isNotEmpty(sources.filter((source) => source.includes("/stdio/src/")))
    for (const unwanted of [
      "/http/src/",
      "/@effect/cli/",
      "/undici/",
      "/@effect/printer",
      "/ajv/",
      "/yaml/",
      "/@noble/"
    ]) {
      assert.deepStrictEqual(
        sources.filter((source) => source.includes(unwanted)),
        []
      )
    }
    assert.sameMembers(importsOf("stdio"), ["./outputs.js", "./decodeDefinitions.js", "./sealing.js"])
  })

  it("are one file for each entry", () => {
    const onDemand = ["outputs", "decodeDefinitions", "sealing"]
    assert.sameMembers(importsOf("main"), ["./commands.js", "./stdio.js"])
    assert.sameMembers(importsOf("commands"), ["./http.js", "./stdio.js", "./decodeDefinitions.js"])
    for (const entry of ["stdio", "http"])
      assert.sameMembers(
        importsOf(entry),
        onDemand.map((name) => `./${name}.js`)
      )
    for (const entry of onDemand) assert.deepStrictEqual(importsOf(entry), [])
    for (const entry of ["pushbutton", "main", "stdio", "http", "commands", ...onDemand])
      assert.isTrue(existsSync(join(dist, `${entry}.js`)))
  })

  it.scopedLive("keep what was compiled of them for the next start", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const cache = join(folder, "cache")
      const kept = () =>
        readdirSync(join(cache, "pushbutton")).map((name) => ({
          name,
          at: statSync(join(cache, "pushbutton", name)).mtimeMs
        }))
      const list = Effect.gen(function* () {
        const binary = yield* Binary.start(["list", "--dir", folder], { XDG_CACHE_HOME: cache })
        assert.strictEqual((yield* binary.exited).code, 0)
        return binary.stdout()
      })
      const first = yield* list
      const afterFirst = kept()
      assert.isTrue(afterFirst.some(({ name }) => name.includes("-commands-")))
      assert.strictEqual(yield* list, first)
      assert.deepStrictEqual(kept(), afterFirst)
    })
  )

  it.scopedLive("leave modules of Node that a listing needs not alone", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const hook = join(folder, "hook.cjs")
      const list = join(folder, "modules")
      writeFileSync(hook, modulesAtExit(list))
      const binary = yield* Binary.start(["stdio", "--dir", folder], { NODE_OPTIONS: `--require "${hook}"` })
      binary.process.stdin.write(`${JSON.stringify(modern(1, "tools/list"))}\n`)
      yield* binary.prints(/"id":1/)
      binary.process.stdin.end()
      assert.strictEqual((yield* binary.exited).code, 0)
      const modules = readFileSync(list, "utf8").split("\n")
      assert.include(modules, "NativeModule net")
      for (const late of [
        "crypto",
        // Elsewhere the system has no file that gives random names.
        ...(process.platform === "linux" ? ["internal/crypto/webcrypto"] : []),
        "child_process",
        "fs/promises",
        "perf_hooks",
        "http",
        "https",
        "zlib",
        "dns/promises"
      ])
        assert.notInclude(modules, `NativeModule ${late}`)
    })
  )
})
