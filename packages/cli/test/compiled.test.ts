import * as Fs from "node:fs"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Compiled from "../src/compiled.js"
import { folder } from "./support/running.js"

const name = (digit: string) => `/*${digit.repeat(32)}*/`

/** A script that is worth keeping, and that gives a function. */
const script = (value: string, content = name("a")) =>
  `${content}(function(){function inner(){return ${value}}return inner()})${" ".repeat(Compiled.fewCharacters)}`

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

  it.scoped("keeps no more than some", () =>
    Effect.map(fixture, ({ kept, start }) => {
      const digits = [..."0123456789abcdef"]
      for (const digit of digits) start(script("1", name(digit)))
      for (const digit of digits.slice(1)) start(script("1", `/*${`0${digit}`.repeat(16)}*/`))
      assert.lengthOf(kept(), Compiled.mostKept)
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
