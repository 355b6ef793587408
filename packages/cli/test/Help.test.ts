import { assert, describe, it } from "@effect/vitest"
import manifest from "../package.json" with { type: "json" }
import * as Help from "../src/Help.js"
import { version } from "../src/Version.js"

describe("Help", () => {
  it("gives the overview when nothing else is asked", () => {
    for (const words of [[], ["--help"], ["-h"], ["help"]]) assert.isTrue(Help.asksForOverview(words))
    for (const words of [["list"], ["list", "--help"], ["--version"]])
      assert.isFalse(Help.asksForOverview(words))
  })

  it("finds a request for help wherever it stands in a command", () => {
    assert.deepStrictEqual(Help.helpFirst(["http", "--dir", "x", "-h"]), ["http", "--help"])
    assert.deepStrictEqual(Help.helpFirst(["http", "--dir", "x"]), ["http", "--dir", "x"])
    assert.deepStrictEqual(Help.helpFirst(["--help"]), ["--help"])
  })
})

describe("splitOptions", () => {
  it("cuts an option from its value at the first equals sign", () => {
    assert.deepStrictEqual(Help.splitOptions(["press", "x", "--arg=a=b", "--json", "a=b", "--dir="]), [
      "press",
      "x",
      "--arg",
      "a=b",
      "--json",
      "a=b",
      "--dir",
      ""
    ])
  })
})

describe("tidy", () => {
  it("keeps what an author wrote and drops what the library adds", () => {
    const raw = [
      "$ press (-a, --arg key=value)... [--json] <NAME>",
      "",
      "--json",
      "",
      "  A true or false value.",
      "",
      "  Print one JSON document.",
      "",
      "  This setting is optional.",
      ""
    ].join("\n")
    assert.strictEqual(
      Help.tidy(raw),
      "$ pushbutton press [-a, --arg key=value]... [--json] <NAME>\n\n--json\n\n  Print one JSON document."
    )
  })
})

describe("version", () => {
  it("is the version of the package", () => {
    assert.strictEqual(version, manifest.version)
  })
})
