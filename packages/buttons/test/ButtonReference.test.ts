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
    ["20-10-hello", "hello", { timeoutSeconds: undefined, env: {} }],
    ["20-12-deploy", "deploy", { timeoutSeconds: 60 }],
    ["20-14-summarize-pr", "summarize-pr", { runtime: "prompt", mcpEnabled: true }]
  ])("loads %s without a remark", (fixture, slug, expected) => {
    const { button, problems } = decode(slug, text(fixture))
    assert.deepStrictEqual(problems, [])
    assert.deepInclude(button, expected)
  })

  it("loads `release` and says that its queue does nothing", () => {
    const { button, problems } = decode("release", text("20-08-release"))
    assert.deepStrictEqual(problems.map(Problem.format), [
      "buttons/release/button.json:17: queue: queues are not supported; presses do not wait"
    ])
    assert.deepStrictEqual(button?.args[0], {
      name: "env",
      type: "enum",
      required: true,
      values: ["staging", "prod"]
    })
    assert.deepStrictEqual(button?.outputSchema, { type: "object", properties: { url: { type: "string" } } })
  })

  it("loads `hello` and names the battery that it will not get", () => {
    const { button, problems } = decode("hello", text("20-09-hello"))
    assert.strictEqual(button?.timeoutSeconds, 60)
    assert.deepStrictEqual(problems.map(Problem.format), [
      'buttons/hello/button.json:15: requires_batteries: batteries are not supported; "OPENAI_API_KEY" will not be set'
    ])
  })

  it.each([
    ["20-07-fetch", "fetch", "error buttons/fetch/button.json:1: url: HTTP buttons are not supported"],
    ["20-11-weather", "weather", "error buttons/weather/button.json:1: url: HTTP buttons are not supported"],
    ["20-13-weather", "weather", "error buttons/weather/button.json:7: url: HTTP buttons are not supported"],
    [
      "20-15-deckone",
      "deckone",
      "error buttons/deckone/button.json:5: kind: apps are served, not pressed; this is not a button"
    ]
  ])("refuses %s", (fixture, slug, expected) => {
    const { button, problems } = decode(slug, text(fixture))
    assert.isUndefined(button)
    assert.include(
      problems.map((problem) => `${problem.severity} ${Problem.format(problem)}`),
      expected
    )
  })

  it("takes a definition with a url for HTTP under any runtime", () => {
    const changed = text("20-07-fetch").replace('"runtime":"http"', '"runtime":""')
    assert.deepStrictEqual(
      decode("fetch", changed).problems.map((problem) => problem.message),
      ["HTTP buttons are not supported"]
    )
  })

  it("refuses an app that asks to be shown to MCP callers", () => {
    const changed = text("20-15-deckone").replace('"mcp_enabled": false', '"mcp_enabled": true')
    assert.isUndefined(decode("deckone", changed).button)
  })
})
