import * as Fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { Defined } from "@pushbutton/buttons/definitions/Definitions"
import * as Prompt from "@pushbutton/server/PromptRegistry"
import * as Resources from "@pushbutton/server/ResourceRegistry"
import * as Effect from "effect/Effect"
import { decodeText, problemsOf } from "../support/definitionsFile.js"

const defined = (text: string): Effect.Effect<Defined> =>
  Effect.map(decodeText(text), ({ defined, problems }) => {
    assert.deepStrictEqual(problems, [])
    assert.isDefined(defined)
    return defined ?? { buttons: [], resources: [], prompts: [] }
  })

const fileAt = (path: string) => Fs.readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8")

describe("decodeDefinitions", () => {
  it.effect("reads the file of the guide, and that of the examples", () =>
    Effect.gen(function* () {
      const [, guide = ""] = fileAt("docs/guide/definitions.md").match(/<<'END'\n(.*?)\nEND\n/s) ?? []
      for (const text of [guide, fileAt("packages/cli/examples/pushbutton.yaml")]) {
        const { buttons, prompts, resources } = yield* defined(text)
        assert.isTrue([buttons, prompts, resources].every(({ length }) => length > 0))
      }
    })
  )

  it.effect("reads a button with its code, as one of a folder", () =>
    Effect.gen(function* () {
      const { buttons } = yield* defined(`
buttons:
  greet:
    description: Greets somebody
    code: |
      echo "hello $BUTTONS_ARG_WHO"
    args:
      - { name: who, type: string, required: true }
    env: { LANG: C }
    timeout_seconds: 10
    mcp_enabled: true
    tags: [demo]
    output_schema: { const: null }
  poll:
    file: scripts/poll.py
    runtime: python
  review:
    prompt: Review it.
  weather:
    url: https://wttr.in/{{city}}?format=j1
    args: [{ name: city, type: string, required: true }]
`)
      const [greet, poll, review, weather] = buttons
      assert.deepInclude(greet, { file: "pushbutton.yaml", line: 3, column: 3, note: undefined })
      assert.deepInclude(greet?.button, {
        slug: "greet",
        description: "Greets somebody",
        runtime: "shell",
        inlineCode: 'echo "hello $BUTTONS_ARG_WHO"\n',
        codeFile: undefined,
        args: [{ name: "who", type: "string", required: true, values: [] }],
        env: { LANG: "C" },
        timeoutSeconds: 10,
        mcpEnabled: true,
        tags: ["demo"],
        outputSchema: { const: null }
      })
      assert.deepInclude(poll?.button, {
        runtime: "python",
        directory: "/project",
        codeFile: "scripts/poll.py",
        inlineCode: undefined,
        mcpEnabled: false
      })
      assert.deepInclude(review, { note: "Review it." })
      assert.deepInclude(review?.button, { runtime: "prompt", codeFile: undefined })
      assert.strictEqual(weather?.button.runtime, "http")
    })
  )

  it.effect("takes a file of comments, and a section of comments, for nothing", () =>
    Effect.gen(function* () {
      for (const text of ["", "# nothing\n", "buttons:\n  # nothing\nprompts: {}\n", "{}"]) {
        assert.deepStrictEqual(yield* defined(text), { buttons: [], resources: [], prompts: [] })
      }
    })
  )

  it.effect("reads JSON, with tabs and with anchors' signs in texts", () =>
    Effect.gen(function* () {
      const { buttons } = yield* defined(
        '{\n\t"buttons": {\n\t\t"a": { "code": "echo *x &y !z # no comment" }\n\t}\n}\n'
      )
      assert.strictEqual(buttons[0]?.button.inlineCode, "echo *x &y !z # no comment")
    })
  )

  it.effect("puts in what an alias stands for", () =>
    Effect.gen(function* () {
      const { buttons } = yield* defined(`
buttons:
  a: { code: a, env: &env { X: "1" } }
  b: { code: b, env: *env }
`)
      assert.deepStrictEqual(buttons[1]?.button.env, { X: "1" })
    })
  )

  it.effect("keeps a button that it has something to remark on", () =>
    Effect.gen(function* () {
      const text = "buttons:\n  a: { code: a, timeout_seconds: 90000 }\n"
      assert.deepStrictEqual(yield* problemsOf(text), [
        "warning pushbutton.yaml:2:34: buttons.a.timeout_seconds: is 90000: longer than a day"
      ])
      assert.lengthOf((yield* decodeText(text)).defined?.buttons ?? [], 1)
    })
  )

  it.scoped("lists resources and templates with what is said of them", () =>
    Effect.gen(function* () {
      const { resources } = yield* defined(`
resources:
  readme:
    uri: Notes://readme
    title: Read me
    description: How the notes are kept
    mime_type: text/markdown
    ttl_ms: 1000
    text: "# Notes"
resource_templates:
  note:
    uri_template: notes://{id}{?part}
    title: A note
    command: cat "$BUTTONS_ARG_ID"
`)
      const registry = Resources.make()
      yield* registry.add(resources.map(({ resource }) => resource))
      assert.deepStrictEqual(
        registry.resources().map(({ definition, hints }) => ({ definition, hints })),
        [
          {
            definition: {
              uri: "notes://readme",
              name: "readme",
              title: "Read me",
              description: "How the notes are kept",
              mimeType: "text/markdown"
            },
            hints: { ttlMs: 1000 }
          }
        ]
      )
      assert.deepStrictEqual(
        registry.templates().map(({ definition }) => definition),
        [{ uriTemplate: "notes://{id}{?part}", name: "note", title: "A note" }]
      )
    })
  )

  it.scoped("lists prompts with their arguments", () =>
    Effect.gen(function* () {
      const { prompts } = yield* defined(`
prompts:
  review:
    title: Review
    description: Reviews code
    arguments:
      - { name: code, description: What to review, required: true }
      - { name: language, title: Language }
    text: Review {{code}}
`)
      const registry = Prompt.make()
      yield* registry.add(prompts.map(({ prompt }) => prompt))
      assert.deepStrictEqual(
        registry.prompts().map(({ definition }) => definition),
        [
          {
            name: "review",
            title: "Review",
            description: "Reviews code",
            arguments: [
              { name: "code", description: "What to review", required: true },
              { name: "language", title: "Language" }
            ]
          }
        ]
      )
    })
  )
})
