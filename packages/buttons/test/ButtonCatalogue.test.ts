import { execFileSync } from "node:child_process"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as ButtonCatalogue from "@pushbutton/buttons/ButtonCatalogue"
import { toFailure } from "@pushbutton/buttons/ButtonError"
import * as Problem from "@pushbutton/buttons/ButtonProblem"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { buttonCatalogue } from "./suites/buttonCatalogue.js"
import { button, json } from "./support/definitions.js"
import * as Temporary from "./support/temporary.js"

const files = {
  "buttons/beta/button.json": json({ name: "beta", runtime: "prompt" }),
  "buttons/beta/AGENT.md": "\uFEFFSay hello.",
  "buttons/alpha/button.json": `\uFEFF${json({ name: "alpha" })}\n\n`,
  "buttons/alpha/main.sh": "",
  "buttons/broken/button.json": "{",
  "buttons/.hidden/button.json": "{",
  "buttons/README.md": "not a button"
}

buttonCatalogue(
  "on disk",
  Effect.gen(function* () {
    const dataDir = yield* Temporary.dataDir
    yield* Temporary.write(dataDir.root, files)
    return ButtonCatalogue.layerFileSystem(dataDir)
  })
)

buttonCatalogue(
  "in memory",
  Effect.succeed(
    ButtonCatalogue.layerMemory({
      buttons: [button("beta", { runtime: "prompt" }), { ...button("alpha"), noteFile: undefined }],
      problems: [
        { slug: "broken", file: "buttons/broken/button.json", severity: "error", message: "is wrong" }
      ],
      notes: { beta: "Say hello." }
    })
  )
)

const list = (dataDir: DataDir) =>
  Effect.provide(
    Effect.flatMap(ButtonCatalogue.ButtonCatalogue, (catalogue) => catalogue.list),
    ButtonCatalogue.layerFileSystem(dataDir)
  )

const get = (dataDir: DataDir, name: string) =>
  Effect.provide(
    Effect.flatMap(ButtonCatalogue.ButtonCatalogue, (catalogue) => catalogue.get(name)),
    ButtonCatalogue.layerFileSystem(dataDir)
  )

/** What one catalogue gives of `alpha`, before and after something has been done to its folder. */
const beforeAndAfter = (change: (folder: string, dataDir: DataDir) => Promise<unknown>) =>
  Effect.gen(function* () {
    const dataDir = yield* Temporary.dataDir
    yield* Temporary.write(dataDir.root, files)
    const folder = Path.join(dataDir.buttons, "alpha")
    yield* Effect.promise(() => Fs.utimes(Path.join(folder, "button.json"), 1_000_000_000, 1_000_000_000))
    // What has changed just now is read again in any case.
    yield* TestClock.setTime((yield* Effect.promise(() => Fs.stat(folder))).ctimeMs + 60_000)
    const catalogue = yield* Effect.provide(
      ButtonCatalogue.ButtonCatalogue,
      ButtonCatalogue.layerFileSystem(dataDir)
    )
    const found = Effect.match(catalogue.get("alpha"), {
      onFailure: ({ _tag }) => _tag,
      onSuccess: (button) => ({ ...button, raw: undefined })
    })
    const before = yield* found
    assert.deepStrictEqual(yield* found, before)
    yield* Effect.promise(() => change(folder, dataDir))
    return { before, after: yield* found }
  })

/** Each problem on one line. */
const problemsOf = (dataDir: DataDir) =>
  Effect.map(list(dataDir), ({ problems }) =>
    problems.map((problem) => `${problem.severity} ${Problem.format(problem)}`)
  )

