import { assert, describe, it } from "@effect/vitest"
import * as Button from "@pushbutton/buttons/Button"
import * as Problem from "@pushbutton/buttons/ButtonProblem"
import type * as Runtime from "@pushbutton/buttons/Runtime"
import * as Either from "effect/Either"
import { decode, json, jsonValue } from "./support/definitions.js"

const problems = (slug: string, fields: Readonly<Record<string, unknown>>, files?: ReadonlyArray<string>) =>
  decode(slug, json({ name: slug, ...fields }), files).problems.map(
    ({ field, message, severity }) => `${severity} ${field}: ${message}`
  )

describe("Button.decode", () => {
  it("reads a whole definition and keeps the object", () => {
    const { button, problems } = decode(
      "deploy",
      json({
        name: "deploy",
        description: "Ship it",
        runtime: "bash",
        tags: ["release"],
        args: [
          { name: "env", type: "enum", required: true, values: ["staging", "prod"] },
          { name: "dry-run", type: "bool" }
        ],
        env: { REGION: "eu" },
        timeout_seconds: 60,
        mcp_enabled: true,
        output_schema: { type: "object" },
        colour: "red"
      })
    )
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(button, {
      slug: "deploy",
      description: "Ship it",
      runtime: "bash",
      args: [
        { name: "env", type: "enum", required: true, values: ["staging", "prod"] },
        { name: "dry-run", type: "bool", required: false, values: [] }
      ],
      env: { REGION: "eu" },
      requiredBatteries: [],
      http: undefined,
      timeoutSeconds: 60,
      queue: undefined,
      mcpEnabled: true,
      tags: ["release"],
      outputSchema: { type: "object" },
      directory: "/data/buttons/deploy",
      relativeDirectory: "buttons/deploy",
      codeFile: "main.sh",
      noteFile: "AGENTS.md",
      raw: button?.raw ?? {}
    })
    assert.strictEqual(button?.raw["colour"], "red")
  })

  it("takes absent and null fields for their defaults", () => {
    const { button, problems } = decode(
      "bare",
      '{"name":"bare","env":null,"args":null,"tags":null,"timeout_seconds":null}'
    )
    assert.deepStrictEqual(problems, [])
    assert.deepInclude(button, {
      runtime: "shell",
      args: [],
      env: {},
      timeoutSeconds: undefined,
      mcpEnabled: false,
      tags: []
    })
  })

  it.each<[string, Runtime.Runtime, string | undefined]>([
    ["sh", "shell", "main.sh"],
    ["bash", "bash", "main.sh"],
    ["python3", "python", "main.py"],
    ["javascript", "node", "main.js"],
    ["js", "node", "main.js"],
    ["prompt", "prompt", undefined]
  ])("reads runtime %s as %s with code file %s", (alias, runtime, codeFile) => {
    const { button } = decode("x", json({ name: "x", runtime: alias }))
    assert.deepInclude(button, { runtime, codeFile })
  })

  it("prefers AGENTS.md to the older AGENT.md", () => {
    const text = json({ name: "x", runtime: "prompt" })
    assert.strictEqual(decode("x", text, ["AGENT.md", "AGENTS.md"]).button?.noteFile, "AGENTS.md")
    assert.strictEqual(decode("x", text, ["AGENT.md"]).button?.noteFile, "AGENT.md")
  })

  it.each<[string, Readonly<Record<string, unknown>>, ReadonlyArray<string>]>([
    ["a later schema", { schema_version: 3 }, ["warning schema_version: is 3; versions 1 and 2 are known"]],
    [
      "a foreign name",
      { name: "other" },
      ['error name: is "other" but the folder is "x"; the two must be equal']
    ],
    [
      "a name in another spelling",
      { name: "X!" },
      ['warning name: is "X!" but the folder is "x"; the two must be equal']
    ],
    ["an app", { kind: "app" }, ["error kind: apps are served, not pressed; this is not a button"]],
    [
      "a url, whatever the runtime",
      { url: "https://example.com" },
      ['warning runtime: is "shell", but the url makes this an HTTP button']
    ],
    ["runtime http without url", { runtime: "http" }, ["error runtime: an HTTP button needs a url"]],
    ["an unknown runtime", { runtime: "Bash" }, ['error runtime: unknown runtime "Bash"']],
    ["a timeout as text", { timeout_seconds: "60" }, ["error timeout_seconds: must be a whole number"]],
    ["a timeout of nothing", { timeout_seconds: 0 }, ["warning timeout_seconds: is 0; the default is used"]],
    [
      "a timeout of days",
      { timeout_seconds: 90_000 },
      ["warning timeout_seconds: is 90000: longer than a day"]
    ],
    ["exposure as text", { mcp_enabled: "yes" }, ["error mcp_enabled: must be true or false"]],
    ["args as an object", { args: {} }, ["error args: must be an array"]],
    ["an arg that is no object", { args: ["x"] }, ["error args[0]: must be an object"]],
    ["an arg without a name", { args: [{ type: "int" }] }, ["error args[0].name: is missing or empty"]],
    [
      "an arg without a type",
      { args: [{ name: "a" }] },
      ['error args[0].type: unknown type ""; use string, int, bool or enum']
    ],
    [
      "an arg type in capitals",
      { args: [{ name: "a", type: "Bool" }] },
      ['warning args[0].type: is read as "bool"; write it that way']
    ],
    [
      "an arg type of another language",
      { args: [{ name: "a", type: "number" }] },
      ['error args[0].type: unknown type "number"; use string, int, bool or enum']
    ],
    [
      "an arg that no variable can be named after",
      { args: [{ name: "a=b", type: "int" }] },
      ['error args[0].name: "a=b" cannot be the name of an environment variable']
    ],
    [
      "an arg that a shell cannot read",
      { args: [{ name: "a b", type: "int" }] },
      ['warning args[0].name: "a b" cannot be read by a shell script; use letters, digits, - and _']
    ],
    [
      "an arg that is declared twice",
      {
        args: [
          { name: "a", type: "int" },
          { name: "a", type: "int" }
        ]
      },
      ['error args[1].name: "a" is declared twice']
    ],
    [
      "two args in one variable",
      {
        args: [
          { name: "dry-run", type: "bool" },
          { name: "Dry_run", type: "bool" }
        ]
      },
      ['error args[1].name: "dry-run" and "Dry_run" would both be "BUTTONS_ARG_DRY_RUN"']
    ],
    [
      "an enum of one",
      { args: [{ name: "a", type: "enum", values: ["x"] }] },
      ["error args[0].values: an enum needs at least two values"]
    ],
    [
      "an enum with a repeated value",
      { args: [{ name: "a", type: "enum", values: ["x", "x"] }] },
      ["error args[0].values: a value is there twice"]
    ],
    [
      "an enum with an empty value",
      { args: [{ name: "a", type: "enum", values: ["x", ""] }] },
      ["error args[0].values: a value is empty"]
    ],
    [
      "values of a non-enum",
      { args: [{ name: "a", type: "int", values: ["x"] }] },
      ["warning args[0].values: only an enum has values; they are ignored"]
    ],
    ["env as an array", { env: ["A=1"] }, ["error env: must be an object of strings"]],
    ["an env value that is no text", { env: { A: 1 } }, ["error env.A: must be a string"]],
    ["an env name with =", { env: { "A=B": "" } }, ['error env.A=B: "A=B" cannot be a variable\'s name']],
    ["an env value with NUL", { env: { A: "x\0" } }, ["error env.A: contains a NUL character"]],
    [
      "an env entry that no process can get",
      { env: { A: "x".repeat(131_070) } },
      ["error env.A: is longer than 131071 bytes"]
    ],
    ["a tag that is no text", { tags: ["a", 1] }, ["error tags[1]: must be a string"]],
    ["an output schema that is none", { output_schema: 1 }, ["warning output_schema: must be an object"]],
    [
      "a queue without a name",
      { queue: {} },
      ["warning queue: has no name; presses run one at a time and do not wait"]
    ],
    ["a queue that is none", { queue: "releases" }, ["error queue: must be an object"]],
    [
      "batteries",
      { runtime: "prompt", requires_batteries: ["KEY"] },
      ["warning requires_batteries: only a script is given batteries; here they are just checked for"]
    ],
    [
      "a field in another case",
      { MCP_Enabled: true },
      ['warning MCP_Enabled: is read as "mcp_enabled"; write it that way']
    ]
  ])("reports %s", (_, fields, expected) => {
    assert.deepStrictEqual(problems("x", fields), expected)
  })

  it("obeys a field in its own spelling before one in another", () => {
    assert.isFalse(decode("x", json({ name: "x", mcp_enabled: false, MCP_ENABLED: true })).button?.mcpEnabled)
    assert.isTrue(decode("x", json({ name: "x", MCP_ENABLED: true })).button?.mcpEnabled)
  })

  it("misses no file where the runtime is unknown", () => {
    assert.deepStrictEqual(problems("x", { runtime: "perl" }, []), ['error runtime: unknown runtime "perl"'])
  })

  it("collects every problem, with the line of each, in the order of the lines", () => {
    const text = `{
  "name": "other",
  "runtime": "ruby",
  "args": [
    { "name": "a", "type": "int" },
    {
      "name": "A",
      "type": "number"
    }
  ],
  "timeout_seconds": 1.5
}`
    const { button, problems } = decode("Bad_Name", text)
    assert.isUndefined(button)
    assert.deepStrictEqual(problems.map(Problem.format), [
      'buttons/Bad_Name: the folder\'s name is not a button name; rename it to "bad-name"',
      'buttons/Bad_Name/button.json:2: name: is "other" but the folder is "Bad_Name"; the two must be equal',
      'buttons/Bad_Name/button.json:3: runtime: unknown runtime "ruby"',
      'buttons/Bad_Name/button.json:7: args[1].name: "a" and "A" would both be "BUTTONS_ARG_A"',
      'buttons/Bad_Name/button.json:8: args[1].type: unknown type "number"; use string, int, bool or enum',
      "buttons/Bad_Name/button.json:11: timeout_seconds: must be a whole number"
    ])
  })

  it.each([
    ['{\n  "name": "x",\n}', "buttons/x/button.json:3: column 1: expected a field name in double quotes"],
    ["[]", "buttons/x/button.json: must hold a JSON object"]
  ])("refuses a file that holds no definition: %j", (text, expected) => {
    const { button, mcpEnabled, problems } = decode("x", text)
    assert.deepStrictEqual(
      [button, mcpEnabled, problems.map(Problem.format)],
      [undefined, undefined, [expected]]
    )
  })

  it("refuses a definition that is nested too deep to handle", () => {
    const { button, problems } = decode("x", `{"name":"x","a":${"[".repeat(200)}${"]".repeat(200)}}`)
    assert.isUndefined(button)
    assert.deepStrictEqual(problems.map(Problem.format), [
      "buttons/x/button.json: is nested deeper than 128 levels"
    ])
  })

  it("remarks on a name that is there more than once, and takes the last one", () => {
    const { button, problems } = decode(
      "x",
      [
        '{"schema_version": 2, "name": "x", "mcp_enabled": false,',
        '"env": {"A:": "\\"b\\": ", "A": "1", "\\u0041": "2"},',
        '"args": [{"name": "n", "type": "int"}, {"name": "m", "type": "bool", "type": "int"}],',
        '"mcp_enabled": true, "__proto__": 1, "__proto__": 2}'
      ].join("\n")
    )
    assert.deepInclude(button, { mcpEnabled: true, env: { "A:": '"b": ', A: "2" } })
    assert.deepStrictEqual(
      problems.map((problem) => `${problem.severity} ${Problem.format(problem)}`),
      [["2: env.A", "3: args[1].type", "4: mcp_enabled", "4: __proto__"]]
        .flat()
        .map(
          (field) => `warning buttons/x/button.json:${field}: is there more than once; the last one counts`
        )
    )
  })

  it("says why there is no text", () => {
    const place = { slug: "x", directory: "/d/x", relativeDirectory: "x", files: new Set<string>() }
    const decoded = Button.decode({ ...place, text: Either.left("is missing") })
    assert.deepStrictEqual(decoded.problems.map(Problem.format), ["x/button.json: is missing"])
  })

  it("loads a button whose code is missing, and says that it is", () => {
    const { button, problems } = decode("x", json({ name: "x", runtime: "python" }), ["button.json"])
    assert.isUndefined(button?.codeFile)
    assert.deepStrictEqual(problems, [
      {
        slug: "x",
        file: "buttons/x/main.py",
        severity: "error",
        message: "is missing: it holds the button's code"
      }
    ])
  })

  it("loads a prompt whose note is missing, and says that it is", () => {
    const { button, problems } = decode("x", json({ name: "x", runtime: "prompt" }), [])
    assert.strictEqual(button?.runtime, "prompt")
    assert.deepStrictEqual(problems.map(Problem.format), [
      "buttons/x/AGENTS.md: is missing: it holds the prompt"
    ])
  })

  it("remembers of a broken button whether it was for MCP callers", () => {
    assert.isTrue(decode("x", json({ name: "y", mcp_enabled: true })).mcpEnabled)
  })

  it.prop("is total on any JSON", { value: jsonValue() }, ({ value }) => {
    const decoded = decode("x", JSON.stringify(value))
    assert.isArray(decoded.problems)
  })
})
