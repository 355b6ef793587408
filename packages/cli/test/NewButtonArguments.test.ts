import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as NewButtonArguments from "../src/NewButtonArguments.js"

const given = (fields: Partial<NewButtonArguments.NewButtonArguments>) =>
  NewButtonArguments.toNewButton({
    name: "greet",
    code: undefined,
    file: undefined,
    prompt: undefined,
    url: undefined,
    runtime: undefined,
    method: undefined,
    headers: [],
    body: undefined,
    description: undefined,
    args: [],
    tags: [],
    batteries: [],
    timeoutSeconds: undefined,
    enabled: false,
    ...fields
  })

const made = (fields: Partial<NewButtonArguments.NewButtonArguments>) => Either.getOrThrow(given(fields))

describe("NewButtonArguments", () => {
  it("reads arguments as the format's own command does", () => {
    const { args } = made({ code: "x", args: ["who:string:required", " env : ENUM : Optional : a | b "] })
    assert.deepStrictEqual(args, [
      { name: "who", type: "string", required: true, values: undefined },
      { name: "env", type: "enum", required: false, values: ["a", "b"] }
    ])
  })

  it.each([
    ["run.py", undefined, "python"],
    ["run.mjs", undefined, "node"],
    ["run", undefined, "shell"],
    ["run.py", "bash", "bash"]
  ] as const)("runs %s, with runtime %s, with %s", (name, runtime, expected) => {
    const { action } = made({ file: { name, text: "x" }, runtime })
    assert.deepStrictEqual(action, { _tag: "Code", runtime: expected, code: "x" })
  })

  it("makes a request with its headers", () => {
    const { action } = made({ url: "https://example.com/", headers: ["Accept: a:b"], body: "{}" })
    assert.deepInclude(action, { _tag: "Http", headers: { Accept: "a:b" }, body: "{}" })
  })

  it.each<[Partial<NewButtonArguments.NewButtonArguments>, string]>([
    [{}, "exactly one"],
    [{ code: "a", prompt: "b" }, "exactly one"],
    [{ prompt: "a", runtime: "bash" }, "--runtime"],
    [{ code: "a", body: "b" }, "--url"],
    [{ code: "a".repeat(65_537) }, "65536"],
    [{ url: "https://example.com/", headers: ["Accept"] }, "Name: value"],
    [{ code: "a", args: ["who"] }, "name:type:required"],
    [{ code: "a", args: ["who:string:maybe"] }, "name:type:required"],
    [{ code: "a", args: ["who:enum:required:a:b"] }, "name:type:required"]
  ])("explains %j", (fields, words) => {
    assert.include(Either.getOrThrow(Either.flip(given(fields))), words)
  })
})
