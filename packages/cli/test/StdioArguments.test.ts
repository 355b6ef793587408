import { assert, describe, it } from "@effect/vitest"
import * as StdioArguments from "../src/StdioArguments.js"

describe("StdioArguments", () => {
  it.each([
    [[], { dir: undefined, graceSeconds: undefined, modernOnly: false }],
    [["--dir", "a folder"], { dir: "a folder", graceSeconds: undefined, modernOnly: false }],
    [["--dir=a=b", "--grace=0"], { dir: "a=b", graceSeconds: 0, modernOnly: false }],
    [["--grace", "1.5", "--dir", "x"], { dir: "x", graceSeconds: 1.5, modernOnly: false }],
    [["--modern-only"], { dir: undefined, graceSeconds: undefined, modernOnly: true }],
    [["--modern-only", "--dir", "x"], { dir: "x", graceSeconds: undefined, modernOnly: true }],
    [["--grace=1", "--modern-only"], { dir: undefined, graceSeconds: 1, modernOnly: true }]
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
    [["--grace", "soon"]],
    [["--grace", "-1"]],
    [["--grace", "Infinity"]],
    [["extra"]],
    [["--port", "1"]]
  ])("leaves %j to the command line, which explains", (argv) => {
    assert.isUndefined(StdioArguments.parse(argv))
  })
})
