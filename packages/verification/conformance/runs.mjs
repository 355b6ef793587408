// The runs that make up conformance, and how they are judged: any failure or warning counts, in scored and unscored
// scenarios alike, unless `known.json` names it with a reason; so does a known one that no longer occurs.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isBad, readScenarios } from "./checks.mjs"
import { runSuite, startFixture } from "./processes.mjs"

/** @typedef {import("./checks.mjs").Scenario} Scenario */

const baseline = fileURLToPath(new URL("strict.yml", import.meta.url))

/**
 * @typedef {object} Run
 * @property {string} name
 * @property {ReadonlyArray<string>} args
 */

/** @type {ReadonlyArray<Run>} */
export const runs = [
  {
    name: "requirements 2026-07-28",
    args: ["--requirements", "2026-07-28"]
  },
  {
    name: "all of 2026-07-28",
    args: ["--suite", "all", "--spec-version", "2026-07-28"]
  },
  {
    name: "requirements 2025-11-25",
    args: ["--requirements", "2025-11-25"]
  },
  {
    name: "all of 2025-11-25",
    args: ["--suite", "all", "--spec-version", "2025-11-25"]
  },
  {
    name: "pending",
    args: ["--suite", "pending"]
  }
]

/**
 * @typedef {object} Known
 * @property {string} run
 * @property {string} scenario
 * @property {string} check
 * @property {string} reason
 */

/** @type {ReadonlyArray<Known>} */
export const known = JSON.parse(readFileSync(new URL("known.json", import.meta.url), "utf8"))

/**
 * What a run found against what is known of it.
 * @param {Run} run
 * @param {ReadonlyArray<Scenario>} scenarios
 * @param {ReadonlyArray<Known>} expected
 * @returns {ReadonlyArray<string>}
 */
export const problemsOf = (run, scenarios, expected = known) => {
  const mine = expected.filter((one) => one.run === run.name)
  const found = scenarios.flatMap(({ checks, name }) =>
    checks.filter(isBad).map((check) => ({ scenario: name, ...check }))
  )
  /** @param {{ readonly scenario: string, readonly id: string }} check */
  const isKnown = ({ id, scenario }) => mine.some((one) => one.scenario === scenario && one.check === id)
  const fresh = found
    .filter((check) => !isKnown(check))
    .map(({ errorMessage, id, scenario, status }) => `${status} ${scenario}: ${id}: ${errorMessage ?? ""}`)
  const stale = mine
    .filter((one) => !found.some((check) => check.scenario === one.scenario && check.id === one.check))
    .map(({ check, scenario }) => `known.json: ${scenario}: ${check} does not occur any more`)
  return [...fresh, ...stale]
}

/**
 * @typedef {object} Outcome
 * @property {Run} run
 * @property {ReadonlyArray<Scenario>} scenarios
 * @property {ReadonlyArray<string>} problems
 */

/**
 * @param {string} node
 * @param {string} url the fixture's
 * @param {Run} run
 * @returns {Promise<Outcome>}
 */
export const carryOut = async (node, url, run) => {
  const folder = mkdtempSync(join(tmpdir(), "pushbutton-conformance-"))
  try {
    const args = ["server", "--url", url, ...run.args, "--expected-failures", baseline, "-o", folder]
    const { code, output } = await runSuite(node, args)
    const scenarios = readScenarios(folder)
    const bad = scenarios.some(({ checks }) => checks.some(isBad))
    const broken =
      scenarios.length === 0 || (code !== 0 && !bad)
        ? [`The suite ended with code ${code} and no check that says why.\n${output}`]
        : []
    return { run, scenarios, problems: [...broken, ...problemsOf(run, scenarios)] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * All runs, one after another, against one fixture.
 * @param {string} node
 * @param {(outcome: Outcome) => void} [onOutcome]
 * @returns {Promise<ReadonlyArray<Outcome>>}
 */
export const runAll = async (node, onOutcome = () => {}) => {
  const fixture = await startFixture()
  try {
    const outcomes = []
    for (const run of runs) {
      const outcome = await carryOut(node, fixture.url, run)
      onOutcome(outcome)
      outcomes.push(outcome)
    }
    return outcomes
  } finally {
    await fixture.stop()
  }
}
