import { assert, describe, it } from "@effect/vitest"
import type { Button } from "@pushbutton/buttons/Button"
import * as Greeting from "../src/Greeting.js"
import type { Offering } from "../src/Offering.js"

const button = (slug: string, description: string, args: Button["args"] = []): Button => ({
  slug,
  description,
  runtime: "shell",
  args,
  env: {},
  requiredBatteries: [],
  http: undefined,
  queue: undefined,
  timeoutSeconds: undefined,
  mcpEnabled: true,
  tags: [],
  outputSchema: undefined,
  directory: `/data/buttons/${slug}`,
  relativeDirectory: `buttons/${slug}`,
  codeFile: "main.sh",
  noteFile: undefined,
  raw: {}
})

const offering: Offering = {
  mode: "meta",
  allowCreate: false,
  enableCreated: false,
  rate: undefined,
  maxPresses: undefined,
  taskAfterSeconds: undefined
}

const greeting = (buttons: ReadonlyArray<Button>): Greeting.Greeting => ({
  url: "http://127.0.0.1:7332/mcp",
  sseUrl: undefined,
  place: "/data/buttons",
  folder: "/data",
  buttons,
  hiddenCount: 1,
  problemCount: 2,
  definitions: undefined,
  defined: undefined,
  modernOnly: false,
  stateless: false,
  offering,
  command: "/usr/bin/node",
  script: "/opt/pushbutton.js"
})

const needsName = button("greet", "Greets", [{ name: "who", type: "string", required: true, values: [] }])

describe("Greeting", () => {
  it("says what is served, what is not, and how a desktop client launches it", () => {
    const text = Greeting.render(greeting([needsName, button("disk-space", "Free space")]))
    assert.include(text, "Pushbutton serves 2 buttons at http://127.0.0.1:7332/mcp\nfrom /data/buttons\n")
    assert.include(text, '1 button without "mcp_enabled": true stays hidden')
    assert.include(text, "2 problems, explained by\n  /usr/bin/node /opt/pushbutton.js check --dir /data\n")
    assert.include(text, "  /usr/bin/node /opt/pushbutton.js connect CLIENT --write --dir /data\n")
    assert.include(text, "  greet       Greets\n  disk-space  Free space\n")
    assert.deepStrictEqual(JSON.parse(text.slice(text.indexOf("{\n"), text.lastIndexOf("}") + 1)), {
      mcpServers: {
        pushbutton: {
          command: "/usr/bin/node",
          args: ["/opt/pushbutton.js", "stdio", "--dir", "/data"]
        }
      }
    })
  })

  it("says where HTTP+SSE is served, if it is", () => {
    const text = Greeting.render({ ...greeting([]), sseUrl: "http://127.0.0.1:7332/sse" })
    assert.include(
      text,
      "/mcp\nand at http://127.0.0.1:7332/sse for clients of HTTP+SSE,\nfrom /data/buttons\n"
    )
    assert.notInclude(Greeting.render(greeting([])), "SSE")
  })

  it("offers in the same way wherever it says how to serve, and presses a button by its own tool", () => {
    const text = Greeting.render({
      ...greeting([button("disk-space", "")]),
      offering: { ...offering, mode: "tools", allowCreate: true, rate: 3 }
    })
    const words = ["--mode", "tools", "--allow-create", "--rate", "3"]
    assert.deepStrictEqual(
      JSON.parse(text.slice(text.indexOf("{\n"), text.lastIndexOf("}") + 1)).mcpServers.pushbutton.args,
      ["/opt/pushbutton.js", "stdio", "--dir", "/data", ...words]
    )
    assert.include(text, `connect CLIENT --write --dir /data ${words.join(" ")}\n`)
    assert.include(text, "check --dir /data\n")
    assert.include(text, "-H 'Mcp-Name: disk-space'")
    assert.include(text, '"name":"disk-space","arguments":{}')
  })

  it("names a definitions file wherever it names the folder", () => {
    const text = Greeting.render({ ...greeting([]), definitions: "/data/pushbutton.yaml" })
    assert.include(text, "\nfrom /data/buttons\nand from /data/pushbutton.yaml\n")
    assert.include(text, "check --dir /data --definitions /data/pushbutton.yaml\n")
    assert.include(text, "--write --dir /data --definitions /data/pushbutton.yaml\n")
    assert.include(text, '"--definitions",\n        "/data/pushbutton.yaml"\n')
  })

  it("quotes what a shell would split", () => {
    const spaced = { ...greeting([]), folder: "/data/it's here/buttons" }
    assert.include(Greeting.render(spaced), "--dir '/data/it'\\''s here/buttons'\n")
  })

  it("says what the file has, and whom the server does not serve as others do", () => {
    const text = Greeting.render({
      ...greeting([]),
      definitions: "/data/p.yaml",
      defined: "1 button, 2 prompts",
      modernOnly: true,
      stateless: true
    })
    assert.include(text, "\nand from /data/p.yaml, which has 1 button, 2 prompts\n")
    assert.include(text, "(--modern-only)\n")
    assert.include(text, "(--stateless)\n")
    assert.notMatch(Greeting.render(greeting([])), /--modern-only|--stateless/)
  })

  it("says how to make the first button", () => {
    const create =
      "  /usr/bin/node /opt/pushbutton.js create hello --code 'echo hello' --enabled --dir /data\n"
    assert.include(Greeting.render({ ...greeting([]), hiddenCount: 0 }), create)
    assert.notInclude(Greeting.render(greeting([])), " create ")
  })

  it("shows a curl line for a button that needs no argument, else one with examples of arguments", () => {
    const body = (text: string) => JSON.parse(text.match(/ -d '(.*)'$/m)?.[1] ?? "null")
    assert.strictEqual(
      body(Greeting.render(greeting([needsName, button("disk-space", "")]))).params.arguments.name,
      "disk-space"
    )
    const needsBoth = button("pay", "", [
      { name: "to", type: "string", required: true, values: [] },
      { name: "how", type: "enum", required: true, values: ["cash", "card"] },
      { name: "note", type: "string", required: false, values: [] }
    ])
    const text = Greeting.render(greeting([needsBoth]))
    assert.deepStrictEqual(body(text).params.arguments, { name: "pay", args: { to: "TO", how: "cash" } })
    const tools = Greeting.render({ ...greeting([needsBoth]), offering: { ...offering, mode: "tools" } })
    assert.deepStrictEqual(body(tools).params.arguments, { to: "TO", how: "cash" })
    const odd = button("odd", "", [{ name: "it's", type: "string", required: true, values: [] }])
    assert.isNull(body(Greeting.render(greeting([odd]))))
    assert.isNull(body(Greeting.render(greeting([]))))
  })
})
