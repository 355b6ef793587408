import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Compiled from "../src/compiled.js"
import { folder } from "./support/running.js"

const name = (digit: string) => `/*${digit.repeat(32)}*/`

const negated = (byte: number) => ~byte

/** A script that is worth keeping, and that gives a function. */
const script = (value: string, content = name("a")) =>
  `${content}(function(){function inner(){return ${value}}return inner()})${" ".repeat(Compiled.fewCharacters)}`

const anHour = 60 * 60

/** Sets how long ago a file was written. */
const age = (path: string, seconds: number) => {
  const then = Date.now() / 1_000 - seconds
  Fs.utimesSync(path, then, then)
}

/** The user who runs this, seen as another one. */
const asAnotherUser = Effect.acquireRelease(
  Effect.sync(() => {
    const { getuid } = process
    const other = Fs.statSync(Os.tmpdir()).uid + (getuid?.() ?? 0) + 1
    process.getuid = () => other
    return getuid
  }),
  (getuid) =>
    Effect.sync(() => {
      if (getuid === undefined) delete process.getuid
      else process.getuid = getuid
    })
)

const fixture = Effect.map(folder, (root) => {
  let starts = 0
  const cache = Path.join(root, "cache", "pushbutton")
  /** One start of a program: what it computes, and whether it had anything to keep. */
  const start = (source: string, cacheFolder: string | undefined = cache) => {
    // At the same path V8 would remember the script in its memory.
    const file = Path.join(root, `start-${++starts}`, "script.js")
    Fs.mkdirSync(Path.dirname(file))
    Fs.writeFileSync(file, source)
    let keep: (() => void) | undefined
    const value = Compiled.evaluate(file, {
      folder: cacheFolder,
      onceSettled: (callback) => {
        keep = callback
      }
    })
    const result: unknown = typeof value === "function" ? value() : undefined
    keep?.()
    return { result, kept: keep !== undefined }
  }
  const kept = () =>
    Fs.existsSync(cache) ? Fs.readdirSync(cache).map((entry) => Path.join(cache, entry)) : []
  return { root, cache, start, kept }
})

