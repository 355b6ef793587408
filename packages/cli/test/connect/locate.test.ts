import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Client from "../../src/connect/Client.js"
import * as ConnectError from "../../src/connect/ConnectError.js"
import { projectFile, userFile } from "../../src/connect/locate.js"
import * as System from "../../src/connect/System.js"

const windows = System.make("win32", "C:\\Users\\ada", {})
const packaged = "C:\\Users\\ada\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc"

/** A machine on which only these folders exist. */
const machineWith = (...folders: ReadonlyArray<string>) =>
  FileSystem.layerNoop({ exists: (path) => Effect.succeed(folders.includes(path)) })

describe("userFile", () => {
  it.effect("prefers the packaged Claude Desktop where it is installed", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* userFile(Client.all["claude-desktop"], windows),
        `${packaged}\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json`
      )
    }).pipe(Effect.provide(machineWith(packaged)))
  )

  it.effect("takes the roaming folder where it is not", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* userFile(Client.all["claude-desktop"], windows),
        "C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json"
      )
    }).pipe(Effect.provide(machineWith()))
  )
})

describe("projectFile", () => {
  const files: ReadonlyArray<readonly [name: Client.Name, file: string]> = [
    ["claude-code", "/srv/site/.mcp.json"],
    ["cursor", "/srv/site/.cursor/mcp.json"],
    ["vscode", "/srv/site/.vscode/mcp.json"],
    ["codex", "/srv/site/.codex/config.toml"]
  ]
  it.effect.each(files)("is %s", ([name, file]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* projectFile(Client.all[name], "/srv/site"), file)
    })
  )

  it.effect("does not exist for Claude Desktop", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* Effect.flip(projectFile(Client.all["claude-desktop"], "/srv/site")),
        new ConnectError.NoProjectFile({ client: "Claude Desktop" })
      )
    })
  )
})
