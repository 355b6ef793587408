import { assert, describe, it } from "@effect/vitest"
import * as StdioArguments from "../src/StdioArguments.js"

const nothing = { dir: undefined, definitions: undefined, graceSeconds: undefined, modernOnly: false }

describe("StdioArguments", () => {
  it.each([
    [[], { ...nothing }],
    [["--dir", "a folder"], { ...nothing, dir: "a folder" }],
    [["--dir=a=b", "--grace=0"], { ...nothing, dir: "a=b", graceSeconds: 0 }],
    [["--grace", "1.5", "--dir", "x"], { ...nothing, dir: "x", graceSeconds: 1.5 }],
    [["--modern-only"], { ...nothing, modernOnly: true }],
    [["--modern-only", "--dir", "x"], { ...nothing, dir: "x", modernOnly: true }],
    [["--grace=1", "--modern-only"], { ...nothing, graceSeconds: 1, modernOnly: true }],
    [["--definitions", "a.yaml", "--dir=x"], { ...nothing, dir: "x", definitions: "a.yaml" }],
    [["--definitions=a.json"], { ...nothing, definitions: "a.json" }]
  ])("reads %j", (argv, expected) => {
    assert.deepStrictEqual(StdioArguments.parse(argv), expected)
  })

  it.each([
    [["--help"]],
    [["--dir"]],
    [["--dir", "--grace"]],
    [["--dir", "--modern-only"]],
    [["--modern-only=yes"]],
    [["--dir="]],
    [["--definitions"]],
    [["--definitions", "--dir", "x"]],
    [["--grace", "soon"]],
    [["--grace", "-1"]],
    [["--grace", "Infinity"]],
    [["extra"]],
    [["--port", "1"]]
  ])("leaves %j to the command line, which explains", (argv) => {
    assert.isUndefined(StdioArguments.parse(argv))
  })
})
