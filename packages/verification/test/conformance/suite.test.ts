import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { count } from "../../conformance/checks.mjs"
import { findNode } from "../../conformance/node.mjs"
import { startFixture } from "../../conformance/processes.mjs"
import { carryOut, runs } from "../../conformance/runs.mjs"

// A run takes a few seconds; next to everything else that a test run keeps busy, it may take many.
const timeout = 180_000

/** The checks that succeed, for each scenario of each run: one that is no longer made would not be missed else. */
const expected: Readonly<Record<string, Readonly<Record<string, number>>>> = JSON.parse(
  readFileSync(new URL("../../conformance/counts.json", import.meta.url), "utf8")
)

const node = findNode()
const why = "missing" in node ? `, not run: ${node.missing}` : ""

describe.skipIf("missing" in node)(`the official conformance suite${why}`, () => {
  let fixture: Awaited<ReturnType<typeof startFixture>> | undefined

  beforeAll(async () => {
    fixture = await startFixture()
  }, timeout)

  afterAll(() => fixture?.stop())

  // verifies: CORE-01, DISC-01, VER-04
  it.each(runs)(
    "finds no failure and no warning: $name",
    async (run) => {
      if ("missing" in node || fixture === undefined) throw new Error("cannot run")
      const { problems, scenarios } = await carryOut(node.path, fixture.url, run)
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(
        Object.fromEntries(scenarios.map((scenario) => [scenario.name, count(scenario, "SUCCESS")])),
        expected[run.name]
      )
    },
    timeout
  )
})
