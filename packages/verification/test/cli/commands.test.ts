import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { dataFolder, temporaryFolder } from "../support/buttons.js"

/** Runs the binary to its end. */
const run = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const binary = yield* Binary.start(args, env)
    const { code } = yield* binary.exited
    return { code, stdout: binary.stdout(), stderr: binary.stderr() }
  })

describe("pushbutton", () => {
  it.scopedLive("explains itself without colours where no terminal shows them", () =>
    Effect.gen(function* () {
      const overview = yield* run([])
      assert.strictEqual(overview.code, 0)
      for (const command of [
        "stdio",
        "http",
        "list",
        "press NAME",
        "history [NAME]",
        "check",
        "connect CLIENT"
      ]) {
        assert.include(overview.stdout, `\n  ${command} `)
      }
      const help = yield* run(["press", "--help"])
      assert.strictEqual(help.code, 0)
      assert.include(help.stdout, "--arg key=value")
      assert.notInclude(help.stdout, "\u001b")
    })
  )

  it.scopedLive.each([
    [["prss"], "Invalid subcommand"],
    [["stdio", "--bogus"], "--bogus"],
    [["http", "--port", "abc"], "0 to 65535"],
    [["http", "--port", "0x10"], "0 to 65535"],
    [["http", "--port=70000"], "0 to 65535"],
    [["http", "--allow-origin", "foo"], "an origin, such as"],
    [["http", "--allow-origin", "https://example.com/page"], "an origin, such as"],
    [["list", "--dir", "a", "--dir", "b"], "more than once"],
    [["press", "greet", "who=Ada"], "--arg who=Ada"],
    [["http", "--grace", "-1"], "0 or more"],
    [["stdio", "--grace", "1e999"], "0 or more"],
    [["press", "x", "--timeout", "0"], "more than 0"],
    [["history", "--limit", "0"], "above 0"],
    [["connect", "emacs"], "claude-desktop"]
  ] as const)("explains a wrong use, %j, and exits 1", ([args, words]) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run(args)
      assert.strictEqual(code, 1)
      assert.include(stdout + stderr, words)
    })
  )

  it.scopedLive("lists the buttons of a folder, marking those that clients see", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const { code, stderr, stdout } = yield* run(["list", "--dir", folder])
      assert.strictEqual(code, 0)
      assert.match(stdout, /^\* greet +who= +Greets somebody$/m)
      assert.match(stdout, /^ {2}hidden +Not for agents$/m)
      assert.include(stderr, "pushbutton check")
      const json = JSON.parse((yield* run(["list", "--json", "--dir", folder])).stdout)
      assert.isTrue(json.ok)
      assert.include(
        json.data.buttons.map((button: { name: string }) => button.name),
        "greet"
      )
    })
  )

  it.scopedLive("finds the folder by BUTTONS_HOME", () =>
    Effect.gen(function* () {
      const { stdout } = yield* run(["list"], { BUTTONS_HOME: yield* dataFolder })
      assert.include(stdout, "greet")
    })
  )

  it.scopedLive(
    "presses a button: its output goes where the button sent it, and its failure is exit code 1",
    () =>
      Effect.gen(function* () {
        const folder = yield* dataFolder
        const press = (...args: ReadonlyArray<string>) => run(["press", ...args, "--dir", folder])
        assert.deepStrictEqual(yield* press("greet", "--arg", "who=a=b"), {
          code: 0,
          stdout: "hello a=b\n",
          stderr: ""
        })
        assert.deepStrictEqual(yield* press("hidden"), { code: 0, stdout: "secret\n", stderr: "" })
        assert.deepStrictEqual(yield* press("fails"), {
          code: 1,
          stdout: "half done\n",
          stderr: "disk is full\nfails exited with code 3\n"
        })
        const refused = yield* press("greet")
        assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
        assert.include(refused.stderr, "who")
        assert.include((yield* press("greet", "--arg", "who")).stderr, "key=value")
      })
  )

  it.scopedLive("prints one JSON document for a press with --json, well or badly ended", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const press = (...args: ReadonlyArray<string>) => run(["press", ...args, "--json", "--dir", folder])
      const failed = yield* press("fails")
      assert.strictEqual(failed.code, 1)
      assert.deepInclude(JSON.parse(failed.stdout).data, {
        status: "error",
        exit_code: 3,
        stdout: "half done\n"
      })
      const refused = yield* press("nobody")
      assert.strictEqual(refused.code, 1)
      assert.deepInclude(JSON.parse(refused.stdout), { ok: false })
      assert.strictEqual(JSON.parse(refused.stdout).error.code, "NOT_FOUND")
    })
  )

  it.scopedLive("shows how the last presses ended, of one button or of all", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const history = (...args: ReadonlyArray<string>) => run(["history", ...args, "--dir", folder])
      assert.deepStrictEqual(yield* history(), { code: 0, stdout: "Nothing was pressed yet\n", stderr: "" })
      yield* run(["press", "greet", "--arg", "who=\u001b[31mAda", "--dir", folder])
      yield* run(["press", "fails", "--dir", folder])
      const { stdout } = yield* history()
      const [first = "", second = ""] = stdout.split("\n")
      assert.match(first, /^20\S+Z {2}fails {2}error {4}exited +3 +\d+\.\d s$/)
      assert.match(second, /^20\S+Z {2}greet {2}ok {7}exited +0 +\d+\.\d s {2}who=\\u001b\[31mAda$/)
      assert.strictEqual((yield* history("--limit", "1")).stdout, `${first}\n`)
      const json = JSON.parse((yield* history("greet", "--json")).stdout)
      assert.deepStrictEqual(
        json.data.runs.map((one: { stdout: string }) => one.stdout),
        ["hello \u001b[31mAda\n"]
      )
      const unknown = yield* history("nobody", "--json")
      assert.deepStrictEqual([unknown.code, JSON.parse(unknown.stdout).error.code], [1, "NOT_FOUND"])
    })
  )

  it.scopedLive("starts a press once under an idempotency key", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const press = (...args: ReadonlyArray<string>) =>
        run(["press", "greet", "--idempotency-key", "k", ...args, "--json", "--dir", folder])
      const first = JSON.parse((yield* press("--arg", "who=Ada")).stdout).data
      const again = JSON.parse((yield* press("--arg", "who=Ada")).stdout).data
      assert.isUndefined(first.replayed)
      assert.deepStrictEqual(again, { ...first, replayed: true })
      const conflict = yield* press("--arg", "who=Bob")
      assert.deepStrictEqual([conflict.code, JSON.parse(conflict.stdout).error.code], [1, "KEY_CONFLICT"])
    })
  )

  it.scopedLive("checks a folder: every problem with file and line or field, exit code 1 for errors", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const { code, stdout } = yield* run(["check", "--dir", folder])
      assert.strictEqual(code, 1)
      assert.match(stdout, /^error: buttons\/broken\/button\.json:4: /m)
      assert.match(stdout, /^error: buttons\/typo\/button\.json:\d+: args\[0\]\.type: /m)
      assert.match(stdout, /^error: buttons\/no-code\/main\.sh: /m)
      const json = yield* run(["check", "--json", "--dir", folder])
      assert.strictEqual(JSON.parse(json.stdout).data.errors, 4)
      const examples = yield* run(["check", "--dir", join(import.meta.dirname, "../../../cli/examples")])
      assert.strictEqual(examples.code, 0)
      assert.include(examples.stdout, "5 usable, 0 errors, 0 warnings")
    })
  )

  it.scopedLive("writes a client's configuration beside what is there, and keeps a backup", () =>
    Effect.gen(function* () {
      const home = yield* temporaryFolder
      const folder = yield* dataFolder
      const file = join(home, ".claude.json")
      const before = '{\n  "theme": "dark",\n  "mcpServers": { "other": { "command": "x" } }\n}\n'
      writeFileSync(file, before)
      const connect = (...args: ReadonlyArray<string>) =>
        run(["connect", "claude-code", ...args, "--dir", folder], { HOME: home, CLAUDE_CONFIG_DIR: "" })

      const shown = yield* connect()
      assert.strictEqual(readFileSync(file, "utf8"), before)
      const { command, args } = JSON.parse(shown.stdout).mcpServers.pushbutton
      assert.deepStrictEqual([command, ...args], [process.execPath, Binary.script, "stdio", "--dir", folder])

      assert.strictEqual((yield* connect("--write")).code, 0)
      const after = JSON.parse(readFileSync(file, "utf8"))
      assert.deepStrictEqual(Object.keys(after.mcpServers), ["other", "pushbutton"])
      assert.strictEqual(after.theme, "dark")
      const backups = readdirSync(home).filter((name) => name.endsWith(".bak"))
      assert.deepStrictEqual(
        backups.map((name) => readFileSync(join(home, name), "utf8")),
        [before]
      )
      assert.include((yield* connect("--write")).stdout, "already")
      const clash = yield* run(["connect", "claude-code", "--write", "--dir", home], {
        HOME: home,
        CLAUDE_CONFIG_DIR: ""
      })
      assert.strictEqual(clash.code, 1)
      assert.include(clash.stderr, "--replace")
    })
  )
})