describe("ButtonCatalogue.layerFileSystem", () => {
  it.scoped("sees an edit at once", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, files)
      yield* Temporary.write(dataDir.root, {
        "buttons/alpha/button.json": json({ name: "alpha", mcp_enabled: true })
      })
      assert.isTrue((yield* get(dataDir, "alpha")).mcpEnabled)
      yield* Temporary.write(dataDir.root, {
        "buttons/alpha/button.json": json({ name: "alpha", mcp_enabled: false })
      })
      assert.isFalse((yield* get(dataDir, "alpha")).mcpEnabled)
    })
  )

  it.scoped("gives the paths of a button", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, files)
      assert.deepInclude(yield* get(dataDir, "alpha"), {
        directory: Path.join(dataDir.buttons, "alpha"),
        relativeDirectory: "buttons/alpha",
        codeFile: "main.sh",
        noteFile: undefined
      })
      const direct = { ...dataDir, root: dataDir.buttons }
      assert.strictEqual((yield* get(direct, "alpha")).relativeDirectory, "alpha")
    })
  )

  it.scoped("reports what cannot be read, and goes on", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, {
        "buttons/empty/notes.txt": "",
        "buttons/folder/button.json/x": "",
        "buttons/huge/button.json": " ".repeat(1_048_577),
        "buttons/No_Slug/button.json": json({ name: "No_Slug" }),
        "buttons/No_Slug/main.sh": "",
        "elsewhere/button.json": json({ name: "link" }),
        "elsewhere/main.sh": "",
        "buttons/zeta/button.json": json({ name: "zeta" }),
        "buttons/zeta/main.sh": ""
      })
      yield* Effect.promise(() =>
        Fs.symlink(Path.join(dataDir.root, "elsewhere"), Path.join(dataDir.buttons, "link"))
      )
      const { buttons } = yield* list(dataDir)
      assert.deepStrictEqual(
        buttons.map((found) => found.slug),
        ["zeta"]
      )
      assert.deepStrictEqual(yield* problemsOf(dataDir), [
        'error buttons/No_Slug: the folder\'s name is not a button name; rename it to "no-slug"',
        "error buttons/empty/button.json: is missing",
        "error buttons/folder/button.json: is not a file",
        "error buttons/huge/button.json: is larger than 1048576 bytes",
        "error buttons/link/button.json: the folder is a symbolic link; a button must be a folder"
      ])
      const link = yield* Effect.flip(get(dataDir, "link"))
      assert.strictEqual(link._tag, "ButtonBroken")
      const renamed = yield* Effect.flip(get(dataDir, "no-slug"))
      assert.strictEqual(renamed._tag, "ButtonNotFound")
    })
  )

  it.scoped("follows links to code, and takes a broken one for missing code", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, {
        "shared.sh": "",
        "buttons/good/button.json": json({ name: "good" }),
        "buttons/bad/button.json": json({ name: "bad" })
      })
      yield* Effect.promise(() => Fs.symlink("../../shared.sh", Path.join(dataDir.buttons, "good/main.sh")))
      yield* Effect.promise(() => Fs.symlink("../../none.sh", Path.join(dataDir.buttons, "bad/main.sh")))
      assert.strictEqual((yield* get(dataDir, "good")).codeFile, "main.sh")
      assert.isUndefined((yield* get(dataDir, "bad")).codeFile)
    })
  )

  it.scoped("refuses what every user can change, and what leads out of the data folder", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const outside = yield* Temporary.folder
      yield* Temporary.write(outside, { "main.sh": "", "AGENTS.md": "" })
      const names = ["code", "definition", "folder", "good", "link", "note", "other"]
      for (const name of names) {
        const runtime = name === "note" ? "prompt" : "shell"
        yield* Temporary.write(dataDir.buttons, { [`${name}/button.json`]: json({ name, runtime }) })
        if (name !== "link" && name !== "note")
          yield* Temporary.write(dataDir.buttons, { [`${name}/main.sh`]: "" })
      }
      yield* Temporary.write(dataDir.buttons, { "note/AGENT.md": "an older note", "other/main.py": "" })
      yield* Effect.promise(async () => {
        const at = (path: string) => Path.join(dataDir.buttons, path)
        await Fs.chmod(at("code/main.sh"), 0o777)
        await Fs.chmod(at("definition/button.json"), 0o666)
        await Fs.chmod(at("folder"), 0o777)
        await Fs.chmod(at("other/main.py"), 0o777)
        await Fs.symlink(Path.join(outside, "main.sh"), at("link/main.sh"))
        await Fs.symlink(Path.join(outside, "AGENTS.md"), at("note/AGENTS.md"))
      })
      assert.deepStrictEqual(
        (yield* list(dataDir)).buttons.map(({ slug }) => slug),
        ["good", "other"]
      )
      const byAll = "can be changed by every user; take that away with chmod o-w"
      const outward = "is a symbolic link that leads out of the data folder"
      assert.deepStrictEqual(yield* problemsOf(dataDir), [
        `error buttons/code/main.sh: ${byAll}`,
        `error buttons/definition/button.json: ${byAll}`,
        `error buttons/folder/button.json: the folder ${byAll}`,
        `error buttons/link/main.sh: ${outward}`,
        `error buttons/note/AGENTS.md: ${outward}`
      ])
      assert.strictEqual((yield* Effect.flip(get(dataDir, "code")))._tag, "ButtonBroken")
    })
  )

  it.scoped("reads no note that was exchanged for a link out of the data folder", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const outside = yield* Temporary.folder
      yield* Temporary.write(outside, { secret: "secret" })
      yield* Temporary.write(dataDir.root, files)
      const catalogue = yield* Effect.provide(
        ButtonCatalogue.ButtonCatalogue,
        ButtonCatalogue.layerFileSystem(dataDir)
      )
      const beta = yield* catalogue.get("beta")
      const note = Path.join(dataDir.buttons, "beta/AGENT.md")
      yield* Temporary.remove(note)
      yield* Effect.promise(() => Fs.symlink(Path.join(outside, "secret"), note))
      const { detail } = yield* Effect.flip(catalogue.note(beta))
      assert.strictEqual(detail, "is a symbolic link that leads out of the data folder")
    })
  )

  it.scoped("does not wait for a named pipe in place of a definition", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.buttons, { "a/main.sh": "" })
      execFileSync("mkfifo", [Path.join(dataDir.buttons, "a/button.json")])
      assert.deepStrictEqual(yield* problemsOf(dataDir), ["error buttons/a/button.json: is not a file"])
    })
  )

  it.scoped("is empty without its folder, and says so", () =>
    Effect.gen(function* () {
      const { buttons, root } = yield* Temporary.dataDir
      const none: DataDir = { root, buttons: Path.join(buttons, "none"), source: "home", passedOver: [] }
      assert.deepStrictEqual(yield* problemsOf(none), [
        "warning buttons/none: the folder of buttons does not exist"
      ])
      assert.strictEqual((yield* Effect.flip(get(none, "x")))._tag, "ButtonNotFound")
    })
  )

  it.scoped("takes it for a mistake when a folder that was asked for does not exist", () =>
    Effect.gen(function* () {
      const { buttons, root } = yield* Temporary.dataDir
      const none: DataDir = { root, buttons: Path.join(buttons, "none"), source: "explicit", passedOver: [] }
      assert.deepStrictEqual(yield* problemsOf(none), [
        "error buttons/none: the folder of buttons does not exist"
      ])
      assert.deepStrictEqual(toFailure(yield* Effect.flip(get(none, "x"))), {
        code: "STORAGE_ERROR",
        message: "The folder of buttons (buttons/none) does not exist"
      })
    })
  )

  it.scoped("knows of no button, rather than that there is none, when its folder cannot be read", () =>
    Effect.gen(function* () {
      const { buttons, root } = yield* Temporary.dataDir
      yield* Temporary.write(root, { "buttons/none": "" })
      const file: DataDir = { root, buttons: Path.join(buttons, "none"), source: "home", passedOver: [] }
      assert.deepStrictEqual(yield* problemsOf(file), ["error buttons/none: cannot be read: ENOTDIR"])
      const failure = toFailure(yield* Effect.flip(get(file, "x")))
      assert.deepStrictEqual(failure, {
        code: "STORAGE_ERROR",
        message: "The folder of buttons (buttons/none) cannot be read: ENOTDIR"
      })
      const visible = ButtonCatalogue.ButtonCatalogue.pipe(
        Effect.flatMap((catalogue) => ButtonCatalogue.getVisible(catalogue, "x", "mcp")),
        Effect.provide(ButtonCatalogue.layerFileSystem(file))
      )
      assert.deepStrictEqual(toFailure(yield* Effect.flip(visible)), failure)
    })
  )

  it.scoped("reports on one line, whatever a folder is called", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.buttons, {
        "a\u001b[2J\nerror: b/button.json": json({
          name: "a",
          timeout_seconds: "x",
          [`k${"e".repeat(500)}`]: 1
        }),
        "c/button.json": json({ name: "c", env: { ["e\u009b".repeat(500)]: 1 } }),
        "c/main.sh": ""
      })
      const lines = yield* problemsOf(dataDir)
      assert.isAbove(lines.length, 2)
      for (const line of lines) {
        assert.notMatch(line, /\p{Cc}/u)
        assert.isBelow(line.length, 800)
      }
      assert.include(lines[0], "buttons/a\\u001b[2J\\nerror: b")
    })
  )
})

