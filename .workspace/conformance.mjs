// `npm run conformance`: the official conformance suite against the everything fixture, with a table of what it found.
import "./node.mjs"
import { install } from "./install.mjs"
import { setUp } from "./setup.mjs"
import { checkTypes } from "./types.mjs"

/** @param {ReadonlyArray<readonly [string, ...ReadonlyArray<string | number>]>} rows */
const print = (rows) => {
  for (const [name, ...cells] of rows) {
    console.log([name.padEnd(46), ...cells.map((cell) => String(cell).padStart(8))].join(""))
  }
}

const conform = async () => {
  // Resolved only now: before, the dependencies may not be there.
  const { findNode } = await import("../packages/verification/conformance/node.mjs")
  const { count } = await import("../packages/verification/conformance/checks.mjs")
  const { runAll } = await import("../packages/verification/conformance/runs.mjs")
  const node = findNode()
  if ("missing" in node) {
    console.log(`Skipped: ${node.missing}`)
    return true
  }
  const outcomes = await runAll(node.path, ({ problems, run, scenarios }) => {
    console.log(`\n# ${run.name}`)
    print([["scenario", "ok", "failed", "warned", "skipped", "info"]])
    print(
      scenarios.map((scenario) => [
        scenario.name,
        count(scenario, "SUCCESS"),
        count(scenario, "FAILURE"),
        count(scenario, "WARNING"),
        count(scenario, "SKIPPED"),
        count(scenario, "INFO")
      ])
    )
    for (const problem of problems) console.log(problem)
  })
  const problems = outcomes.flatMap((outcome) => outcome.problems)
  console.log(problems.length === 0 ? "\nConformant." : `\n${problems.length} problems.`)
  return problems.length === 0
}

process.exitCode = (await setUp(install, checkTypes)) && (await conform()) ? 0 : 1
