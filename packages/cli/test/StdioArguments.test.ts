import { assert, describe, it } from "@effect/vitest"
import * as StdioArguments from "../src/StdioArguments.js"

const nothing: StdioArguments.StdioArguments = {
  dir: undefined,
  definitions: undefined,
  graceSeconds: undefined,
  modernOnly: false,
  mode: "meta",
  allowCreate: false,
  enableCreated: false,
  rate: undefined,
  maxPresses: undefined,
  taskAfterSeconds: undefined
}

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
    [["--definitions=a.json"], { ...nothing, definitions: "a.json" }],
    [["--mode", "tools", "--rate=3"], { ...nothing, mode: "tools", rate: 3 }],
    [["--mode=meta"], nothing],
    [["--allow-create", "--max-presses", "8"], { ...nothing, allowCreate: true, maxPresses: 8 }],
    [["--enable-created", "--allow-create"], { ...nothing, allowCreate: true, enableCreated: true }],
    [["--task-after=0"], { ...nothing, taskAfterSeconds: 0 }]
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
    [["--mode", "both"]],
    [["--enable-created"]],
    [["--allow-create=enabled"]],
    [["--rate", "0"]],
    [["--rate", "1e3"]],
    [["--max-presses", "1.5"]],
    [["--task-after", "-1"]],
    [["extra"]],
    [["--port", "1"]]
  ])("leaves %j to the command line, which explains", (argv) => {
    assert.isUndefined(StdioArguments.parse(argv))
  })
})
