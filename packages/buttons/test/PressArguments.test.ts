import { assert, describe, it } from "@effect/vitest"
import type { ArgDef, ArgType } from "@pushbutton/buttons/Button"
import * as PressArguments from "@pushbutton/buttons/PressArguments"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"

const arg = (name: string, type: ArgType, required = true): ArgDef => ({
  name,
  type,
  required,
  values: type === "enum" ? ["staging", "prod"] : []
})

const encode = (args: ReadonlyArray<ArgDef>, input: JsonObject, limit?: number) =>
  Either.match(PressArguments.encode(args, input, limit), {
    onLeft: ({ code, issues }) => ({ code, details: issues.map(({ detail }) => detail) }),
    onRight: ({ env }) => env
  })

describe("PressArguments.encode", () => {
  it.each<[ArgType, JsonValue, string]>([
    ["string", "", ""],
    ["string", "a=b\nc", "a=b\nc"],
    ["int", "007", "007"],
    ["int", "+5", "+5"],
    ["int", "-9223372036854775808", "-9223372036854775808"],
    ["int", "9223372036854775807", "9223372036854775807"],
    ["int", 42, "42"],
    ["int", -0, "0"],
    ["bool", "TRUE", "TRUE"],
    ["bool", "0", "0"],
    ["bool", true, "true"],
    ["bool", 1, "1"],
    ["enum", "prod", "prod"]
  ])("passes %s %j on as %j", (type, value, text) => {
    assert.deepStrictEqual(encode([arg("a", type)], { a: value }), { BUTTONS_ARG_A: text })
  })

  it.each<[ArgType, JsonValue, string]>([
    ["string", 1, "must be a string"],
    ["string", ["x"], "must be a string"],
    ["string", "x\0", "contains a NUL character"],
    ["int", "", "must be a whole number of at most 64 bits"],
    ["int", "+", "must be a whole number of at most 64 bits"],
    ["int", " 1", "must be a whole number of at most 64 bits"],
    ["int", "1\n", "must be a whole number of at most 64 bits"],
    ["int", "0x1", "must be a whole number of at most 64 bits"],
    ["int", "1_000", "must be a whole number of at most 64 bits"],
    ["int", "9223372036854775808", "must be a whole number of at most 64 bits"],
    ["int", "-9223372036854775809", "must be a whole number of at most 64 bits"],
    ["int", 1.5, "must be a whole number of at most 64 bits"],
    ["int", 1e300, "must be a whole number of at most 64 bits"],
    ["int", true, "must be a whole number of at most 64 bits"],
    ["bool", "yes", "must be true or false"],
    ["bool", 2, "must be true or false"],
    ["enum", "PROD", 'must be one of "staging", "prod"'],
    ["enum", 1, 'must be one of "staging", "prod"']
  ])("refuses %s %j", (type, value, problem) => {
    assert.deepStrictEqual(encode([arg("a", type)], { a: value }), {
      code: "VALIDATION_ERROR",
      details: [`"a" ${problem}`]
    })
  })

  it("names variables in upper case with underscores", () => {
    assert.deepStrictEqual(encode([arg("dry-run_x.y", "string")], { "dry-run_x.y": "1" }), {
      "BUTTONS_ARG_DRY_RUN_X.Y": "1"
    })
  })

  it("sets no variable for an optional argument that is absent or null", () => {
    const args = [arg("a", "string", false), arg("b", "int", false)]
    assert.deepStrictEqual(encode(args, { a: null }), {})
  })

  it("reports missing arguments as such, null included", () => {
    assert.deepStrictEqual(encode([arg("a", "string"), arg("b", "int")], { b: null }), {
      code: "MISSING_ARG",
      details: ['"a" is required', '"b" is required']
    })
  })

  it.each<[string, JsonObject]>([
    ["env", { ENV: "prod", env: "staging" }],
    ["env", { env: "staging", Env: "prod" }]
  ])("refuses a second spelling of %s: %j", (name, input) => {
    const result = encode([arg(name, "enum")], input)
    assert.deepInclude(result, { code: "VALIDATION_ERROR" })
  })

  it("refuses a name with `=` instead of splitting it", () => {
    assert.deepStrictEqual(encode([arg("a", "string", false)], { "a=b": "c" }), {
      code: "VALIDATION_ERROR",
      details: ['"a=b" is not an argument of this button; it takes "a"']
    })
  })

  it("does not take inherited properties for arguments", () => {
    assert.deepStrictEqual(encode([arg("constructor", "string", false)], {}), {})
    assert.deepStrictEqual(encode([arg("constructor", "string")], {}), {
      code: "MISSING_ARG",
      details: ['"constructor" is required']
    })
  })

  it("reports everything that is wrong at once", () => {
    assert.deepStrictEqual(
      encode([arg("a", "int"), arg("b", "bool"), arg("c", "string")], { a: "x", b: "y", d: 1 }),
      {
        code: "VALIDATION_ERROR",
        details: [
          '"d" is not an argument of this button; it takes "a", "b", "c"',
          '"a" must be a whole number of at most 64 bits',
          '"b" must be true or false',
          '"c" is required'
        ]
      }
    )
  })

  it("accepts the longest entry that Linux does, counted in bytes, and refuses one byte more", () => {
    // "BUTTONS_ARG_A=" takes 14 bytes.
    const fits = `${"é".repeat((131_071 - 14 - 1) / 2)}x`
    assert.deepStrictEqual(Object.keys(encode([arg("a", "string")], { a: fits })), ["BUTTONS_ARG_A"])
    assert.deepStrictEqual(encode([arg("a", "string")], { a: `${fits}x` }), {
      code: "VALIDATION_ERROR",
      details: ['"a" is too long: about 128 KiB fit']
    })
    assert.deepStrictEqual(
      Object.keys(encode([arg("a", "string")], { a: `${fits}x` }, Number.POSITIVE_INFINITY)),
      ["BUTTONS_ARG_A"]
    )
  })
})