describe("compiled", () => {
  it.scoped("finds at the second start what the first has kept", () =>
    Effect.map(fixture, ({ kept, start }) => {
      assert.deepStrictEqual(start(script("1")), { result: 1, kept: true })
      assert.lengthOf(kept(), 1)
      assert.deepStrictEqual(start(script("1")), { result: 1, kept: false })
    })
  )

  it.scoped("takes no code of another text, though it is as long", () =>
    Effect.map(fixture, ({ start }) => {
      start(script("1"))
      assert.deepStrictEqual(start(script("2", name("b"))), { result: 2, kept: true })
    })
  )

  it.scoped("takes no code of a text that was changed under its name", () =>
    Effect.map(fixture, ({ kept, start }) => {
      start(script("1"))
      assert.deepStrictEqual(start(script("2")), { result: 2, kept: true })
      assert.lengthOf(kept(), 1)
      assert.deepStrictEqual(start(script("2")), { result: 2, kept: false })
    })
  )

  it.scoped("takes nothing that is damaged, wherever it is, and replaces it", () =>
    Effect.map(fixture, ({ kept, start }) => {
      const source = script("1")
      start(source)
      const [path = ""] = kept()
      const whole = Fs.readFileSync(path)
      const overwritten = (at: number) =>
        Buffer.from(whole).fill(whole.subarray(at, at + 8).map(negated), at, at + 8)
      const places = Array.from({ length: 40 }, (_, index) => Math.floor((index * (whole.length - 8)) / 39))
      const damaged = [
        ...places.map(overwritten),
        ...places.map((at) => whole.subarray(0, at)),
        ...places.map((at) => Buffer.from(whole).fill(0, at)),
        Buffer.concat([whole, Buffer.alloc(8)]),
        Buffer.concat([whole, whole])
      ]
      for (const bytes of damaged) {
        Fs.writeFileSync(path, bytes)
        assert.deepStrictEqual(start(source), { result: 1, kept: true })
        assert.deepStrictEqual(start(source), { result: 1, kept: false })
      }
    })
  )

  it.scoped("keeps what nobody else may read or write", () =>
    Effect.map(fixture, ({ cache, kept, start }) => {
      start(script("1"))
      assert.strictEqual(Fs.statSync(cache).mode & 0o777, 0o700)
      for (const path of kept()) assert.strictEqual(Fs.statSync(path).mode & 0o777, 0o600)
    })
  )

  it.scoped("takes nothing that others may write, nor links, nor anything but V8's own", () =>
    Effect.map(fixture, ({ kept, root, start }) => {
      const source = script("1")
      start(source)
      for (const path of kept()) Fs.chmodSync(path, 0o620)
      assert.deepStrictEqual(start(source), { result: 1, kept: true })
      for (const path of kept()) {
        Fs.renameSync(path, Path.join(root, "elsewhere"))
        Fs.symlinkSync(Path.join(root, "elsewhere"), path)
      }
      assert.deepStrictEqual(start(source), { result: 1, kept: true })
      for (const text of ["", "text"]) {
        for (const path of kept()) Fs.writeFileSync(path, text)
        assert.deepStrictEqual(start(source), { result: 1, kept: true })
      }
      assert.deepStrictEqual(start(source), { result: 1, kept: false })
    })
  )

  it.scoped("runs where nothing can be kept", () =>
    Effect.map(fixture, ({ root, start }) => {
      Fs.writeFileSync(Path.join(root, "file"), "")
      assert.deepStrictEqual(start(script("1"), Path.join(root, "file")), { result: 1, kept: true })
      assert.deepStrictEqual(start(script("1"), Path.join(root, "file")), { result: 1, kept: true })
    })
  )

  it.scoped("leaves alone scripts that are small, or that do not name their content", () =>
    Effect.map(fixture, ({ kept, start }) => {
      assert.deepStrictEqual(start(script("1").trim()), { result: 1, kept: false })
      assert.deepStrictEqual(start(script("1", "")), { result: 1, kept: false })
      assert.deepStrictEqual(kept(), [])
    })
  )

  it.scoped("keeps nothing in a folder behind a link, nor in one that others may write", () =>
    Effect.map(fixture, ({ cache, root, start }) => {
      const documents = Path.join(root, "documents")
      Fs.mkdirSync(documents)
      Fs.mkdirSync(Path.dirname(cache))
      Fs.symlinkSync(documents, cache)
      start(script("1"))
      assert.deepStrictEqual(Fs.readdirSync(documents), [])
      Fs.rmSync(cache)
      start(script("1"))
      Fs.renameSync(cache, Path.join(root, "moved"))
      Fs.symlinkSync(Path.join(root, "moved"), cache)
      assert.deepStrictEqual(start(script("1")), { result: 1, kept: true })
      Fs.rmSync(cache)
      Fs.renameSync(Path.join(root, "moved"), cache)
      assert.deepStrictEqual(start(script("1")), { result: 1, kept: false })
      Fs.chmodSync(cache, 0o770)
      assert.deepStrictEqual(start(script("1")), { result: 1, kept: true })
      const before = Fs.readdirSync(cache)
      start(script("2", name("b")))
      assert.deepStrictEqual(Fs.readdirSync(cache), before)
    })
  )

  it.scoped("neither takes from nor makes anything in the home of another user", () =>
    Effect.gen(function* () {
      const { cache, kept, root, start } = yield* fixture
      start(script("1"))
      const before = kept()
      yield* asAnotherUser
      assert.deepStrictEqual(start(script("1")), { result: 1, kept: true })
      start(script("2", name("b")))
      assert.deepStrictEqual(kept(), before)
      Fs.rmSync(Path.dirname(cache), { recursive: true })
      start(script("1"))
      assert.isFalse(Fs.existsSync(Path.dirname(cache)))
      assert.isTrue(Fs.existsSync(root))
    })
  )

  it.scoped("keeps the newest, of no more than some", () =>
    Effect.map(fixture, ({ kept, start }) => {
      const contents = Array.from({ length: 2 * Compiled.mostKept }, (_, index) =>
        name("a").replace("aa", `${index + 10}`)
      )
      contents.forEach((content, index) => {
        start(script("1", content))
        // The later, the older.
        for (const path of kept()) if (path.includes(content.slice(2, -2))) age(path, index * anHour)
      })
      assert.lengthOf(kept(), Compiled.mostKept)
      const expected = [...contents.slice(0, Compiled.mostKept - 1), ...contents.slice(-1)]
      for (const content of expected)
        assert.deepStrictEqual(start(script("1", content)), { result: 1, kept: false })
    })
  )

  it.scoped("removes no file but its own", () =>
    Effect.map(fixture, ({ cache, kept, start }) => {
      start(script("1"))
      const [path = ""] = kept()
      const others = [
        ...Array.from({ length: 30 }, (_, index) => `document ${index}.txt`),
        `${Path.basename(path)}.backup 1`,
        Path.basename(path).slice(1)
      ]
      for (const other of others) {
        Fs.writeFileSync(Path.join(cache, other), "")
        age(Path.join(cache, other), 100 * anHour)
      }
      const folders = Array.from({ length: 30 }, (_, index) => path.slice(0, -2) + (index + 10))
      for (const folder of folders) Fs.mkdirSync(folder)
      start(script("2", name("b")))
      const left = Fs.readdirSync(cache)
      assert.includeMembers(left, others)
      assert.lengthOf(left, others.length + folders.length + 2)
    })
  )

  it.scoped("removes drafts that were left long ago", () =>
    Effect.map(fixture, ({ kept, start }) => {
      start(script("1"))
      const [path = ""] = kept()
      const [left, current] = [`${path}.0f-4`, `${path}.9a-1`]
      for (const draft of [left, current]) Fs.writeFileSync(draft, "")
      age(left, 2 * anHour)
      start(script("2", name("b")))
      assert.isFalse(Fs.existsSync(left))
      assert.isTrue(Fs.existsSync(current))
      assert.lengthOf(kept(), 3)
    })
  )

  it("lies where the system keeps such things, of users that have a home", () => {
    const folderOf = Compiled.folderOf
    assert.strictEqual(folderOf({ HOME: "/home/me" }, "linux"), "/home/me/.cache/pushbutton")
    assert.strictEqual(folderOf({ HOME: "/home/me", XDG_CACHE_HOME: "/c" }, "linux"), "/c/pushbutton")
    assert.strictEqual(
      folderOf({ HOME: "/home/me", XDG_CACHE_HOME: "relative" }, "linux"),
      "/home/me/.cache/pushbutton"
    )
    assert.strictEqual(folderOf({ HOME: "/Users/me" }, "darwin"), "/Users/me/Library/Caches/pushbutton")
    assert.isUndefined(folderOf({}, "linux"))
    assert.isUndefined(folderOf({ HOME: "" }, "linux"))
    assert.isUndefined(folderOf({ HOME: "/home/me", NODE_DISABLE_COMPILE_CACHE: "1" }, "linux"))
  })
})
