import { assert, describe, it } from "@effect/vitest"
import { assertLeft } from "@effect/vitest/utils"
import * as Either from "effect/Either"
import * as Client from "../../src/connect/Client.js"
import * as ConnectError from "../../src/connect/ConnectError.js"
import * as Entry from "../../src/connect/entry.js"

const stdio: Entry.StdioServer = {
  name: "pushbutton",
  command: "/usr/bin/node",
  args: ["/opt/pushbutton.js", "stdio", "--dir", "/home/ada/.buttons"],
  env: { LOG: "1" }
}
const http: Entry.HttpServer = { name: "pushbutton", url: "https://tools.example.test/mcp" }

const rendered = (name: Client.Name, server: Entry.Server) =>
  Entry.render(Either.getOrThrow(Entry.make(Client.all[name], server)))

const plainStdio = `{
  "mcpServers": {
    "pushbutton": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/pushbutton.js",
        "stdio",
        "--dir",
        "/home/ada/.buttons"
      ],
      "env": {
        "LOG": "1"
      }
    }
  }
}`

describe("render", () => {
  const stdioTexts: ReadonlyArray<readonly [name: Client.Name, text: string]> = [
    ["claude-desktop", plainStdio],
    ["cursor", plainStdio],
    ["claude-code", plainStdio.replace(`"command"`, `"type": "stdio",\n      "command"`)],
    [
      "vscode",
      plainStdio.replace("mcpServers", "servers").replace(`"command"`, `"type": "stdio",\n      "command"`)
    ],
    [
      "codex",
      `[mcp_servers.pushbutton]
command = "/usr/bin/node"
args = ["/opt/pushbutton.js", "stdio", "--dir", "/home/ada/.buttons"]

[mcp_servers.pushbutton.env]
LOG = "1"`
    ]
  ]
  it.each(stdioTexts)("gives %s what it launches", (name, text) => {
    assert.strictEqual(rendered(name, stdio), text)
  })

  const httpTexts: ReadonlyArray<readonly [name: Client.Name, text: string]> = [
    [
      "claude-code",
      `{
  "mcpServers": {
    "pushbutton": {
      "type": "http",
      "url": "https://tools.example.test/mcp"
    }
  }
}`
    ],
    [
      "cursor",
      `{
  "mcpServers": {
    "pushbutton": {
      "url": "https://tools.example.test/mcp"
    }
  }
}`
    ],
    [
      "vscode",
      `{
  "servers": {
    "pushbutton": {
      "type": "http",
      "url": "https://tools.example.test/mcp"
    }
  }
}`
    ],
    [
      "codex",
      `[mcp_servers.pushbutton]
url = "https://tools.example.test/mcp"`
    ]
  ]
  it.each(httpTexts)("gives %s where to reach it", (name, text) => {
    assert.strictEqual(rendered(name, http), text)
  })

  it("leaves out an empty environment", () => {
    assert.notInclude(rendered("cursor", { ...stdio, env: {} }), "env")
    assert.notInclude(rendered("codex", { ...stdio, env: {} }), "env")
  })

  it("quotes what TOML would not read back otherwise", () => {
    const server = {
      ...stdio,
      command: `C:\\Program Files\\node.exe`,
      args: [`say "hi"`, "tab\tand\u007F", "snö"],
      env: { "A.B": "1" }
    }
    assert.strictEqual(
      rendered("codex", server),
      `[mcp_servers.pushbutton]
command = "C:\\\\Program Files\\\\node.exe"
args = ["say \\"hi\\"", "tab\\tand\\u007F", "snö"]

[mcp_servers.pushbutton.env]
"A.B" = "1"`
    )
  })
})

describe("make", () => {
  it("refuses a URL for a client that cannot hold one", () => {
    assertLeft(
      Entry.make(Client.all["claude-desktop"], http),
      new ConnectError.HttpNotSupported({ client: "Claude Desktop" })
    )
  })

  const invalid: ReadonlyArray<readonly [what: string, server: Entry.Server, field: string]> = [
    ["a name with a dot", { ...stdio, name: "push.button" }, "name"],
    ["an empty name", { ...stdio, name: "" }, "name"],
    ["an empty command", { ...stdio, command: "" }, "command"],
    ["a NUL in a command", { ...stdio, command: "/bin/no\0de" }, "command"],
    ["half a surrogate pair in an argument", { ...stdio, args: ["\uD83D"] }, "argument"],
    ["a variable named with =", { ...stdio, env: { "A=B": "1" } }, "variable"],
    ["a NUL in a variable", { ...stdio, env: { A: "\0" } }, "variable A"],
    ["a relative URL", { name: "pushbutton", url: "/mcp" }, "url"],
    ["a URL of another scheme", { name: "pushbutton", url: "file:///mcp" }, "url"]
  ]
  it.each(invalid)("refuses %s", (_, server, field) => {
    const made = Entry.make(Client.all.codex, server)
    assert(Either.isLeft(made) && made.left._tag === "InvalidServer" && made.left.field === field)
  })
})

describe("servingFolder", () => {
  it("runs the script with the folder to serve", () => {
    assert.deepStrictEqual(
      Entry.servingFolder({ name: "deploys", node: "/n/node", script: "/p/pushbutton.js", folder: "/b" }),
      { name: "deploys", command: "/n/node", args: ["/p/pushbutton.js", "stdio", "--dir", "/b"], env: {} }
    )
  })
})
