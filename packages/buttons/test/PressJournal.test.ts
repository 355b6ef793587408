import { execFileSync, spawn } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as PressJournal from "@pushbutton/buttons/PressJournal"
import type { Run } from "@pushbutton/buttons/PressResult"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as JournalFiles from "../src/internal/journalFiles.js"
import * as ProcessTable from "../src/internal/processTable.js"
import * as Temporary from "./support/temporary.js"

const run: Run = {
  button: "deploy",
  runId: "0123456789abcdef",
  startedAtMillis: 1_000,
  caller: "mcp",
  args: { env: "prod" }
}

const mark = "0123456789abcdef0123456789abcdef"

const folderOf = ({ root }: DataDir) => Path.join(root, ".pushbutton/running")

/** Open for as long as the test runs. */
const journalOn = (dataDir: DataDir) =>
  Effect.map(Layer.build(PressJournal.layerFileSystem(dataDir)), Context.get(PressJournal.PressJournal))

interface Written {
  readonly owner?: string
  readonly [member: string]: unknown
}

/** A note of a press that runs, left there. */
const noted = Effect.gen(function* () {
  const dataDir = yield* Temporary.dataDir
  const scope = yield* Scope.make()
  const journal = yield* journalOn(dataDir)
  const note = yield* Scope.extend(journal.open(run), scope)
  yield* note.starting(mark)
  const [name = ""] = Fs.readdirSync(folderOf(dataDir))
  const path = Path.join(folderOf(dataDir), name)
  const lines = (): ReadonlyArray<Written> =>
    Fs.readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
  /** Puts other lines in place of those after the first, and changes number, start, name and place of its server. */
  const change = (
    owner: (parts: ReadonlyArray<string>) => ReadonlyArray<string>,
    rest: ReadonlyArray<unknown> = lines().slice(1)
  ) => {
    const [first] = lines()
    const changed = { owner: owner((first?.owner ?? "").split(" ")).join(" ") }
    Fs.writeFileSync(path, [changed, ...rest].map((line) => JSON.stringify(line)).join("\n"))
  }
  return { dataDir, path, note, lines, change, close: Scope.close(scope, Exit.void) }
})

const dead = ([, , id = "", place = ""]: ReadonlyArray<string>) => ["999999999", "1", id, place]

const abandonedIn = (dataDir: DataDir) =>
  Effect.flatMap(journalOn(dataDir), ({ endAbandoned }) => endAbandoned)

/** A process in a group of its own that is gone when the scope closes. */
const bystander = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly pid: number; readonly ended: Promise<string> }>((resolve, reject) => {
        const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" })
        child.once("error", reject)
        const ended = new Promise<string>((done) => child.once("exit", (_, signal) => done(`${signal}`)))
        child.once("spawn", () => resolve({ pid: child.pid ?? 0, ended }))
      })
  ),
  ({ pid }) => Effect.sync(() => isAlive(pid) && process.kill(pid, "SIGKILL"))
)

const isAlive = (pid: number) => pid > 1 && ProcessTable.look(pid)?.isDead === false

/** Recovery that says what it would end, and signals nobody. */
const endedIn = (dataDir: DataDir) =>
  Effect.gen(function* () {
    const ended: Array<string> = []
    const journal = yield* JournalFiles.make(dataDir.root, (entry) =>
      Effect.sync(() => ended.push(`${entry.mark} ${entry.leader?.pid}`))
    )
    const abandoned = yield* journal.endAbandoned
    return { ended, runs: abandoned.map((one) => one.run) }
  })

