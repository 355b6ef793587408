import * as Fs from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TextFolder from "../src/internal/textFolder.js"
import * as Temporary from "./support/temporary.js"

const inFolder = (test: (folder: string) => Promise<void>) =>
  Effect.flatMap(Temporary.folder, (folder) => Effect.promise(() => test(folder)))

const refuse = async (): Promise<void> => {
  throw Object.assign(new Error("EPERM"), { code: "EPERM" })
}

describe("textFolder.create", () => {
  it.scoped("writes where nothing is, once, and leaves nothing else", () =>
    inFolder(async (folder) => {
      const created = await Promise.all(["a", "b", "c"].map((text) => TextFolder.create(folder, "k", text)))
      assert.deepStrictEqual(created.filter(Boolean), [true])
      assert.strictEqual(await TextFolder.read(folder, "k"), ["a", "b", "c"][created.indexOf(true)])
      assert.deepStrictEqual(await Fs.readdir(folder), ["k.json"])
    })
  )

  it.scoped("does the same where files have one name only", () =>
    inFolder(async (folder) => {
      const create = (text: string) => TextFolder.create(folder, "k", text, refuse)
      assert.isTrue(await create("a"))
      assert.isFalse(await create("b"))
      assert.strictEqual(await TextFolder.read(folder, "k"), "a")
      assert.deepStrictEqual(await Fs.readdir(folder), ["k.json"])
    })
  )

  it.scoped("leaves nothing when it fails after the file has its name", () =>
    inFolder(async (folder) => {
      const error = await TextFolder.create(folder, "k", "a", async (existing, path) => {
        await Fs.rename(existing, path)
      }).catch((reason: unknown) => reason)
      assert.instanceOf(error, Error)
      assert.deepStrictEqual(await Fs.readdir(folder), [])
    })
  )
})

describe("textFolder.take", () => {
  it.scoped("takes a text that is still there, once", () =>
    inFolder(async (folder) => {
      await TextFolder.write(folder, "k", "a")
      const taken = await Promise.all([1, 2, 3].map(() => TextFolder.take(folder, "k", "a")))
      assert.deepStrictEqual(taken.filter(Boolean), [true])
      assert.deepStrictEqual(await Fs.readdir(folder), [])
      assert.isFalse(await TextFolder.take(folder, "k", "a"))
    })
  )

  it.scoped("leaves another text where it is", () =>
    inFolder(async (folder) => {
      await TextFolder.write(folder, "k", "b")
      assert.isFalse(await TextFolder.take(folder, "k", "a"))
      assert.strictEqual(await TextFolder.read(folder, "k"), "b")
      assert.deepStrictEqual(await Fs.readdir(folder), ["k.json"])
    })
  )
})
