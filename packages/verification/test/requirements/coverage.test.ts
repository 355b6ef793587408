import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { render } from "../../requirements/compliance.mjs"
import {
  citationsOf,
  problemsOf,
  readTraceability,
  type Traceability
} from "../../requirements/traceability.mjs"

describe("the requirements of every revision, and the known pitfalls,", () => {
  it("are each shown by a test, or listed with the reason why not", () => {
    assert.deepStrictEqual(problemsOf(readTraceability()), [])
  })

  it("are told in docs/compliance.md as they are (else run `npm run compliance`)", () => {
    const document = readFileSync(new URL("../../../../docs/compliance.md", import.meta.url), "utf8")
    assert.strictEqual(document, render(readTraceability()))
  })
})

const requirement = { id: "CORE-06", level: "MUST", sentence: "Take ids.", page: "basic" }
const pitfall = { id: "P-17", area: "json-rpc", sentence: "Take falsy ids." }
const nothing: Traceability = {
  requirements: [requirement],
  handshake: [],
  pitfalls: [],
  notApplicable: [],
  notImplemented: [],
  citations: []
}
const citation = { id: "CORE-06", file: "a.test.ts", line: 1, standsAboveTest: true }
const listed = { id: "CORE-06", reason: "there are no ids" }

describe("problemsOf", () => {
  it.each<readonly [string, Partial<Traceability>, ReadonlyArray<string>]>([
    ["a requirement that is cited", { citations: [citation] }, []],
    ["a requirement that is not applicable", { notApplicable: [listed] }, []],
    ["a requirement that is not implemented", { notImplemented: [listed] }, []],
    ["a SHOULD that nobody cites", { requirements: [{ ...requirement, level: "SHOULD" }] }, []],
    ["a requirement that nobody cites", {}, ["CORE-06 is shown by no test (MUST): Take ids."]],
    [
      "a requirement of a handshake revision that nobody cites",
      { citations: [citation], handshake: [{ ...requirement, id: "LC-02", revisions: ["2025-11-25"] }] },
      ["LC-02 is shown by no test (MUST): Take ids."]
    ],
    [
      "a rule of our own that nobody cites",
      { requirements: [{ ...requirement, level: "must" }] },
      ["CORE-06 is shown by no test (must): Take ids."]
    ],
    [
      "a requirement that binds the client",
      { requirements: [{ ...requirement, level: "MUST (client)" }] },
      []
    ],
    [
      "a pitfall that nobody cites",
      { citations: [citation], pitfalls: [pitfall] },
      ["P-17 is shown by no test (json-rpc): Take falsy ids."]
    ],
    [
      "pitfalls that are cited or listed",
      {
        citations: [citation, { ...citation, id: "P-17" }],
        pitfalls: [pitfall, { ...pitfall, id: "P-18" }],
        notApplicable: [{ ...listed, id: "P-18" }]
      },
      []
    ],
    [
      "a requirement that is cited and listed",
      { citations: [citation], notImplemented: [listed] },
      ["CORE-06 is listed although a test shows it"]
    ],
    [
      "an id that does not exist",
      { citations: [citation, { ...citation, id: "CORE-6" }] },
      ['a.test.ts:1 cites "CORE-6", which does not exist']
    ],
    [
      "a citation without a test",
      { citations: [{ ...citation, standsAboveTest: false }] },
      ["a.test.ts:1 cites CORE-06, but no test follows"]
    ],
    [
      "a reason that says nothing",
      { notApplicable: [{ ...listed, reason: " " }] },
      ["CORE-06 is listed without a reason"]
    ],
    [
      "a requirement that is listed twice",
      { notApplicable: [listed], notImplemented: [listed] },
      ["CORE-06 is listed twice"]
    ]
  ])("looks at %s", (_, given, problems) => {
    assert.deepStrictEqual(problemsOf({ ...nothing, ...given }), problems)
  })
})

describe("citationsOf", () => {
  it("reads the comments above tests", () => {
    // In pieces, or this file would cite them itself.
    const lines = ["  // verifies", ": CORE-06, META-02\n  // verifies", ': CORE-07\n  it("a", () => {})\n']
    assert.deepStrictEqual(citationsOf("a.test.ts", lines.join("")), [
      { id: "CORE-06", file: "a.test.ts", line: 1, standsAboveTest: true },
      { id: "META-02", file: "a.test.ts", line: 1, standsAboveTest: true },
      { id: "CORE-07", file: "a.test.ts", line: 2, standsAboveTest: true }
    ])
  })
})
