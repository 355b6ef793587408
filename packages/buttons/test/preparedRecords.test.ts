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

  it.scopedLive("clears what a server left of a run, and of no other", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      const run = "2026-04-18T09-53-45-123-a"
      const kept = [
        `${run}.json`,
        `${run}.progress.jsonl`,
        `${run}b.json.tmp`,
        `${run}.0.json.tmp`,
        "notes.json.tmp"
      ]
      Fs.closeSync(PreparedRecords.make(Path.join(folder, run)).descriptor)
      Fs.mkdirSync(Path.join(folder, `${run}.11111111-1111-1111-1111-111111111111.json.tmp`))
      for (const name of [...kept, `${run}.json.tmp`]) Fs.writeFileSync(Path.join(folder, name), "{")
      PreparedRecords.clear(folder, run)
      assert.sameMembers(Fs.readdirSync(folder), [
        ...kept,
        `${run}.11111111-1111-1111-1111-111111111111.json.tmp`
      ])
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
    ],
    [
      "is a folder",
      (path) => {
        Fs.rmSync(path)
        Fs.mkdirSync(path)
      }
    ],
    ["others may read and write", (path) => Fs.chmodSync(path, 0o666)]
  ]

  /** A run whose file somebody did that to, and what is there that is another file. */
  const changed = (change: (path: string) => void) =>
    Effect.gen(function* () {
      const { folder, list, run } = yield* prepared(true)
      const [name = ""] = list()
      const { ino } = Fs.lstatSync(Path.join(folder, name))
      change(Path.join(folder, name))
      const others = () => list().filter((each) => Fs.lstatSync(Path.join(folder, each)).ino !== ino)
      return { others, run }
    })

  it.scopedLive.each(changes)("does not give a file that %s, and leaves others alone", ([, change]) =>
    Effect.gen(function* () {
      const { others, run } = yield* changed(change)
      const before = others()
      assert.isUndefined(PreparedRecords.take(run))
      assert.deepStrictEqual(others(), before)
    })
  )

  it.scopedLive.each(changes)("drops a file that %s, and leaves others alone", ([, change]) =>
    Effect.gen(function* () {
      const { others, run } = yield* changed(change)
      const before = others()
      PreparedRecords.drop(run)
      assert.deepStrictEqual(others(), before)
    })
  )
})
