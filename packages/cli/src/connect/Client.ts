/**
 * The clients that `connect` knows: where each keeps its list of MCP servers, in which format, and what an entry
 * looks like there. Facts only; nothing here reads or writes a file.
 */
import { posix, win32 } from "node:path"
import type * as System from "./System.js"

export const names = ["claude-desktop", "claude-code", "cursor", "vscode", "codex"] as const
export type Name = (typeof names)[number]

/** `jsonc` is JSON with comments and trailing commas; a client of `json` rejects both. */
export type Format = "json" | "jsonc" | "toml"

/** A file that counts only where a folder exists. */
export interface ConditionalFile {
  readonly file: string
  readonly folder: string
}

/** How an entry names its transport: the value of its `type`, or no such field. */
export interface Transport {
  readonly type: string | undefined
}

export interface Client {
  readonly name: Name
  readonly title: string
  readonly format: Format
  /** The member of the file's root that holds the servers by name. */
  readonly serversKey: string
  readonly stdio: Transport
  /** Undefined when its configuration file cannot hold a server with a URL. */
  readonly http: Transport | undefined
  /** The user's own file. */
  readonly userFile: (system: System.System) => string
  /** Where the user's own file is instead when the client is installed in another way. */
  readonly packagedFile: (system: System.System) => ConditionalFile | undefined
  /** The file inside a project's folder, as path segments. */
  readonly projectFile: ReadonlyArray<string> | undefined
}

const join = (system: System.System) => (system.platform === "win32" ? win32.join : posix.join)

const nowhere = () => undefined

/** Where desktop applications of this platform keep their settings. */
const applicationData = (system: System.System): string => {
  switch (system.platform) {
    case "win32":
      return system.variable("APPDATA") ?? win32.join(system.home, "AppData", "Roaming")
    case "darwin":
      return posix.join(system.home, "Library", "Application Support")
    default: {
      const configured = system.variable("XDG_CONFIG_HOME")
      return configured !== undefined && posix.isAbsolute(configured)
        ? configured
        : posix.join(system.home, ".config")
    }
  }
}

/**
 * The packaged (MSIX) build of Claude Desktop, which is what its Windows installer installs, is given a private copy
 * of the roaming folder and never sees the file under `%APPDATA%`.
 */
const packagedClaudeDesktop = (system: System.System): ConditionalFile | undefined => {
  if (system.platform !== "win32") return undefined
  const local = system.variable("LOCALAPPDATA") ?? win32.join(system.home, "AppData", "Local")
  const folder = win32.join(local, "Packages", "Claude_pzs8sxrjxfjjc")
  return { folder, file: win32.join(folder, "LocalCache", "Roaming", "Claude", claudeDesktopFile) }
}

const claudeDesktopFile = "claude_desktop_config.json"

const claudeDesktop: Client = {
  name: "claude-desktop",
  title: "Claude Desktop",
  format: "json",
  serversKey: "mcpServers",
  stdio: { type: undefined },
  http: undefined,
  userFile: (system) => join(system)(applicationData(system), "Claude", claudeDesktopFile),
  packagedFile: packagedClaudeDesktop,
  projectFile: undefined
}

const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  format: "json",
  serversKey: "mcpServers",
  stdio: { type: "stdio" },
  http: { type: "http" },
  userFile: (system) => join(system)(system.variable("CLAUDE_CONFIG_DIR") ?? system.home, ".claude.json"),
  packagedFile: nowhere,
  projectFile: [".mcp.json"]
}

const cursor: Client = {
  name: "cursor",
  title: "Cursor",
  format: "jsonc",
  serversKey: "mcpServers",
  stdio: { type: undefined },
  http: { type: undefined },
  userFile: (system) => join(system)(system.home, ".cursor", "mcp.json"),
  packagedFile: nowhere,
  projectFile: [".cursor", "mcp.json"]
}

const vscode: Client = {
  name: "vscode",
  title: "VS Code",
  format: "jsonc",
  serversKey: "servers",
  stdio: { type: "stdio" },
  http: { type: "http" },
  userFile: (system) => {
    const portable = system.variable("VSCODE_PORTABLE")
    const data =
      portable === undefined
        ? join(system)(applicationData(system), "Code")
        : join(system)(portable, "user-data")
    return join(system)(data, "User", "mcp.json")
  },
  packagedFile: nowhere,
  projectFile: [".vscode", "mcp.json"]
}

const codex: Client = {
  name: "codex",
  title: "Codex",
  format: "toml",
  serversKey: "mcp_servers",
  stdio: { type: undefined },
  http: { type: undefined },
  userFile: (system) =>
    join(system)(system.variable("CODEX_HOME") ?? join(system)(system.home, ".codex"), "config.toml"),
  packagedFile: nowhere,
  projectFile: [".codex", "config.toml"]
}

export const all: { readonly [Key in Name]: Client } = {
  "claude-desktop": claudeDesktop,
  "claude-code": claudeCode,
  cursor,
  vscode,
  codex
}
