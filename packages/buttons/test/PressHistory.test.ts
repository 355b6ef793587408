import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as PressHistory from "@pushbutton/buttons/PressHistory"
import * as Effect from "effect/Effect"
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

  it.scoped("removes with a run what belongs to it, and nothing that is no run", () =>
    Effect.gen(function* () {
      const { dataDir, layer, pressed } = yield* onDisk
      const old = "buttons/deploy/pressed/2020-01-01T00-00-00"
      yield* Temporary.write(dataDir.root, {
        [`${old}.json`]: "{}",
        [`${old}.progress.jsonl`]: "",
        [`${old}-500-x.progress.jsonl`]: "",
        [`${old}-600-x.json.tmp`]: "",
        "buttons/deploy/pressed/notes.json": "{}",
        "buttons/deploy/pressed/2026-12-31T00-00-00.progress.jsonl": ""
      })
      const history = yield* Effect.provide(PressHistory.PressHistory, layer)
      for (let index = 0; index < 100; index++) {
        yield* history.record("deploy", record(`2026-04-18T09:53:45.${String(index).padStart(3, "0")}Z`, "a"))
      }
      const files = yield* Effect.promise(() => Fs.readdir(pressed))
      assert.sameMembers(
        files.filter((file) => !file.startsWith("2026-04")),
        ["notes.json", "2026-12-31T00-00-00.progress.jsonl"]
      )
      assert.lengthOf(files, 102)
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
