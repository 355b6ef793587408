import { assert, describe, it } from "@effect/vitest"
import * as StdioArguments from "../src/StdioArguments.js"

describe("StdioArguments", () => {
  it.each([
    [[], { dir: undefined, graceSeconds: undefined }],
    [["--dir", "a folder"], { dir: "a folder", graceSeconds: undefined }],
    [["--dir=a=b", "--grace=0"], { dir: "a=b", graceSeconds: 0 }],
    [["--grace", "1.5", "--dir", "x"], { dir: "x", graceSeconds: 1.5 }]
  ])("reads %j", (argv, expected) => {
    assert.deepStrictEqual(StdioArguments.parse(argv), expected)
  })

  it.each([
    [["--help"]],
    [["--dir"]],
    [["--dir", "--grace"]],
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
