/** The command with a definitions file. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { temporaryFolder } from "../support/buttons.js"

const definitions = `
buttons:
  greet: { code: 'echo "hello $BUTTONS_ARG_WHO"', args: [{ name: who, type: string, required: true }] }
resources:
  readme: { uri: 'notes://readme', text: Read me }
prompts:
  review: { text: Review it }
`

const place = Effect.map(temporaryFolder, (folder) => {
  const file = join(folder, "pushbutton.yaml")
  writeFileSync(file, definitions)
  return { folder, file, options: ["--dir", folder, "--definitions", file] }
})

const run = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const binary = yield* Binary.start(args, env)
    const { code } = yield* binary.exited
    return { code, stdout: binary.stdout(), stderr: binary.stderr() }
  })

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

const request = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } })}\n`

describe("pushbutton --definitions", () => {
  it.scopedLive("lists, presses and checks what the file has", () =>
    Effect.gen(function* () {
      const { file, options } = yield* place
      assert.match((yield* run(["list", ...options])).stdout, /^ {2}greet {2}who=$/m)
      assert.strictEqual((yield* run(["press", "greet", "-a", "who=Ada", ...options])).stdout, "hello Ada\n")
      assert.strictEqual((yield* run(["check", ...options])).code, 0)
      writeFileSync(file, "buttons:\n  greet: { cod: x }\n")
      const { code, stdout } = yield* run(["check", ...options])
      assert.strictEqual(code, 1)
      assert.match(stdout, /^error: pushbutton\.yaml:2:12: buttons\.greet\.cod: is not known here/m)
    })
  )

  it.scopedLive("needs no folder beside the file, and says what is in the file", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* place
      const home = { HOME: folder }
      const { code, stdout } = yield* run(["check", "--definitions", file], home)
      assert.strictEqual(code, 0)
      assert.match(stdout, / and \S+\/pushbutton\.yaml: 1 usable, 0 errors, 0 warnings$/m)
      assert.match(stdout, /pushbutton\.yaml has 1 button, 1 resource, 1 prompt$/m)
    })
  )

  it.scopedLive("says that the file is missing wherever it is named", () =>
    Effect.gen(function* () {
      const { folder } = yield* place
      const options = ["--dir", folder, "--definitions", join(folder, "nope.yaml")]
      const listed = yield* run(["list", ...options])
      assert.deepStrictEqual([listed.code, listed.stdout], [1, ""])
      assert.match(listed.stderr, /nope\.yaml: is missing/)
      const pressed = yield* run(["press", "greet", ...options])
      assert.strictEqual(pressed.code, 1)
      assert.match(pressed.stderr, /nope\.yaml: is missing\n.*no button "greet"/)
    })
  )

  it.scopedLive("tells a client that listens of an edit, and logs one that is wrong", () =>
    Effect.gen(function* () {
      const { file, options } = yield* place
      const binary = yield* Binary.start(["stdio", ...options])
      const { stdin } = binary.process
      stdin.write(
        request(1, "subscriptions/listen", {
          notifications: { promptsListChanged: true, resourceSubscriptions: ["notes://readme"] }
        })
      )
      yield* binary.prints(/"notifications\/subscriptions\/acknowledged"/)
      writeFileSync(file, definitions.replace("review:", "revise:").replace("text: Read me", "text: Read it"))
      yield* binary.prints(/"notifications\/prompts\/list_changed"/)
      yield* binary.prints(/"notifications\/resources\/updated".*"notes:\/\/readme"/)
      stdin.write(request(2, "prompts/list", {}))
      yield* binary.prints(/"prompts":\[\{"name":"revise"\}\]/)
      stdin.write(request(3, "resources/read", { uri: "notes://readme" }))
      yield* binary.prints(/"text":"Read it"/)
      writeFileSync(file, "prompts: { review: }\n")
      yield* binary.logs(/pushbutton\.yaml:1:12: prompts\.review: must be an object/)
      stdin.end()
      assert.strictEqual((yield* binary.exited).code, 0)
    })
  )

  it.scopedLive("takes JSON, and has a JSON Schema that accepts what it accepts, and no more", () =>
    Effect.gen(function* () {
      const { folder } = yield* place
      const file = join(folder, "pushbutton.json")
      const validate = new Ajv({ strict: true }).compile(JSON.parse((yield* run(["schema"])).stdout))
      const isAccepted = (document: object) => {
        writeFileSync(file, JSON.stringify(document))
        return Effect.map(
          run(["check", "--dir", folder, "--definitions", file]),
          ({ code }) => [validate(document), code === 0] as const
        )
      }
      assert.deepStrictEqual(yield* isAccepted(everything), [true, true])
      for (const wrong of wrongDocuments)
        assert.deepStrictEqual(yield* isAccepted(wrong), [false, false], JSON.stringify(wrong))
    })
  )
})

const everything = {
  $schema: "./definitions.schema.json",
  buttons: {
    code: {
      description: "d",
      mcp_enabled: true,
      tags: ["t"],
      args: [
        { name: "a", type: "string", required: true },
        { name: "b", type: "enum", values: ["x", "y"] }
      ],
      runtime: "bash",
      code: "true",
      env: { A: "b" },
      timeout_seconds: 5,
      output_schema: { type: "object" },
      queue: { name: "q", concurrency: 2 }
    },
    prompt: { prompt: "p" },
    http: {
      url: "https://example.com/{{a}}",
      method: "POST",
      headers: { accept: "text/plain" },
      body: "{{a}}",
      allowed_host: "example.com",
      max_response_bytes: 10,
      args: [{ name: "a", type: "string", required: true }]
    }
  },
  resources: {
    text: { uri: "x:text", title: "t", description: "d", mime_type: "text/plain", ttl_ms: 5, text: "x" },
    command: { uri: "x:command", command: "x", runtime: "python", env: {}, timeout_seconds: 5 }
  },
  resource_templates: { t: { uri_template: "x:{a}", command: "x" } },
  prompts: {
    p: {
      title: "t",
      description: "d",
      arguments: [{ name: "a", title: "t", description: "d", required: true, values: ["v"] }],
      messages: [
        { role: "user", text: "{{a}}" },
        { role: "assistant", text: "yes" }
      ]
    }
  }
}

const wrongDocuments = [
  { button: {} },
  { buttons: { a: { code: 5 } } },
  { buttons: { a: { code: "x", args: [{ name: "b", type: "integer" }] } } },
  { buttons: { a: { code: "x", timeout_seconds: 1.5 } } },
  { resources: { a: { text: "x" } } },
  { resource_templates: { a: { uri_template: "x:{a}", file: "x" } } },
  { prompts: { a: { messages: [{ role: "system", text: "x" }] } } }
]
