import { join } from "node:path"
import { SystemError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { write } from "../../src/connect/write.js"
import { entryFor, merged } from "./support/merging.js"

const entry = entryFor("cursor")
const existing = `{\n  "mcpServers": {\n    "a": { "command": "a" } // mine\n  }\n}\n`

/** By its real name: on some machines the folder for temporary files is a link. */
const folder = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
)

/** The names in a folder, and what each file holds. */
const contents = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const names = (yield* fs.readDirectory(path)).sort()
  return yield* Effect.forEach(names, (name) =>
    Effect.map(fs.readFileString(join(path, name)), (text) => [name, text] as const)
  )
})

/** Runs an effect over the real file system, changed a little. */
const withFileSystem =
  (change: (fs: FileSystem.FileSystem) => Partial<FileSystem.FileSystem>) =>
  <A, E>(effect: Effect.Effect<A, E, FileSystem.FileSystem>) =>
    Effect.flatMap(FileSystem.FileSystem, (fs) =>
      Effect.provideService(effect, FileSystem.FileSystem, { ...fs, ...change(fs) })
    )

const refuse = (method: string, path: string) =>
  new SystemError({ reason: "PermissionDenied", module: "FileSystem", method, pathOrDescriptor: path })

describe("write", () => {
  it.scoped("creates the file and its folders", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "deep", "down", "mcp.json")
      const outcome = yield* write({ file, entry, replace: false })
      assert.deepStrictEqual(outcome, { _tag: "Created", file })
      assert.deepStrictEqual(yield* contents(join(path, "deep", "down")), [
        ["mcp.json", merged(undefined, entry)]
      ])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("keeps what was there beside the file, named by the time of the clock", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* folder
      const file = join(path, "mcp.json")
      yield* fs.writeFileString(file, existing)
      yield* TestClock.adjust(Duration.millis(Date.UTC(2026, 7, 9, 10, 11, 12, 13)))
      const outcome = yield* write({ file, entry, replace: false })
      const backup = `${file}.2026-08-09T10-11-12.013Z.bak`
      assert.deepStrictEqual(outcome, { _tag: "Updated", file, backup })
      assert.deepStrictEqual(yield* contents(path), [
        ["mcp.json", merged(existing, entry)],
        ["mcp.json.2026-08-09T10-11-12.013Z.bak", existing]
      ])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("leaves the file alone when the entry is there", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "mcp.json")
      yield* write({ file, entry, replace: false })
      assert.deepStrictEqual(yield* write({ file, entry, replace: true }), { _tag: "Unchanged", file })
      assert.strictEqual((yield* contents(path)).length, 1)
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("writes nothing over another entry or a broken file", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* folder
      const taken = join(path, "taken.json")
      const broken = join(path, "broken.json")
      yield* fs.writeFileString(taken, merged(undefined, entry).replace("/node", "/old"))
      yield* fs.writeFileString(broken, "{")
      const before = yield* contents(path)
      const differs = yield* Effect.flip(write({ file: taken, entry, replace: false }))
      assert.strictEqual(differs._tag, "EntryDiffers")
      const refused = yield* Effect.flip(write({ file: broken, entry, replace: true }))
      assert(refused._tag === "ConfigBroken" && refused.file === broken && refused.line === 1)
      assert.deepStrictEqual(yield* contents(path), before)
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("keeps the permissions, for the backup too", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = join(yield* folder, "mcp.json")
      yield* fs.writeFileString(file, existing)
      yield* fs.chmod(file, 0o604)
      const outcome = yield* write({ file, entry, replace: false })
      assert(outcome._tag === "Updated")
      for (const written of [file, outcome.backup]) {
        assert.strictEqual((yield* fs.stat(written)).mode & 0o7777, 0o604)
      }
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("gives a new file the permissions that new files have", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* folder
      yield* fs.writeFileString(join(path, "usual"), "")
      const { file } = yield* write({ file: join(path, "mcp.json"), entry, replace: false })
      assert.strictEqual((yield* fs.stat(file)).mode, (yield* fs.stat(join(path, "usual"))).mode)
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("follows a link and leaves it a link", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* folder
      yield* fs.makeDirectory(join(path, "dotfiles"))
      const target = join(path, "dotfiles", "mcp.json")
      const link = join(path, "mcp.json")
      yield* fs.writeFileString(target, existing)
      yield* fs.symlink(join("dotfiles", "mcp.json"), link)
      const outcome = yield* write({ file: link, entry, replace: false })
      assert.strictEqual(outcome.file, target)
      assert.strictEqual(yield* fs.readLink(link), join("dotfiles", "mcp.json"))
      assert.strictEqual(yield* fs.readFileString(target), merged(existing, entry))
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("creates the file that a link leads to in vain", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* folder
      const link = join(path, "mcp.json")
      yield* fs.symlink(join("dotfiles", "mcp.json"), link)
      const outcome = yield* write({ file: link, entry, replace: false })
      assert.deepStrictEqual(outcome, { _tag: "Created", file: join(path, "dotfiles", "mcp.json") })
      assert.strictEqual(yield* fs.readFileString(link), merged(undefined, entry))
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("gives up on links that lead round in a circle", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = join(yield* folder, "mcp.json")
      yield* fs.symlink("mcp.json", file)
      const error = yield* Effect.flip(write({ file, entry, replace: false }))
      assert.strictEqual(error._tag, "FileFailed")
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("refuses bytes that are not UTF-8 and names their line", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = join(yield* folder, "mcp.json")
      // The name of Zoë in Latin-1, in JSON that is sound otherwise.
      yield* fs.writeFile(file, Buffer.from(`{\n  "name": "Zo\u00EB"\n}`, "latin1"))
      const error = yield* Effect.flip(write({ file, entry, replace: true }))
      assert(error._tag === "ConfigBroken")
      assert.strictEqual(error.detail, "not UTF-8 text")
      assert.deepStrictEqual([error.line, error.column], [2, 14])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("keeps a byte order mark and CRLF on the disk", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = join(yield* folder, "mcp.json")
      yield* fs.writeFile(file, new TextEncoder().encode(`\uFEFF{\r\n  "a": 1\r\n}\r\n`))
      yield* write({ file, entry, replace: false })
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(yield* fs.readFile(file))
      assert.isTrue(text.startsWith(`\uFEFF{\r\n  "a": 1,\r\n  "mcpServers": {\r\n`))
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("leaves the file as it was, and no other but the backup, when it cannot be replaced", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* folder
      const file = join(path, "mcp.json")
      yield* fs.writeFileString(file, existing)
      const error = yield* write({ file, entry, replace: false }).pipe(
        withFileSystem(() => ({ rename: (from) => refuse("rename", from) })),
        Effect.flip
      )
      assert(error._tag === "FileFailed" && error.file === file)
      assert.deepStrictEqual(yield* contents(path), [
        ["mcp.json", existing],
        ["mcp.json.1970-01-01T00-00-00.000Z.bak", existing]
      ])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("does not overwrite what another program wrote meanwhile", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* folder
      const file = join(path, "mcp.json")
      const theirs = `{ "theirs": 1 }`
      yield* fs.writeFileString(file, existing)
      const error = yield* write({ file, entry, replace: false }).pipe(
        withFileSystem(({ open, writeFileString }) => ({
          open: (name, options) =>
            name.endsWith(".tmp")
              ? Effect.zipRight(writeFileString(file, theirs), open(name, options))
              : open(name, options)
        })),
        Effect.flip
      )
      assert.strictEqual(error._tag, "ConfigChanged")
      assert.deepStrictEqual(yield* contents(path), [["mcp.json", theirs]])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("does not overwrite a file that appears meanwhile", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "mcp.json")
      const error = yield* write({ file, entry, replace: false }).pipe(
        withFileSystem(({ open, writeFileString }) => ({
          open: (name, options) => Effect.zipRight(writeFileString(file, "{}"), open(name, options))
        })),
        Effect.flip
      )
      assert.strictEqual(error._tag, "ConfigChanged")
      assert.deepStrictEqual(yield* contents(path), [["mcp.json", "{}"]])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("says in the system's words what it cannot read", () =>
    Effect.gen(function* () {
      const file = yield* folder
      const error = yield* Effect.flip(write({ file, entry, replace: false }))
      assert(error._tag === "FileFailed")
      assert.match(error.detail, /^EISDIR: /)
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )

  it.scoped("never overwrites an older backup", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* folder
      const file = join(path, "mcp.json")
      const backup = `${file}.1970-01-01T00-00-00.000Z.bak`
      yield* fs.writeFileString(file, existing)
      yield* fs.writeFileString(backup, "older")
      const error = yield* Effect.flip(write({ file, entry, replace: false }))
      assert(error._tag === "FileFailed" && error.file === backup)
      assert.deepStrictEqual(yield* contents(path), [
        ["mcp.json", existing],
        ["mcp.json.1970-01-01T00-00-00.000Z.bak", "older"]
      ])
    }).pipe(Effect.provide(NodeFileSystem.layer))
  )
})
