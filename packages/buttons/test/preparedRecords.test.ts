import * as Fs from "node:fs"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as PreparedRecords from "../src/internal/preparedRecords.js"
import * as Temporary from "./support/temporary.js"

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** A run whose file has been made, or for which there was no time. */
const prepared = (isMade: boolean) =>
  Effect.gen(function* () {
    const folder = yield* Temporary.folder
    const run = Path.join(folder, "run")
    PreparedRecords.prepare(run)
    if (isMade) yield* turn
    const list = () => Fs.readdirSync(folder)
    return { folder, list, run }
  })

describe("preparedRecords", () => {
  it.scopedLive("makes an empty file in the next turn, which is taken once", () =>
    Effect.gen(function* () {
      const { folder, list, run } = yield* prepared(true)
      const taken = PreparedRecords.take(run)
      assert.deepStrictEqual(
        [taken?.path],
        list().map((name) => Path.join(folder, name))
      )
      assert.strictEqual(Fs.fstatSync(taken?.descriptor ?? -1).mode & 0o777, 0o600)
      assert.isUndefined(PreparedRecords.take(run))
      if (taken !== undefined) PreparedRecords.discard(taken)
      assert.deepStrictEqual(list(), [])
    })
  )

  it.scopedLive("makes none when the run was over before", () =>
    Effect.gen(function* () {
      const { list, run } = yield* prepared(false)
      assert.isUndefined(PreparedRecords.take(run))
      yield* turn
      assert.deepStrictEqual(list(), [])
    })
  )

  it.scopedLive("removes what nobody took", () =>
    Effect.gen(function* () {
      const { list, run } = yield* prepared(true)
      assert.lengthOf(list(), 1)
      PreparedRecords.drop(run)
      assert.deepStrictEqual(list(), [])
    })
  )

  const changes: ReadonlyArray<readonly [string, (path: string) => void]> = [
    ["is gone", (path) => Fs.rmSync(path)],
    ["is no longer empty", (path) => Fs.writeFileSync(path, "{}")],
    ["has a second name", (path) => Fs.linkSync(path, `${path}.other`)],
    [
      "is another one",
      (path) => {
        Fs.renameSync(path, `${path}.other`)
        Fs.writeFileSync(path, "")
      }
    ],
    [
      "is a link",
      (path) => {
        Fs.renameSync(path, `${path}.other`)
        Fs.symlinkSync(`${path}.other`, path)
      }
    ]
  ]

  it.scopedLive.each(changes)("does not give a file that %s", ([, change]) =>
    Effect.gen(function* () {
      const { folder, list, run } = yield* prepared(true)
      for (const name of list()) change(Path.join(folder, name))
      assert.isUndefined(PreparedRecords.take(run))
    })
  )
})
