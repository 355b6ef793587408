// The scripts behind `npm start`, `npm test` and `npm run check`.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { reasonOf } from "../../../../.workspace/install.mjs"
import { broken, conclude, lineOf } from "../../../../.workspace/tally.mjs"
import { root, runNode } from "./support/runNode.js"
import { temporaryFolder } from "./support/temporaryFolder.js"

// Each test starts Node processes, next to everything else that a test run keeps busy.
const timeout = 60_000

const script = (name: string): string => pathToFileURL(join(root, ".workspace", name)).href

const runModule = (source: string) => runNode(["--input-type=module", "--eval", source])

describe("every script", () => {
  it.each(["start", "test", "check", "build", "format", "conformance", "compliance"])(
    "%s refuses an old Node in one line",
    async (name) => {
      const oldNode = `Object.defineProperty(process, "versions", { value: { node: "18.20.8" } })`
      const preload = `data:text/javascript,${encodeURIComponent(oldNode)}`
      const ended = await runNode(["--import", preload, join(root, ".workspace", `${name}.mjs`)])
      assert.deepStrictEqual(ended, {
        code: 1,
        output: "Pushbutton needs Node 20 or newer; this is Node 18.20.8.\n"
      })
    },
    timeout
  )
})

describe("withLock", () => {
  /** Adds to a counter, reading and writing it in different turns. */
  const counting = (folder: string) => `
    import { readFileSync, writeFileSync } from "node:fs"
    import { setImmediate as turn } from "node:timers/promises"
    import { withLock } from ${JSON.stringify(script("lock.mjs"))}
    const path = ${JSON.stringify(join(folder, "count"))}
    for (let i = 0; i < 5; i++) await withLock(${JSON.stringify(folder)}, async () => {
      const count = Number(readFileSync(path, "utf8"))
      await turn()
      writeFileSync(path, String(count + 1))
    })`

  it(
    "lets one process in at a time",
    async () => {
      const folder = temporaryFolder({ count: "0" })
      const ended = await Promise.all([1, 2, 3].map(() => runModule(counting(folder))))
      assert.deepStrictEqual(ended, Array(3).fill({ code: 0, output: "" }))
      assert.strictEqual(readFileSync(join(folder, "count"), "utf8"), "15")
      assert.isFalse(existsSync(join(folder, "lock")))
    },
    timeout
  )

  it(
    "takes over from a process that died",
    async () => {
      const { pid } = spawnSync(process.execPath, ["--eval", ""])
      const folder = temporaryFolder({ count: "0", lock: JSON.stringify({ host: hostname(), pid }) })
      assert.deepStrictEqual(await runModule(counting(folder)), { code: 0, output: "" })
      assert.strictEqual(readFileSync(join(folder, "count"), "utf8"), "5")
    },
    timeout
  )
})

describe("dropRepeatedSignals", () => {
  it(
    "hands a Ctrl-C on once, though the terminal and npm both send it",
    async () => {
      const ended = await runModule(`
        import { dropRepeatedSignals } from ${JSON.stringify(script("signals.mjs"))}
        dropRepeatedSignals()
        const drain = () => { process.off("SIGINT", drain); console.log("draining") }
        process.on("SIGINT", drain)
        process.emit("SIGINT")
        process.emit("SIGINT")
        console.log("drained")`)
      assert.deepStrictEqual(ended, { code: 0, output: "draining\ndrained\n" })
    },
    timeout
  )

  it(
    "lets a signal end a program that does not listen for it",
    async () => {
      const ended = await runModule(`
        import { dropRepeatedSignals } from ${JSON.stringify(script("signals.mjs"))}
        dropRepeatedSignals()
        process.emit("SIGTERM")
        console.log("still here")`)
      assert.deepStrictEqual(ended, { code: 143, output: "" })
    },
    timeout
  )
})

describe("reasonOf", () => {
  it("says in one line why an installation failed", () => {
    assert.strictEqual(reasonOf("spawn npx ENOENT\n"), "there is no npx; it comes with npm")
    assert.strictEqual(
      reasonOf("npm error code ENOTFOUND\nnpm error network\n"),
      "the package registry cannot be reached"
    )
    for (const code of ["ERR_PNPM_OUTDATED_LOCKFILE", "ERR_PNPM_PACKAGE_MANAGER_NO_IMPORTER"]) {
      assert.match(
        reasonOf(`Error: ${code}\n\n  × installing dependencies\n`) ?? "",
        /^pnpm-lock\.yaml does not match the manifests; `npx pnpm@[\d.]+ install --lockfile-only` brings it up to date$/
      )
    }
    assert.strictEqual(
      reasonOf("first\nERR_PNPM_OTHER something else\nlast\n"),
      "ERR_PNPM_OTHER something else"
    )
    assert.strictEqual(reasonOf("first\nlast\n\n"), "last")
  })
})

describe("the tally of a test run", () => {
  const passing = { passed: 3, failed: 0, skipped: 0 }

  it("is what was reported", () => {
    assert.deepStrictEqual(conclude(passing, 0), { tally: passing, problem: undefined })
    const failing = { passed: 3, failed: 2, skipped: 1 }
    assert.deepStrictEqual(conclude(failing, 1), { tally: failing, problem: undefined })
  })

  it("counts a run that broke, ran nothing, or failed without a failure", () => {
    assert.deepStrictEqual(conclude(undefined, 0).tally, broken)
    assert.deepStrictEqual(conclude({ passed: 0, failed: 0, skipped: 4 }, 0).tally, {
      passed: 0,
      failed: 1,
      skipped: 4
    })
    assert.deepStrictEqual(conclude(passing, 1).tally, { passed: 3, failed: 1, skipped: 0 })
  })

  it("is one line, which names skipped tests only when there are some", () => {
    assert.strictEqual(lineOf(passing), "3 passed, 0 failed")
    assert.strictEqual(lineOf({ passed: 1, failed: 2, skipped: 3 }), "1 passed, 2 failed, 3 skipped")
  })

  it(
    "counts failures that belong to no test",
    async () => {
      const imports = `import { beforeAll, describe, it } from "vitest"\n`
      const folder = temporaryFolder(
        {
          "vitest.config.js": "export default {}\n",
          "tests.test.js": `${imports}it("a", () => {})
            it("b", () => { throw new Error("b") })
            it.skip("c", () => {})
            describe("broken", () => { beforeAll(() => { throw new Error("hook") }); it("d", () => {}) })\n`,
          "load.test.js": `throw new Error("load")\n`,
          "late.test.js": `${imports}it("e", () => { Promise.reject(new Error("late")) })\n`
        },
        join(root, "packages/verification/build")
      )
      const path = join(folder, "tally.json")
      const vitest = join(root, "node_modules/vitest/vitest.mjs")
      const reporter = join(root, ".workspace/reporter.mjs")
      const { code } = await runNode([vitest, "run", "--root", folder, `--reporter=${reporter}`], {
        cwd: folder,
        env: { ...process.env, PUSHBUTTON_TALLY: path }
      })
      assert.strictEqual(code, 1)
      // Passed: a, e. Failed: b, the hook, the module that does not load, the late rejection. Skipped: c, d.
      assert.deepStrictEqual(JSON.parse(readFileSync(path, "utf8")), { passed: 2, failed: 4, skipped: 2 })
    },
    timeout
  )
})
