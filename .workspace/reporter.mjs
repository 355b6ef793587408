// Counts a test run for test.mjs: written to the file that the environment names, once the run is over.
import { writeFileSync } from "node:fs"
import { env } from "node:process"

/** @typedef {import("vitest/node").TestModule} TestModule */

export default class Tally {
  /**
   * @param {ReadonlyArray<TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandled errors that belong to no test
   */
  onTestRunEnd(modules, unhandled) {
    const tally = { passed: 0, failed: unhandled.length, skipped: 0 }
    for (const module of modules) {
      // A module or a suite that breaks outside of its tests has errors of its own; their tests did not run.
      for (const suite of [module, ...module.children.allSuites()]) tally.failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        tally[state === "pending" ? "failed" : state] += 1
      }
    }
    if (env.PUSHBUTTON_TALLY !== undefined) writeFileSync(env.PUSHBUTTON_TALLY, JSON.stringify(tally))
  }
}
