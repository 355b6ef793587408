import { assert, describe, it } from "@effect/vitest"
import { findNode } from "../../conformance/node.mjs"
import { problemsOf } from "../../conformance/runs.mjs"

const run = { name: "a run", args: [] }
const scenario = (status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO") => ({
  name: "ping",
  checks: [{ id: "ping-answers", status, errorMessage: "no answer" }]
})
const known = { run: "a run", scenario: "ping", check: "ping-answers", reason: "a bug of the suite" }

describe("the verdict on a run", () => {
  it.each([
    ["SUCCESS", []],
    ["SKIPPED", []],
    ["INFO", []],
    ["WARNING", ["WARNING ping: ping-answers: no answer"]],
    ["FAILURE", ["FAILURE ping: ping-answers: no answer"]]
  ] as const)("takes %s for what it is", (status, problems) => {
    assert.deepStrictEqual(problemsOf(run, [scenario(status)], []), problems)
  })

  it("passes what is known with a reason, in its own run only", () => {
    assert.deepStrictEqual(problemsOf(run, [scenario("FAILURE")], [known]), [])
    assert.lengthOf(problemsOf(run, [scenario("FAILURE")], [{ ...known, run: "another" }]), 1)
  })

  it("fails when what is known no longer occurs", () => {
    assert.deepStrictEqual(problemsOf(run, [scenario("SUCCESS")], [known]), [
      "known.json: ping: ping-answers does not occur any more"
    ])
  })
})

describe("the Node of the suite", () => {
  const running = (node: string) => ({ execPath: "/usr/bin/node", versions: { node } })
  const none = (): string => {
    throw new Error("not installed")
  }

  it("is the running one when that is new enough", () => {
    assert.deepStrictEqual(findNode(running("22.0.0"), none), { path: "/usr/bin/node" })
  })

  it("is the installed one when the running one is too old", () => {
    assert.deepStrictEqual(
      findNode(running("20.20.2"), () => "/installed"),
      { path: "/installed" }
    )
  })

  it("is missing, with the reason, when there is neither", () => {
    assert.deepStrictEqual(findNode(running("20.20.2"), none), {
      missing: "The conformance suite needs Node 22 or newer; this is Node 20.20.2."
    })
  })
})
