import * as Fs from "node:fs"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OwnFolder from "../src/internal/ownFolder.js"
import * as TextFolder from "../src/internal/textFolder.js"
import * as Temporary from "./support/temporary.js"

const failing = (make: () => void | Promise<void>) =>
  Effect.promise(async () => {
    try {
      await make()
      return "made"
    } catch (error) {
      return typeof error === "object" && error !== null && "code" in error ? error.code : error
    }
  })

const modeOf = (path: string) => (Fs.statSync(path).mode & 0o777).toString(8)

describe("ownFolder", () => {
  it.scoped("makes folders for their owner only, and takes those that are there", () =>
    Effect.gen(function* () {
      const root = yield* Temporary.folder
      for (const _ of ["first", "again"]) {
        const inner = OwnFolder.makePath(root, "one", "two")
        assert.strictEqual(inner, Path.join(root, "one/two"))
        assert.deepStrictEqual([Path.join(root, "one"), inner].map(modeOf), ["700", "700"])
      }
    })
  )

  it.scoped("takes no link, no file, and makes nothing in a folder that is gone", () =>
    Effect.gen(function* () {
      const root = yield* Temporary.folder
      yield* Temporary.write(root, { file: "", "elsewhere/x": "" })
      Fs.symlinkSync("elsewhere", Path.join(root, "link"))
      Fs.symlinkSync("nowhere", Path.join(root, "dangling"))
      const codes = yield* Effect.forEach(["link", "dangling", "file", "gone/inner"], (name) =>
        failing(() => OwnFolder.make(Path.join(root, name)))
      )
      assert.deepStrictEqual(codes, ["ELOOP", "ELOOP", "ENOTDIR", "ENOENT"])
    })
  )
})

describe("textFolder.make", () => {
  it.scoped.each([".pushbutton", ".pushbutton/tasks", "idempotency"])("follows no link: %s", (name) =>
    Effect.gen(function* () {
      const root = yield* Temporary.folder
      const elsewhere = yield* Temporary.folder
      const link = Path.join(root, name)
      Fs.mkdirSync(Path.dirname(link), { recursive: true })
      Fs.symlinkSync(elsewhere, link)
      const folder = name === ".pushbutton" ? Path.join(link, "tasks") : link
      assert.strictEqual(yield* failing(() => TextFolder.make(folder)), "ELOOP")
      assert.deepStrictEqual(Fs.readdirSync(elsewhere), [])
    })
  )

  it.scoped("makes what is missing above it, also behind a link that somebody has chosen", () =>
    Effect.gen(function* () {
      const root = yield* Temporary.folder
      const elsewhere = yield* Temporary.folder
      Fs.symlinkSync(elsewhere, Path.join(root, "chosen"))
      const folder = Path.join(root, "chosen/data/.pushbutton/tasks")
      assert.strictEqual(yield* failing(() => TextFolder.make(folder)), "made")
      assert.strictEqual(modeOf(folder), "700")
    })
  )
})
