// `npm test`: builds, runs every package's tests, and ends with one line: `N passed, N failed`.
import "./node.mjs"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundle } from "./bundle.mjs"
import { install } from "./install.mjs"
import { run } from "./run.mjs"
import { setUp } from "./setup.mjs"
import { broken, conclude, lineOf } from "./tally.mjs"
import { checkTypes } from "./types.mjs"
import { root } from "./workspace.mjs"

/** @typedef {import("./tally.mjs").Tally} Tally */

/**
 * @param {string} path
 * @returns {Tally | undefined}
 */
const readTally = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
}

const runTests = async () => {
  const folder = mkdtempSync(join(tmpdir(), "pushbutton-tests-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, "tally.json")
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
  const reporters = ["--reporter=default", `--reporter=${join(root, ".workspace", "reporter.mjs")}`]
  const { code } = await run(process.execPath, [vitest, "run", ...reporters, ...process.argv.slice(2)], {
    env: { ...process.env, PUSHBUTTON_TALLY: path }
  })
  const { problem, tally } = conclude(readTally(path), code)
  if (problem !== undefined) console.error(problem)
  return tally
}

const test = async () => {
  if (!(await setUp(install))) return broken
  // The tests load sources, so they have something to say even when the build fails.
  const built = await setUp(install, checkTypes, bundle)
  const tally = await runTests()
  if (built) return tally
  console.error("The build failed, see above: counted as a failure.")
  return { ...tally, failed: tally.failed + 1 }
}

const tally = await test()
console.log(lineOf(tally))
process.exitCode = tally.failed === 0 ? 0 : 1
