import { spawn } from "node:child_process"
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

/** A note of a press that runs, left there. */
const noted = Effect.gen(function* () {
  const dataDir = yield* Temporary.dataDir
  const scope = yield* Scope.make()
  const journal = yield* journalOn(dataDir)
  const note = yield* Scope.extend(journal.open(run), scope)
  yield* note.starting(mark)
  const path = Path.join(folderOf(dataDir), `${run.runId}.json`)
  /** Changes who is said to run it: number, start, name and place of a process. */
  const change = (
    fields: object,
    owner: (parts: ReadonlyArray<string>) => ReadonlyArray<string> = (parts) => parts
  ) => {
    const entry = JSON.parse(Fs.readFileSync(path, "utf8"))
    Fs.writeFileSync(
      path,
      JSON.stringify({ ...entry, owner: owner(entry.owner.split(" ")).join(" "), ...fields })
    )
  }
  return { dataDir, path, note, change, close: Scope.close(scope, Exit.void) }
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

describe("PressJournal.layerFileSystem", () => {
  it.scoped("notes a press for the owner only, and forgets it when it is over", () =>
    Effect.gen(function* () {
      const { close, dataDir, note, path } = yield* noted
      yield* note.started({ pid: 4_242, start: "17" })
      assert.deepInclude(JSON.parse(Fs.readFileSync(path, "utf8")), {
        run,
        mark,
        leader: { pid: 4_242, start: "17" }
      })
      assert.deepStrictEqual(
        [folderOf(dataDir), path].map((entry) => (Fs.statSync(entry).mode & 0o777).toString(8)),
        ["700", "600"]
      )
      yield* close
      assert.deepStrictEqual(Fs.readdirSync(folderOf(dataDir)), [])
    })
  )

  it.scopedLive("gives presses of servers that died, until they are forgotten", () =>
    Effect.gen(function* () {
      const { change, dataDir } = yield* noted
      change({}, dead)
      const abandoned = yield* abandonedIn(dataDir)
      assert.deepStrictEqual(
        abandoned.map((one) => one.run),
        [run]
      )
      yield* abandoned[0]?.forget ?? Effect.void
      assert.deepStrictEqual(yield* abandonedIn(dataDir), [])
    })
  )

  it.scoped(
    "leaves alone a server that lives, and one of which it knows nothing until two days have passed",
    () =>
      Effect.gen(function* () {
        const { change, dataDir } = yield* noted
        assert.deepStrictEqual(yield* abandonedIn(dataDir), [])
        change({}, ([, , id = ""]) => ["999999999", "1", id, "elsewhere/boot/space"])
        assert.deepStrictEqual(yield* abandonedIn(dataDir), [])
        yield* TestClock.adjust("48 hours")
        assert.deepStrictEqual(yield* abandonedIn(dataDir), [])
        yield* TestClock.adjust("1 second")
        assert.lengthOf(yield* abandonedIn(dataDir), 1)
      })
  )

  it.scopedLive("takes a server for dead when the host was started anew", () =>
    Effect.gen(function* () {
      const { change, dataDir } = yield* noted
      change({}, ([pid = "", start = "", id = "", place = ""]) => {
        const [host = "", , space = ""] = place.split("/")
        return [pid, start, id, [host, "another-boot", space].join("/")]
      })
      assert.lengthOf(yield* abandonedIn(dataDir), 1)
    })
  )

  it.scopedLive("ends the group that the press led, and no other process of that number", () =>
    Effect.gen(function* () {
      const { change, dataDir } = yield* noted
      const { ended, pid } = yield* bystander
      const start = ProcessTable.look(pid)?.start ?? ""
      change({ leader: { pid, start: `${Number(start) - 1}` } }, dead)
      yield* abandonedIn(dataDir)
      change({ leader: { pid } }, dead)
      yield* abandonedIn(dataDir)
      assert.isTrue(isAlive(pid))
      change({ leader: { pid, start } }, dead)
      yield* abandonedIn(dataDir)
      assert.strictEqual(yield* Effect.promise(() => ended), "SIGKILL")
    })
  )

  it.scoped("gives requests of servers that died, which have left nothing to end", () =>
    Effect.gen(function* () {
      const { change, dataDir, note } = yield* noted
      yield* note.starting()
      change({}, dead)
      assert.lengthOf(yield* abandonedIn(dataDir), 1)
    })
  )

  it.scoped("clears what a note that was half written left", () =>
    Effect.gen(function* () {
      const { dataDir } = yield* noted
      const folder = folderOf(dataDir)
      yield* Temporary.write(folder, { "old.json.x.tmp": "", "new.json.x.tmp": "" })
      Fs.utimesSync(Path.join(folder, "old.json.x.tmp"), 0, 0)
      yield* TestClock.adjust("61 minutes")
      yield* abandonedIn(dataDir)
      assert.sameMembers(Fs.readdirSync(folder), [`${run.runId}.json`, "new.json.x.tmp"])
    })
  )

  it.scoped("passes over what is no note, and never takes nothing for a mark", () =>
    Effect.gen(function* () {
      const { change, dataDir } = yield* noted
      yield* Temporary.write(folderOf(dataDir), { "x.json": "{", "y.json": "null", "z.txt": "" })
      change({ mark: "" }, dead)
      assert.deepStrictEqual(yield* abandonedIn(dataDir), [])
      for (const pid of [0, 1, -1, 1.5]) {
        change({ mark, leader: { pid, start: "1" } }, dead)
        assert.deepStrictEqual(yield* abandonedIn(dataDir), [])
      }
    })
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
