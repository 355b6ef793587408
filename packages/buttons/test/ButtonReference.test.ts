/** Definitions that exist elsewhere load, or are refused for the stated reason. */
import * as Fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { Button } from "@pushbutton/buttons/Button"
import * as Problem from "@pushbutton/buttons/ButtonProblem"
import { decode } from "./support/definitions.js"

const text = (fixture: string) =>
  Fs.readFileSync(new URL(`./fixtures/reference/${fixture}.json`, import.meta.url), "utf8")

describe("Button.decode, definitions of the reference", () => {
  it.each<[string, string, Partial<Button>]>([
    ["20-01-publish-npm", "publish-npm", { timeoutSeconds: 600, mcpEnabled: false }],
    ["20-02-slow", "slow", { args: [], timeoutSeconds: 300 }],
    ["20-03-exposed", "exposed", { mcpEnabled: true }],
    ["20-04-greet", "greet", { args: [{ name: "who", type: "string", required: false, values: [] }] }],
    ["20-05-need", "need", { mcpEnabled: false }],
    ["20-06-slow", "slow", { timeoutSeconds: 300 }],
    ["20-07-fetch", "fetch", { runtime: "http", codeFile: undefined, timeoutSeconds: 30 }],
    ["20-09-hello", "hello", { timeoutSeconds: 60, requiredBatteries: ["OPENAI_API_KEY"] }],
    ["20-10-hello", "hello", { timeoutSeconds: undefined, env: {} }],
    ["20-11-weather", "weather", { runtime: "http", env: {}, timeoutSeconds: undefined }],
    ["20-12-deploy", "deploy", { timeoutSeconds: 60 }],
    ["20-13-weather", "weather", { runtime: "http", mcpEnabled: false }],
    ["20-14-summarize-pr", "summarize-pr", { runtime: "prompt", mcpEnabled: true }]
  ])("loads %s without a remark", (fixture, slug, expected) => {
    const { button, problems } = decode(slug, text(fixture))
    assert.deepStrictEqual(problems, [])
    assert.deepInclude(button, expected)
  })

  it("loads `release` with its queue", () => {
    const { button, problems } = decode("release", text("20-08-release"))
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(button?.queue, { name: "releases", concurrency: 1, key: "" })
    assert.deepStrictEqual(button?.args[0], {
      name: "env",
      type: "enum",
      required: true,
      values: ["staging", "prod"]
    })
    assert.deepStrictEqual(button?.outputSchema, { type: "object", properties: { url: { type: "string" } } })
  })

  it("refuses an app", () => {
    const { button, problems } = decode("deckone", text("20-15-deckone"))
    assert.isUndefined(button)
    assert.include(
      problems.map((problem) => `${problem.severity} ${Problem.format(problem)}`),
      "error buttons/deckone/button.json:5: kind: apps are served, not pressed; this is not a button"
    )
  })

  it("takes a definition with a url for HTTP under any runtime", () => {
    for (const runtime of ["", "shell", "prompt", "unheard-of"]) {
      const changed = text("20-07-fetch").replace('"runtime":"http"', `"runtime":"${runtime}"`)
      assert.strictEqual(decode("fetch", changed).button?.runtime, "http")
    }
  })

  it("refuses an app that asks to be shown to MCP callers", () => {
    const changed = text("20-15-deckone").replace('"mcp_enabled": false', '"mcp_enabled": true')
    assert.isUndefined(decode("deckone", changed).button)
  })
})