describe("ButtonCatalogue.layerFileSystem, read again", () => {
  const definition = json({ name: "alpha", description: "changed" })

  it.scoped.each<readonly [string, (folder: string, dataDir: DataDir) => Promise<unknown>]>([
    ["the definition is written", (folder) => Fs.writeFile(Path.join(folder, "button.json"), definition)],
    [
      "a definition of the same length is written, and its time set back",
      async (folder) => {
        const path = Path.join(folder, "button.json")
        const text = await Fs.readFile(path, "utf8")
        await Fs.writeFile(path, text.replace('"alpha"', '"alphb"').replace("shell", "bash "))
        await Fs.utimes(path, 1_000_000_000, 1_000_000_000)
      }
    ],
    ["the code goes", (folder) => Fs.rm(Path.join(folder, "main.sh"))],
    ["the note comes", (folder) => Fs.writeFile(Path.join(folder, "AGENTS.md"), "")],
    ["everybody may change the code", (folder) => Fs.chmod(Path.join(folder, "main.sh"), 0o777)],
    ["everybody may change the folder", (folder) => Fs.chmod(folder, 0o777)],
    ["the folder goes", (folder) => Fs.rm(folder, { recursive: true })],
    [
      "the folder becomes a link",
      async (folder) => {
        await Fs.rename(folder, `${folder}-2`)
        await Fs.symlink(`${folder}-2`, folder)
      }
    ]
  ])("when %s", ([, change]) =>
    Effect.gen(function* () {
      const { after, before } = yield* beforeAndAfter(change)
      assert.notDeepEqual(after, before)
    })
  )

  it.scoped("when the file at the end of a link is written", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, { ...files, "shared.json": json({ name: "alpha" }) })
      const path = Path.join(dataDir.buttons, "alpha/button.json")
      yield* Effect.promise(async () => {
        await Fs.rm(path)
        await Fs.symlink("../../shared.json", path)
      })
      yield* TestClock.setTime((yield* Effect.promise(() => Fs.lstat(path))).ctimeMs + 60_000)
      const catalogue = yield* Effect.provide(
        ButtonCatalogue.ButtonCatalogue,
        ButtonCatalogue.layerFileSystem(dataDir)
      )
      const description = Effect.map(catalogue.get("alpha"), (found) => found.description)
      assert.strictEqual(yield* description, "")
      yield* Temporary.write(dataDir.root, { "shared.json": definition })
      assert.strictEqual(yield* description, "changed")
    })
  )

  it.scoped("not, as long as it stays as it is", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, files)
      yield* TestClock.setTime((yield* Effect.promise(() => Fs.stat(dataDir.buttons))).ctimeMs + 60_000)
      const catalogue = yield* Effect.provide(
        ButtonCatalogue.ButtonCatalogue,
        ButtonCatalogue.layerFileSystem(dataDir)
      )
      assert.strictEqual(yield* catalogue.get("alpha"), yield* catalogue.get("alpha"))
    })
  )
})
