import { spawn } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as TaskFiles from "@pushbutton/buttons/TaskFiles"
import * as TaskStore from "@pushbutton/server/TaskStore"
import * as TaskStoreContract from "@pushbutton/server/testing/taskStoreContract"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as TestClock from "effect/TestClock"
import * as Temporary from "./support/temporary.js"

describe("TaskFiles", () => {
  for (const { check, name } of TaskStoreContract.cases) {
    it.scoped(name, () =>
      Effect.flatMap(Temporary.folder, (folder) => check((options) => TaskFiles.open(folder, options)))
    )
  }

  const kept = {
    task: { taskId: "t-1", status: "working", createdAt: 0, lastUpdatedAt: 0, ttlMs: 60_000, issued: [] },
    owner: "ann"
  } as const

  const create = (folder: string) =>
    Effect.scoped(Effect.flatMap(TaskFiles.open(folder), (store) => store.create(kept)))

  /** Another name for the runner that a record has; the fourth part of it is the place. */
  const runBy = (
    path: string,
    rename: (parts: ReadonlyArray<string>) => ReadonlyArray<string | undefined>
  ) => {
    const record = JSON.parse(Fs.readFileSync(path, "utf8"))
    const runner = rename(record.runner.split(" ")).join(" ")
    Fs.writeFileSync(path, JSON.stringify({ ...record, runner }))
  }

  const statusIn = (folder: string) =>
    Effect.scoped(
      Effect.flatMap(TaskFiles.open(folder), (store) =>
        Effect.map(store.find("t-1"), (found) => found?.task.status)
      )
    )

  it.scoped("writes files that only their owner can read, and leaves nothing else", () =>
    Effect.gen(function* () {
      const folder = Path.join(yield* Temporary.folder, "deep", "tasks")
      yield* create(folder)
      assert.deepStrictEqual(Fs.readdirSync(folder), ["t-1.json"])
      assert.strictEqual(Fs.statSync(folder).mode & 0o777, 0o700)
      assert.strictEqual(Fs.statSync(Path.join(folder, "t-1.json")).mode & 0o777, 0o600)
    })
  )

  it.scoped(
    "believes that a task runs while the process that runs it is there, and not after it was killed",
    () =>
      Effect.gen(function* () {
        const folder = yield* Temporary.folder
        yield* create(folder)
        const path = Path.join(folder, "t-1.json")
        const other = yield* Effect.acquireRelease(
          Effect.sync(() => spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: "pipe" })),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        const pid = other.pid ?? 0
        const start = Fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19]
        runBy(path, ([, , , place]) => [String(pid), String(start), "x", place])
        assert.strictEqual(yield* statusIn(folder), "working")
        yield* Effect.async<void>((resume) => {
          other.once("exit", () => resume(Effect.void))
          other.kill("SIGKILL")
        })
        assert.strictEqual(yield* statusIn(folder), "failed")
      })
  )

  it.scoped("does not take another process of the same number for the one that ran the task", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      yield* create(folder)
      const path = Path.join(folder, "t-1.json")
      runBy(path, ([, , , place]) => [String(process.ppid), "1", "x", place])
      assert.strictEqual(yield* statusIn(folder), "failed")
    })
  )

  it.scoped(
    "leaves alone what a process of another place runs, of which it knows nothing, until its time",
    () =>
      Effect.gen(function* () {
        for (const part of [0, 1, 2]) {
          const folder = yield* Temporary.folder
          yield* create(folder)
          runBy(Path.join(folder, "t-1.json"), ([, , , place = ""]) => [
            "999999999",
            "1",
            "x",
            place
              .split("/")
              .map((found, index) => (index === part ? "elsewhere" : found))
              .join("/")
          ])
          assert.strictEqual(yield* statusIn(folder), "working")
        }
        const folder = yield* Temporary.folder
        yield* create(folder)
        runBy(Path.join(folder, "t-1.json"), () => ["999999999", "1", "x", "elsewhere"])
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(yield* statusIn(folder), "working")
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* statusIn(folder), "failed")
      })
  )

  it.scoped("passes over files that are none of its own, and removes what an old write left", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      yield* Temporary.write(folder, {
        "notes.txt": "mine",
        "t-9.json": "{",
        "old.json.x.tmp": "",
        "new.json.x.tmp": ""
      })
      Fs.utimesSync(Path.join(folder, "old.json.x.tmp"), 0, 0)
      yield* TestClock.adjust("61 minutes")
      yield* create(folder)
      assert.strictEqual(yield* statusIn(folder), "failed")
      assert.sameMembers(Fs.readdirSync(folder), ["notes.txt", "t-9.json", "new.json.x.tmp", "t-1.json"])
    })
  )

  it.scoped("fails to open where no folder can be", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      yield* Temporary.write(folder, { file: "" })
      const failure = yield* Effect.flip(Effect.scoped(TaskFiles.open(Path.join(folder, "file"))))
      assert.strictEqual(failure.detail, "ENOTDIR")
    })
  )

  const keep = (dataDir: DataDir) =>
    Effect.provide(
      Effect.flatMap(TaskStore.TaskStore, (store) =>
        Effect.zipRight(
          store.create(kept),
          Effect.map(store.find("t-1"), (found) => found?.owner)
        )
      ),
      TaskFiles.layerDataDir(dataDir)
    )

  it.scoped("keeps tasks in a data folder, and in memory where that is missing or takes none", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const inside = Path.join(dataDir.root, ".pushbutton")
      assert.strictEqual(yield* keep(dataDir), "ann")
      assert.deepStrictEqual(Fs.readdirSync(Path.join(inside, "tasks")), ["t-1.json"])

      const missing = { ...dataDir, root: Path.join(dataDir.root, "missing") }
      assert.strictEqual(yield* keep(missing), "ann")
      assert.isFalse(Fs.existsSync(missing.root))

      Fs.rmSync(inside, { recursive: true })
      Fs.writeFileSync(inside, "in the way")
      assert.strictEqual(yield* keep(dataDir), "ann")
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )
})
