import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as PressHistory from "@pushbutton/buttons/PressHistory"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { pressHistory, record } from "./suites/pressHistory.js"
import * as Temporary from "./support/temporary.js"

const folders = { "buttons/deploy/button.json": "", "buttons/other/button.json": "" }

const onDisk = Effect.gen(function* () {
  const dataDir = yield* Temporary.dataDir
  yield* Temporary.write(dataDir.root, folders)
  return {
    dataDir,
    pressed: Path.join(dataDir.buttons, "deploy", "pressed"),
    layer: PressHistory.layerFileSystem(dataDir)
  }
})

pressHistory(
  "on disk",
  Effect.map(onDisk, ({ layer }) => layer)
)
pressHistory("in memory", Effect.succeed(PressHistory.layerMemory))

describe("PressHistory.layerFileSystem", () => {
  it.scoped("writes the file that other readers of the format expect, for its owner only", () =>
    Effect.gen(function* () {
      const { layer, pressed } = yield* onDisk
      const history = yield* Effect.provide(PressHistory.PressHistory, layer)
      yield* history.record("deploy", record("2026-04-18T09:53:45.123Z", "00ff", { args: { version: "1" } }))
      const name = "2026-04-18T09-53-45-123-00ff.json"
      assert.deepStrictEqual(yield* Effect.promise(() => Fs.readdir(pressed)), [name])
      const text = yield* Effect.promise(() => Fs.readFile(Path.join(pressed, name), "utf8"))
      assert.strictEqual(
        text,
        `{
  "button_name": "deploy",
  "started_at": "2026-04-18T09:53:45.123Z",
  "finished_at": "2026-04-18T09:53:45.123Z",
  "exit_code": 0,
  "status": "ok",
  "stdout": "out",
  "stderr": "",
  "duration_ms": 5,
  "run_id": "00ff",
  "caller": "cli",
  "reason": "exited",
  "truncated": false,
  "args": {
    "version": "1"
  }
}`
      )
      const modes = yield* Effect.promise(async () => [
        ((await Fs.stat(pressed)).mode & 0o777).toString(8),
        ((await Fs.stat(Path.join(pressed, name))).mode & 0o777).toString(8)
      ])
      assert.deepStrictEqual(modes, ["700", "600"])
    })
  )

  it.scoped("reads runs of other writers and skips what is no run", () =>
    Effect.gen(function* () {
      const { dataDir, layer } = yield* onDisk
      const foreign =
        '{"button_name":"deploy","started_at":"2026-04-18T09:53:45.5Z","finished_at":"2026-04-18T09:53:46Z","exit_code":200,"http_status_code":200,"status":"ok","stdout":"x","stderr":"","duration_ms":500}'
      yield* Temporary.write(dataDir.root, {
        "buttons/deploy/pressed/2026-04-18T09-53-45.json": foreign,
        "buttons/deploy/pressed/2026-04-18T09-53-46.json": "{",
        "buttons/deploy/pressed/2026-04-18T09-53-47.json": '{"status":"ok"}',
        "buttons/deploy/pressed/2026-04-18T09-53-48.json/folder": "",
        "buttons/deploy/pressed/2026-04-18T09-53-49.progress.jsonl": "{}"
      })
      const history = yield* Effect.provide(PressHistory.PressHistory, layer)
      const runs = yield* history.recent("deploy", 1)
      assert.deepStrictEqual(
        runs.map((run) => [run.stdout, run.run_id]),
        [["x", undefined]]
      )
    })
  )

  it.scoped("creates the progress file of a run, once", () =>
    Effect.gen(function* () {
      const { layer, pressed } = yield* onDisk
      const history = yield* Effect.provide(PressHistory.PressHistory, layer)
      const path = yield* history.openProgress("deploy", "2026-04-18T09:53:45.123Z", "a")
      assert.strictEqual(path, Path.join(pressed, "2026-04-18T09-53-45-123-a.progress.jsonl"))
      assert.strictEqual((yield* Effect.promise(() => Fs.stat(path ?? ""))).mode & 0o777, 0o600)
      assert.isUndefined(yield* history.openProgress("deploy", "2026-04-18T09:53:45.123Z", "a"))
      assert.isUndefined(yield* history.openProgress("never", "2026-04-18T09:53:45.123Z", "a"))
    })
  )

  /** Records that many runs of one moment, one after the other. */
  const press = (count: number, second = "2026-04-18T09:53:45", id = "a") =>
    Effect.flatMap(PressHistory.PressHistory, (history) =>
      Effect.forEach(Array.from({ length: count }).keys(), (index) =>
        history.record("deploy", record(`${second}.${String(index).padStart(3, "0")}Z`, id))
      )
    )

  const list = (folder: string) => Effect.promise(() => Fs.readdir(folder))

  const setTime = (path: string, seconds: number) => Effect.promise(() => Fs.utimes(path, seconds, seconds))

  const ids = Effect.flatMap(PressHistory.PressHistory, (history) =>
    Effect.map(history.recent("deploy", 1_000), (runs) => runs.map((run) => run.run_id))
  )

  it.scopedLive("removes with a run what belongs to it, and nothing that is no run or may still run", () =>
    Effect.gen(function* () {
      const { dataDir, layer, pressed } = yield* onDisk
      const old = "2020-01-01T00-00-00"
      const remains = [".json", ".progress.jsonl", "-500-x.progress.jsonl", "-600-x.json.tmp"]
      yield* Temporary.write(pressed, {
        ...Object.fromEntries(remains.map((ending) => [`${old}${ending}`, "{}"])),
        "notes.json": "{}",
        "2026-04-17T00-00-00.progress.jsonl": ""
      })
      yield* Effect.forEach(remains, (ending) =>
        setTime(Path.join(pressed, `${old}${ending}`), 1_577_836_800)
      )
      yield* Effect.provide(press(100), layer)
      const files = yield* list(pressed)
      assert.sameMembers(
        files.filter((file) => !file.startsWith("2026-04-18")),
        ["notes.json", "2026-04-17T00-00-00.progress.jsonl"]
      )
      assert.lengthOf(files, 102)
      assert.sameMembers(yield* list(dataDir.buttons), ["deploy", "other"])
    })
  )

  it.scopedLive("keeps the progress of a run that goes on, and its record when it has ended", () =>
    Effect.gen(function* () {
      const { layer, pressed } = yield* onDisk
      const began = "2026-04-18T09:00:00.000Z"
      yield* Effect.gen(function* () {
        const history = yield* PressHistory.PressHistory
        yield* Effect.scoped(
          Effect.gen(function* () {
            const path = (yield* history.openProgress("deploy", began, "long")) ?? ""
            yield* setTime(path, 1_577_836_800)
            yield* press(105)
            assert.include(yield* list(pressed), Path.basename(path))
            yield* history.record("deploy", record(began, "long"))
          })
        )
        yield* press(98, "2026-04-18T10:00:00", "b")
        const kept = yield* ids
        assert.lengthOf(kept, 100)
        assert.include(kept, "long")
      }).pipe(Effect.provide(layer))
    })
  )

  it.scopedLive.each([
    ["ended a day later by a clock that was set back since", 86_400],
    ["came with the folder from a machine of another century", 3_000_000_000]
  ] as const)("keeps what was just recorded before what %s", ([, ahead]) =>
    Effect.gen(function* () {
      const { layer, pressed } = yield* onDisk
      yield* Effect.gen(function* () {
        yield* press(100, "2150-01-01T00:00:00", "future")
        const now = yield* Clock.currentTimeMillis
        for (const file of yield* list(pressed)) {
          yield* setTime(Path.join(pressed, file), Math.floor(now / 1_000) + ahead)
        }
        yield* press(3, "2026-04-18T09:53:45", "new")
        const kept = yield* ids
        assert.lengthOf(kept, 100)
        assert.deepStrictEqual(kept.slice(0, 4), ["new", "new", "new", "future"])
      }).pipe(Effect.provide(layer))
    })
  )

  it.scopedLive("prunes on beside what it cannot remove", () =>
    Effect.gen(function* () {
      const { layer, pressed } = yield* onDisk
      yield* Temporary.write(pressed, { "2020-01-01T00-00-00.json/x": "" })
      yield* setTime(Path.join(pressed, "2020-01-01T00-00-00.json"), 1_577_836_800)
      yield* Effect.provide(press(103), layer)
      assert.lengthOf(yield* list(pressed), 101)
    })
  )

  it.scoped("leaves no progress file of a run that has no record", () =>
    Effect.gen(function* () {
      const { layer, pressed } = yield* onDisk
      const history = yield* Effect.provide(PressHistory.PressHistory, layer)
      const began = "2026-04-18T09:53:45.123Z"
      yield* Effect.scoped(history.openProgress("deploy", began, "lost"))
      assert.deepStrictEqual(yield* list(pressed), [])
      yield* Effect.scoped(
        Effect.zipRight(
          history.openProgress("deploy", began, "a"),
          history.record("deploy", record(began, "a"))
        )
      )
      assert.sameMembers(yield* list(pressed), [
        "2026-04-18T09-53-45-123-a.json",
        "2026-04-18T09-53-45-123-a.progress.jsonl"
      ])
    })
  )

  /** Records that are not on the disk yet are open. */
  const openIn = (folder: string) =>
    Effect.promise(async () => {
      const links = (await Fs.readdir("/proc/self/fd")).map((name) =>
        Fs.readlink(`/proc/self/fd/${name}`).catch(() => "")
      )
      return (await Promise.all(links)).filter((path) => path.startsWith(folder)).length
    })

  it.scoped(
    "puts records on the disk a moment after they are written, and at the latest when it closes",
    () =>
      Effect.gen(function* () {
        const { layer, pressed } = yield* onDisk
        yield* Effect.gen(function* () {
          yield* press(3)
          assert.strictEqual(yield* openIn(pressed), 3)
          yield* TestClock.adjust("20 millis")
          yield* Effect.iterate(3, { while: (count) => count > 0, body: () => openIn(pressed) })
          yield* press(3, "2026-04-18T10:00:00")
          assert.strictEqual(yield* openIn(pressed), 3)
        }).pipe(Effect.provide(layer))
        assert.strictEqual(yield* openIn(pressed), 0)
      })
  )

  it.scoped("keeps no more than some records open", () =>
    Effect.gen(function* () {
      const { layer, pressed } = yield* onDisk
      yield* Effect.provide(
        Effect.zipRight(
          press(150),
          Effect.map(openIn(pressed), (count) => assert.isBelow(count, 64))
        ),
        layer
      )
    })
  )

  it.scoped("hands an empty progress file on to the next run, and no other", () =>
    Effect.gen(function* () {
      const { layer, pressed } = yield* onDisk
      const history = yield* Effect.provide(PressHistory.PressHistory, layer)
      const began = "2026-04-18T09:53:45.123Z"
      const run = (id: string, wrote: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            const path = (yield* history.openProgress("deploy", began, id)) ?? ""
            const found = yield* Effect.promise(async () => {
              const { mode, size } = await Fs.stat(path)
              await Fs.appendFile(path, wrote)
              return [size, (mode & 0o777).toString(8)]
            })
            yield* history.record("deploy", record(began, id))
            return found
          })
        )
      for (const [id, wrote] of [
        ["a", ""],
        ["b", "one\n"],
        ["c", ""],
        ["d", ""]
      ] as const) {
        assert.deepStrictEqual(yield* run(id, wrote), [0, "600"])
      }
      const progress = (yield* list(pressed)).filter((file) => file.endsWith(".progress.jsonl"))
      assert.sameMembers(
        progress,
        ["b", "d"].map((id) => `2026-04-18T09-53-45-123-${id}.progress.jsonl`)
      )
    })
  )

  it.scopedLive("records what a loss of power left empty, and keeps what somebody else is writing", () =>
    Effect.gen(function* () {
      const { layer, pressed } = yield* onDisk
      const name = "2026-04-18T09-53-45-123-a"
      yield* Temporary.write(pressed, { [`${name}.json`]: "", [`${name}.json.tmp`]: "{" })
      const runs = yield* Effect.provide(
        Effect.flatMap(PressHistory.PressHistory, (history) =>
          Effect.zipRight(
            history.record("deploy", record("2026-04-18T09:53:45.123Z", "a")),
            history.recent("deploy", 5)
          )
        ),
        layer
      )
      assert.deepStrictEqual(
        runs.map((run) => run.run_id),
        ["a"]
      )
      assert.sameMembers(yield* list(pressed), [`${name}.json`, `${name}.json.tmp`])
    })
  )

  it.scopedLive("keeps runs of a definitions file apart from those of a folder of the same name", () =>
    Effect.gen(function* () {
      const { dataDir, layer, pressed } = yield* onDisk
      yield* Effect.gen(function* () {
        const history = yield* PressHistory.PressHistory
        const one = record("2026-04-18T09:53:45.123Z", "a")
        assert.deepStrictEqual(yield* history.recent("deploy", 5, "definitions"), [])
        assert.sameMembers(yield* list(dataDir.root), ["buttons"])
        yield* Effect.scoped(history.openProgress("deploy", one.started_at, "a", "definitions"))
        yield* history.record("deploy", one, "definitions")
        yield* history.record("deploy", { ...one, run_id: "b" }, "resource")
        assert.deepStrictEqual(yield* history.recent("deploy", 5), [])
        assert.deepStrictEqual(yield* history.recent("deploy", 5, "definitions"), [one])
        assert.deepStrictEqual(yield* history.recent("deploy", 5, "resource"), [])
      }).pipe(Effect.provide(layer))
      assert.sameMembers(yield* list(dataDir.root), ["buttons", ".pushbutton"])
      assert.notInclude(yield* list(Path.dirname(pressed)), "pressed")
    })
  )

  it.scoped("fails without a trace when it cannot write, and does not bring back a removed button", () =>
    Effect.gen(function* () {
      const { dataDir, layer } = yield* onDisk
      const history = yield* Effect.provide(PressHistory.PressHistory, layer)
      const error = yield* Effect.flip(history.record("gone", record("2026-04-18T09:53:45.123Z", "a")))
      assert.deepInclude(error, { _tag: "HistoryUnwritable", slug: "gone", detail: "ENOENT" })
      assert.sameMembers(yield* Effect.promise(() => Fs.readdir(dataDir.buttons)), ["deploy", "other"])

      yield* Temporary.write(dataDir.root, {
        "buttons/deploy/pressed/2026-04-18T09-53-45-123-a.json/folder": ""
      })
      const blocked = yield* Effect.flip(history.record("deploy", record("2026-04-18T09:53:45.123Z", "a")))
      assert.strictEqual(blocked.detail, "EISDIR")
      assert.deepStrictEqual(
        yield* Effect.promise(() => Fs.readdir(Path.join(dataDir.buttons, "deploy", "pressed"))),
        ["2026-04-18T09-53-45-123-a.json"]
      )
    })
  )
})