describe("PressJournal.layerFileSystem", () => {
  it.scoped("notes a press for the owner only, and forgets it when it is over", () =>
    Effect.gen(function* () {
      const { close, dataDir, lines, note, path } = yield* noted
      yield* note.started({ pid: 4_242, start: "17" })
      assert.deepStrictEqual(lines().slice(1), [
        { starting: run, mark },
        { started: run.runId, leader: { pid: 4_242, start: "17" } }
      ])
      assert.deepStrictEqual(
        [folderOf(dataDir), path].map((entry) => (Fs.statSync(entry).mode & 0o777).toString(8)),
        ["700", "600"]
      )
      yield* close
      assert.deepStrictEqual(lines().slice(3), [{ ended: run.runId }])
      assert.deepStrictEqual(yield* endedIn(dataDir), { ended: [], runs: [] })
    })
  )

  it.scoped("leaves no file when its server has ended", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Effect.scoped(
        Effect.gen(function* () {
          const journal = yield* journalOn(dataDir)
          yield* Effect.scoped(Effect.flatMap(journal.open(run), (note) => note.starting(mark)))
          assert.lengthOf(Fs.readdirSync(folderOf(dataDir)), 1)
        })
      )
      assert.deepStrictEqual(Fs.readdirSync(folderOf(dataDir)), [])
    })
  )

  it.scoped("stays small, and keeps what runs", () =>
    Effect.gen(function* () {
      const { dataDir } = yield* noted
      const journal = yield* journalOn(dataDir)
      const others = Fs.readdirSync(folderOf(dataDir))
      yield* Effect.flatMap(journal.open({ ...run, runId: "kept" }), (note) => note.starting(mark))
      for (let index = 0; index < 1_000; index++) {
        const one = { ...run, runId: `run ${index}`, args: { text: "x".repeat(1_000) } }
        yield* Effect.scoped(Effect.flatMap(journal.open(one), (note) => note.starting(mark)))
      }
      const own = Fs.readdirSync(folderOf(dataDir)).filter((name) => !others.includes(name))
      assert.lengthOf(own, 1)
      const text = Fs.readFileSync(Path.join(folderOf(dataDir), own[0] ?? ""), "utf8")
      assert.isBelow(text.length, 500_000)
      assert.include(text, '"kept"')
    })
  )

  it.scoped("notes on when somebody has removed the folder", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const journal = yield* journalOn(dataDir)
      yield* Effect.flatMap(journal.open(run), (note) => note.starting(mark))
      Fs.rmSync(Path.join(dataDir.root, ".pushbutton"), { recursive: true })
      const other = { ...run, runId: "other" }
      yield* Effect.flatMap(journal.open(other), (note) => note.starting(mark))
      const [name = ""] = Fs.readdirSync(folderOf(dataDir))
      const text = Fs.readFileSync(Path.join(folderOf(dataDir), name), "utf8")
      assert.include(text, run.runId)
      assert.include(text, "other")
    })
  )

  it.scopedLive("gives presses of servers that died, until they are forgotten", () =>
    Effect.gen(function* () {
      const { change, dataDir } = yield* noted
      change(dead)
      const abandoned = yield* abandonedIn(dataDir)
      // Another one recovers at the same time.
      const again = yield* abandonedIn(dataDir)
      assert.deepStrictEqual(
        [...abandoned, ...again].map((one) => one.run),
        [run, run]
      )
      yield* abandoned[0]?.forget ?? Effect.void
      assert.deepStrictEqual(Fs.readdirSync(folderOf(dataDir)), [])
      yield* again[0]?.forget ?? Effect.void
      assert.deepStrictEqual(yield* abandonedIn(dataDir), [])
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )

  it.scoped("gives of a server that died what it had not ended", () =>
    Effect.gen(function* () {
      const { change, dataDir } = yield* noted
      const other = { ...run, runId: "other", origin: "definitions" as const }
      change(dead, [{ starting: run, mark }, { starting: other, mark }, { ended: run.runId }, "torn"])
      assert.deepStrictEqual(yield* endedIn(dataDir), { ended: [`${mark} undefined`], runs: [other] })
      change(dead, [{ starting: run, mark }, { ended: run.runId }])
      assert.deepStrictEqual(yield* endedIn(dataDir), { ended: [], runs: [] })
      assert.deepStrictEqual(Fs.readdirSync(folderOf(dataDir)), [])
    })
  )

  it.scoped("leaves alone a server that lives, however long its press runs", () =>
    Effect.gen(function* () {
      const { dataDir } = yield* noted
      assert.deepStrictEqual(yield* endedIn(dataDir), { ended: [], runs: [] })
      yield* TestClock.adjust("100 hours")
      assert.deepStrictEqual(yield* endedIn(dataDir), { ended: [], runs: [] })
    })
  )

  it.scoped("gives presses of another place when two days have passed, and ends none of them", () =>
    Effect.gen(function* () {
      const { change, dataDir } = yield* noted
      const leader = { started: run.runId, leader: { pid: 4_242, start: "17" } }
      change(
        ([, , id = ""]) => ["999999999", "1", id, "elsewhere/boot/space"],
        [{ starting: run, mark }, leader]
      )
      yield* TestClock.adjust("48 hours")
      assert.deepStrictEqual(yield* endedIn(dataDir), { ended: [], runs: [] })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* endedIn(dataDir), { ended: [], runs: [run] })
    })
  )

  it.scoped(
    "takes a server for dead when the host was started anew, and ends nothing: its numbers are others' now",
    () =>
      Effect.gen(function* () {
        const { change, dataDir, note } = yield* noted
        // The number and the start are those of a process that lives: this one.
        yield* note.started({ pid: process.pid, start: ProcessTable.look(process.pid)?.start })
        change(([pid = "", start = "", id = "", place = ""]) => {
          const [host = "", , space = ""] = place.split("/")
          return [pid, start, id, [host, "another-boot", space].join("/")]
        })
        assert.deepStrictEqual(yield* endedIn(dataDir), { ended: [], runs: [run] })
      })
  )

  it.scopedLive("ends the group that the press led, and no other process of that number", () =>
    Effect.gen(function* () {
      const { change, dataDir } = yield* noted
      const { ended, pid } = yield* bystander
      const start = ProcessTable.look(pid)?.start ?? ""
      const led = (leader: object) =>
        change(dead, [
          { starting: run, mark },
          { started: run.runId, leader }
        ])
      led({ pid, start: `${Number(start) - 1}` })
      yield* abandonedIn(dataDir)
      led({ pid })
      yield* abandonedIn(dataDir)
      assert.isTrue(isAlive(pid))
      led({ pid, start })
      yield* abandonedIn(dataDir)
      assert.strictEqual(yield* Effect.promise(() => ended), "SIGKILL")
    })
  )

  it.scoped("gives requests of servers that died, which have left nothing to end", () =>
    Effect.gen(function* () {
      const { change, dataDir } = yield* noted
      change(dead, [{ starting: run }])
      assert.deepStrictEqual((yield* endedIn(dataDir)).runs, [run])
    })
  )

  it.scoped("removes what nobody can read when it is old, whoever left it", () =>
    Effect.gen(function* () {
      const { dataDir, path } = yield* noted
      const folder = folderOf(dataDir)
      yield* Temporary.write(folder, { "old.jsonl": "{", "old.json.x.tmp": "", "new.jsonl": "" })
      const now = Fs.statSync(path).mtimeMs
      for (const name of ["old.jsonl", "old.json.x.tmp"]) Fs.utimesSync(Path.join(folder, name), 0, 0)
      yield* TestClock.setTime(now + 1_000)
      yield* endedIn(dataDir)
      assert.sameMembers(Fs.readdirSync(folder), [Path.basename(path), "new.jsonl"])
    })
  )

  it.scoped("passes over lines that say nothing, and never takes nothing for a mark", () =>
    Effect.gen(function* () {
      const { change, dataDir } = yield* noted
      for (const pid of [0, 1, -1, 1.5]) {
        change(dead, [
          { starting: run, mark },
          { started: run.runId, leader: { pid, start: "1" } }
        ])
        assert.deepStrictEqual(yield* endedIn(dataDir), { ended: [`${mark} undefined`], runs: [run] })
      }
      change(dead, [{ starting: run, mark: "" }, { starting: "x" }, null, 1, {}, { ended: "unknown" }])
      assert.deepStrictEqual(yield* endedIn(dataDir), { ended: [], runs: [] })
    })
  )

  it.scopedLive("takes nothing from a folder that everybody may write into", () =>
    Effect.gen(function* () {
      const { change, dataDir } = yield* noted
      change(dead)
      Fs.chmodSync(folderOf(dataDir), 0o777)
      assert.deepStrictEqual(yield* abandonedIn(dataDir), [])
      Fs.chmodSync(folderOf(dataDir), 0o700)
      assert.strictEqual((yield* abandonedIn(dataDir)).length, 1)
    })
  )

  it.scopedLive("waits for no writer of a pipe in the place of a journal", () =>
    Effect.gen(function* () {
      const { dataDir, path } = yield* noted
      Fs.rmSync(path)
      execFileSync("mkfifo", [path])
      assert.deepStrictEqual(yield* abandonedIn(dataDir), [])
    })
  )

  it.scoped("goes on after a line that was not written whole", () =>
    Effect.gen(function* () {
      const { dataDir, note, path } = yield* noted
      Fs.appendFileSync(path, '\n{"starting":{"button":"dep')
      yield* note.started({ pid: 4_242, start: "17" })
      const text = Fs.readFileSync(path, "utf8")
      Fs.writeFileSync(path, text.replace(/"owner":"\d+ \d+/, '"owner":"999999999 1'))
      assert.deepStrictEqual(yield* endedIn(dataDir), { ended: [`${mark} 4242`], runs: [run] })
    })
  )

  it.scoped.each([".pushbutton", ".pushbutton/running"])("writes through no link: %s", (name) =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const elsewhere = yield* Temporary.folder
      const link = Path.join(dataDir.root, name)
      Fs.mkdirSync(Path.dirname(link), { recursive: true })
      Fs.symlinkSync(elsewhere, link)
      const journal = yield* journalOn(dataDir)
      yield* Effect.scoped(Effect.flatMap(journal.open(run), (note) => note.starting(mark)))
      assert.deepStrictEqual(Fs.readdirSync(elsewhere), [])
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )

  it.scoped("lets a press go on that cannot be noted", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, { ".pushbutton": "a file" })
      const journal = yield* journalOn(dataDir)
      yield* Effect.scoped(Effect.flatMap(journal.open(run), (note) => note.starting(mark)))
      assert.deepStrictEqual(yield* journal.endAbandoned, [])
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )
})
