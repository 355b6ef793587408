import { assert, describe, it } from "@effect/vitest"
import * as Client from "../../src/connect/Client.js"
import * as System from "../../src/connect/System.js"

const linux = System.make("linux", "/home/ada", {})
const macos = System.make("darwin", "/Users/ada", {})
const windows = System.make("win32", "C:\\Users\\ada", {
  APPDATA: "C:\\Users\\ada\\AppData\\Roaming",
  LOCALAPPDATA: "C:\\Users\\ada\\AppData\\Local"
})

const fileOf = (name: Client.Name, system: System.System) => Client.all[name].userFile(system)

describe("userFile", () => {
  const places: ReadonlyArray<
    readonly [name: Client.Name, platform: string, system: System.System, file: string]
  > = [
    ["claude-desktop", "Linux", linux, "/home/ada/.config/Claude/claude_desktop_config.json"],
    [
      "claude-desktop",
      "macOS",
      macos,
      "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json"
    ],
    [
      "claude-desktop",
      "Windows",
      windows,
      "C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json"
    ],
    ["claude-code", "Linux", linux, "/home/ada/.claude.json"],
    ["claude-code", "macOS", macos, "/Users/ada/.claude.json"],
    ["claude-code", "Windows", windows, "C:\\Users\\ada\\.claude.json"],
    ["cursor", "Linux", linux, "/home/ada/.cursor/mcp.json"],
    ["cursor", "macOS", macos, "/Users/ada/.cursor/mcp.json"],
    ["cursor", "Windows", windows, "C:\\Users\\ada\\.cursor\\mcp.json"],
    ["vscode", "Linux", linux, "/home/ada/.config/Code/User/mcp.json"],
    ["vscode", "macOS", macos, "/Users/ada/Library/Application Support/Code/User/mcp.json"],
    ["vscode", "Windows", windows, "C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json"],
    ["codex", "Linux", linux, "/home/ada/.codex/config.toml"],
    ["codex", "macOS", macos, "/Users/ada/.codex/config.toml"],
    ["codex", "Windows", windows, "C:\\Users\\ada\\.codex\\config.toml"]
  ]
  it.each(places)("knows the place of %s on %s", (name, _, system, file) => {
    assert.strictEqual(fileOf(name, system), file)
  })

  const moved: ReadonlyArray<readonly [name: Client.Name, variable: string, value: string, file: string]> = [
    ["claude-desktop", "XDG_CONFIG_HOME", "/conf", "/conf/Claude/claude_desktop_config.json"],
    ["claude-code", "CLAUDE_CONFIG_DIR", "/home/ada/work", "/home/ada/work/.claude.json"],
    ["vscode", "XDG_CONFIG_HOME", "/conf", "/conf/Code/User/mcp.json"],
    ["vscode", "VSCODE_PORTABLE", "/stick/data", "/stick/data/user-data/User/mcp.json"],
    ["codex", "CODEX_HOME", "/srv/codex", "/srv/codex/config.toml"]
  ]
  it.each(moved)("follows %s when %s is set", (name, variable, value, file) => {
    assert.strictEqual(fileOf(name, System.make("linux", "/home/ada", { [variable]: value })), file)
  })

  it("takes an empty variable, or a relative XDG_CONFIG_HOME, for unset", () => {
    const environment = { CODEX_HOME: "", XDG_CONFIG_HOME: "conf" }
    const system = System.make("linux", "/home/ada", environment)
    assert.strictEqual(fileOf("codex", system), "/home/ada/.codex/config.toml")
    assert.strictEqual(fileOf("vscode", system), "/home/ada/.config/Code/User/mcp.json")
  })

  it("finds the folders of Windows without their variables", () => {
    assert.strictEqual(
      fileOf("vscode", System.make("win32", "C:\\Users\\ada", {})),
      "C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json"
    )
  })
})
