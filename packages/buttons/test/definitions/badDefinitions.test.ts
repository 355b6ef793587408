/** Definitions that are refused: each with all that is wrong with it, and where. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { decodeText, problemsOf, problemsOfBytes } from "../support/definitionsFile.js"

const at = (place: string, message: string) => `error pushbutton.yaml:${place}: ${message}`

/** A text in which § marks the place that a problem is expected to name. */
const marked = (text: string) => {
  const before = text.slice(0, text.indexOf("§")).split("\n")
  return {
    text: text.replace("§", ""),
    place: `${before.length}:${(before.at(-1) ?? "").length + 1}`
  }
}

/** That all there is to say of a section's only member is this. */
const refuses = (section: string, definition: string, message: string) =>
  Effect.gen(function* () {
    const { place, text } = marked(
      `${section}:\n  ${definition.startsWith("§x:") ? definition : `x: ${definition}`}\n`
    )
    assert.deepStrictEqual(yield* problemsOf(text), [at(place, `${section}.x${message}`)])
  })

const needsQuotes = "must be a string; numbers, true and false need quotes"

describe("a definitions file", () => {
  it.effect.each<[string, string, ReadonlyArray<string>]>([
    [
      "that is no YAML",
      "buttons:\n  a: [1, 2\nprompts: {}\n",
      [
        at(
          "3:1",
          "is no YAML: flow sequence in block collection must be sufficiently indented and end with a ]"
        )
      ]
    ],
    [
      "with a tab as indentation",
      "buttons:\n\ta: 1\n",
      [at("2:1", "is no YAML: tabs are not allowed as indentation")]
    ],
    ["with a name twice", "prompts:\n  a: {text: x}\n  a: {text: y}\n", [at("3:3", "is there twice")]],
    [
      "with two documents",
      "prompts: {}\n---\nbuttons: {}\n",
      [at("2:1", "a second document begins here; one file holds one")]
    ],
    [
      "with an anchor that is not there",
      "buttons: *all\n",
      [at("1:10", "there is no anchor &all above this")]
    ],
    ["with a tag of its own", "buttons: !include x\n", [at("1:10", "is no YAML: unresolved tag: !include")]],
    ["with a name that is a list", "? [a]\n: 1\n", [at("1:3", "a name must be a string")]],
    ["with a number that JSON has not", "prompts: .inf\n", [at("1:10", "is no JSON value")]],
    ["that is a list", "- a\n", [at("1:1", "must be an object")]],
    [
      "with a section that does not exist",
      "button:\n  a: {}\n",
      [
        at(
          "1:1",
          "button: is not known here; what is known: $schema, buttons, resources, resource_templates, prompts"
        )
      ]
    ],
    [
      "with a section that does not exist and is empty",
      "prompts:\nbutton:\n",
      [
        at(
          "2:1",
          "button: is not known here; what is known: $schema, buttons, resources, resource_templates, prompts"
        )
      ]
    ],
    [
      "that is something else",
      "root:*:20000:0:99999:7:::\ndaemon:*:20000:0:99999:7:::\n",
      ["root:*:20000:0:99999:7::", "daemon:*:20000:0:99999:7::"].map((name, index) =>
        at(
          `${index + 1}:1`,
          `${name}: is not known here; what is known: $schema, buttons, resources, resource_templates, prompts`
        )
      )
    ],
    [
      "in JSON, as exactly",
      '{\n  "prompts": {\n    "a": { "text": 5 }\n  }\n}\n',
      [at("3:20", `prompts.a.text: ${needsQuotes}`)]
    ],
    [
      "with several mistakes, in the order of the file",
      [
        "buttons:",
        "  greet:",
        "    code: 5",
        "    runtime: sh",
        "    args:",
        "      - {name: x, type: integer}",
        "      - {type: int}",
        "    env:",
        "      PORT: 8080",
        "    timeout_seconds: 1.5",
        "resources:",
        "  readme:",
        "    text: x",
        ""
      ].join("\n"),
      [
        at("3:11", `buttons.greet.code: ${needsQuotes}`),
        at("4:14", "buttons.greet.runtime: must be one of shell, bash, python, node"),
        at("6:25", "buttons.greet.args[0].type: must be one of string, int, bool, enum"),
        at("7:9", "buttons.greet.args[1].name: is missing"),
        at("9:13", `buttons.greet.env.PORT: ${needsQuotes}`),
        at("10:22", "buttons.greet.timeout_seconds: must be a whole number of seconds above 0"),
        at("12:3", "resources.readme.uri: is missing")
      ]
    ]
  ])("%s", ([, text, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsOf(text), expected)
      assert.isUndefined((yield* decodeText(text)).defined)
    })
  )

  it.effect.each<[string, ReadonlyArray<string | number>, string]>([
    ["in code", ["buttons:\n  é: { code: 'echo ", 0xfc, "' }\n"], "2:20"],
    ["at the beginning", [0xff, 0xfe, "a"], "1:1"],
    ["in a character", ["a: ü", 0xe2, 0x82, "\n"], "1:5"],
    ["at the end, which cuts a character", ["a: b\nc: ", 0xe2, 0x82], "2:4"],
    ["as surrogates", ["a: ", 0xed, 0xa0, 0x80], "1:4"],
    ["behind the sign that stands for such bytes", ["a: \uFFFD", 0x80], "1:5"]
  ])("that is not UTF-8 %s", ([, parts, place]) =>
    Effect.gen(function* () {
      const bytes = parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part)))
      assert.deepStrictEqual(yield* problemsOfBytes(Buffer.concat(bytes)), [at(place, "is not UTF-8")])
    })
  )

  it.effect("may begin with a byte order mark, and hold any character", () =>
    Effect.gen(function* () {
      const { defined, problems } = yield* decodeText("\uFEFFprompts: { a: { text: 'é \uFFFD 😀' } }\n")
      assert.deepStrictEqual(problems, [])
      assert.lengthOf(defined?.prompts ?? [], 1)
    })
  )

  it.effect.each<[string, string, string]>([
    ["nothing to press", "§x: { description: d }", ": needs one of code, file, prompt, url"],
    ["two things to press", "{ code: c, §prompt: p }", ".prompt: cannot stand beside code"],
    ["a runtime for a prompt", "{ prompt: p, §runtime: node }", ".runtime: cannot stand beside prompt"],
    ["a NUL character", '{ code: §"a\\0" }', ".code: contains a NUL character"],
    [
      "too much code",
      `{ code: §${"x".repeat(65_537)} }`,
      ".code: is longer than 65536 bytes; put it into a file"
    ],
    [
      "an argument twice",
      "{ code: c, args: [{ name: a, type: int }, { name: §a, type: int }] }",
      '.args[1].name: "a" is declared twice'
    ],
    [
      "two arguments of one variable",
      "{ code: c, args: [{ name: a-b, type: int }, { name: §A_B, type: int }] }",
      '.args[1].name: "a-b" and "A_B" would both be "BUTTONS_ARG_A_B"'
    ],
    [
      "an enum of one value",
      "{ code: c, args: [{ name: a, type: enum, values: §[v] }] }",
      ".args[0].values: an enum needs at least two values"
    ],
    [
      "a variable that cannot be",
      "{ code: c, env: { A: a, 'A=B': §v } }",
      '.env.A=B: "A=B" cannot be a variable\'s name'
    ],
    ["a url that is none", "{ url: §'ftp://example.com' }", ".url: must begin with http:// or https://"]
  ])("refuses a button with %s", ([, definition, message]) => refuses("buttons", definition, message))

  it.effect.each<[string, string, string]>([
    ["in capitals", "My_Button", 'buttons.My_Button: "My_Button" is not a button name; write "my-button"'],
    ["of nothing usable", "'!'", 'buttons.!: "!" is not a button name; use a-z, 0-9 and -']
  ])("refuses a button name %s", ([, name, message]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsOf(`buttons:\n  ${name}: { code: x }\n`), [at("2:3", message)])
    })
  )

  it.effect.each<[string, string, string]>([
    ["nothing to read", "§x: { uri: 'a:b' }", ": needs one of text, file, command"],
    ["two things to read", "{ uri: 'a:b', text: t, §command: c }", ".command: cannot stand beside text"],
    ["no URI", "{ uri: §readme, text: t }", ".uri: has to be an absolute URI"],
    ["no type", "{ uri: 'a:b', text: t, mime_type: §text }", ".mime_type: has to be a type and a subtype"],
    [
      "a runtime for a text",
      "{ uri: 'a:b', text: t, §runtime: node }",
      ".runtime: needs a command beside it"
    ],
    [
      "a negative time",
      "{ uri: 'a:b', text: t, ttl_ms: §-1 }",
      ".ttl_ms: must be a whole number that is not negative"
    ],
    [
      "a bad variable",
      "{ uri: 'a:b', command: c, env: { 'A=B': §v } }",
      '.env.A=B: "A=B" cannot be a variable\'s name'
    ],
    ["a NUL character", "{ uri: 'a:b', command: §\"\\0\" }", ".command: contains a NUL character"]
  ])("refuses a resource with %s", ([, definition, message]) => refuses("resources", definition, message))

  it.effect("refuses two resources of one URI, whatever its spelling", () =>
    Effect.gen(function* () {
      const text = "resources:\n  a: { uri: 'x:%61', text: x }\n  b: { uri: 'X:a', text: x }\n"
      assert.deepStrictEqual(yield* problemsOf(text), [
        at("3:13", "resources.b.uri: is taken by another resource")
      ])
    })
  )

  it.effect.each<[string, string, string]>([
    [
      "that does not end",
      "{ uri_template: §'x:{a', command: c }",
      ".uri_template: has a brace that is not closed"
    ],
    [
      "with two variables of one name",
      "{ uri_template: §'x:{a}/{A}', command: c }",
      '.uri_template: has "a" and "A", which would both be BUTTONS_ARG_A'
    ],
    [
      "with a variable that no shell can read",
      "{ uri_template: §'x:{a.b}', command: c }",
      '.uri_template: has "a.b", which cannot name a variable'
    ],
    [
      "with a text that fills in what it has not",
      "{ uri_template: 'x:{a}', text: §'{{b}}' }",
      '.text: fills in "b", which is not among the names: there are "a"'
    ]
  ])("refuses a template %s", ([, definition, message]) => refuses("resource_templates", definition, message))

  it.effect.each<[string, string, string]>([
    ["that is not there", "§x:", ": must be an object"],
    ["that says nothing", "§x: {}", ": needs one of text, messages"],
    ["without a message", "{ messages: §[] }", ".messages: are none"],
    [
      "that fills in what it has not",
      "{ messages: [{ role: user, text: §'{{y}}' }] }",
      '.messages[0].text: fills in "y", which is not among the names: there are none'
    ],
    [
      "with braces that do not close",
      "{ text: §'{{ y' }",
      ".text: has {{ without }}; write \\{{ where it stands for itself"
    ],
    [
      "with an argument twice",
      "{ text: t, arguments: [{ name: a }, { name: §a }] }",
      ".arguments[1].name: is there twice"
    ]
  ])("refuses a prompt %s", ([, definition, message]) => refuses("prompts", definition, message))

  it.effect("refuses a prompt with a name that clients cannot use", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsOf("prompts:\n  'a b': { text: x }\n"), [
        at("2:3", "prompts.a b: the name has to be 1 to 128 letters, digits, underscores, hyphens or dots")
      ])
    })
  )

  it.effect.each<[string, string, string]>([
    [
      "aliases of aliases",
      `a: &a [${"x,".repeat(99)}]\n${[..."bcdefg"].map((name, index) => `${name}: &${name} [${`*${"abcdefg"[index]},`.repeat(99)}]`).join("\n")}\n`,
      "stands for more than"
    ],
    ["itself", "buttons: &a { b: *a }", "nested deeper"],
    ["brackets without end", "[".repeat(100_000), "1:130: is nested deeper than 128 levels"],
    ["brackets in brackets", `${"[".repeat(5_000)}${"]".repeat(5_000)}`, "1:130: is nested deeper than 128"],
    ["braces in braces", "{a: ".repeat(100_000), "nested deeper than 128 levels"],
    ["lists in lists on one line", "- ".repeat(100_000), "nested deeper than 128 levels"],
    ["names that are names", "? ".repeat(100_000), "nested deeper than 128 levels"],
    [
      "members of members",
      Array.from({ length: 1_000 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join(""),
      "nested deeper than 128 levels"
    ]
  ])("refuses %s without harm", ([, text, message]) =>
    Effect.gen(function* () {
      const [first = ""] = yield* problemsOf(text)
      assert.include(first, message)
    })
  )
})
