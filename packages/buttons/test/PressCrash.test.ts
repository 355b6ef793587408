/** What is left of presses when their server gets SIGKILL, and what the next server does about it. */
import { spawn } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Buttons from "@pushbutton/buttons/Buttons"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import { PressHistory } from "@pushbutton/buttons/PressHistory"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { bearing } from "./support/bearing.js"
import { json } from "./support/definitions.js"
import { pipe } from "./support/processes.js"
import * as Temporary from "./support/temporary.js"

const hostPath = fileURLToPath(new URL("./support/pressHost.mjs", import.meta.url))

/** A server whose button runs; the button has told its mark. */
const serving = (dataDir: DataDir, runtime: string) =>
  Effect.gen(function* () {
    const { first, path } = yield* pipe(dataDir.root)
    yield* Temporary.write(dataDir.root, {
      "buttons/slow/button.json": json({ name: "slow", runtime, mcp_enabled: true, env: { PIPE: path } }),
      "buttons/slow/main.sh": [
        "trap '' TERM HUP INT",
        "setsid sleep 300 >/dev/null 2>&1 &",
        "(set -m; (sleep 300; sleep 300) &)",
        "sleep 0.1; echo written; echo $BUTTONS_PRESS_ID >$PIPE",
        "while :; do sleep 300; done"
      ].join("\n")
    })
    const host = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(process.execPath, [hostPath, dataDir.root, "slow"], { stdio: "ignore" })),
      (started) => Effect.sync(() => started.kill("SIGKILL"))
    )
    const exited = new Promise<string>((resolve) => {
      host.on("exit", (code, by) => resolve(by ?? `code ${code}`))
    })
    const mark = yield* Effect.race(
      first,
      Effect.flatMap(
        Effect.promise(() => exited),
        Effect.die
      )
    )
    const kill = Effect.zipRight(
      Effect.sync(() => host.kill("SIGKILL")),
      Effect.promise(() => exited)
    )
    return { kill, mark: mark.trim() }
  })

/** Another server on the folder, for as long as it takes to start. */
const restart = (dataDir: DataDir) =>
  Effect.flatMap(PressHistory, (history) => history.recent("slow", 10)).pipe(
    Effect.provide(Buttons.layer(dataDir)),
    Logger.withMinimumLogLevel(LogLevel.None)
  )

const notes = ({ root }: DataDir) => Fs.readdirSync(Path.join(root, ".pushbutton/running"))

const pressed = ({ buttons }: DataDir) => Fs.readdirSync(Path.join(buttons, "slow/pressed"))

describe("a server that gets SIGKILL during a press", () => {
  // verifies: P-101
  it.scopedLive.each(["shell", "bash"])("is cleaned up after by the next one (%s)", (runtime) =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const { kill, mark } = yield* serving(dataDir, runtime)
      assert.strictEqual(yield* kill, "SIGKILL")
      assert.isAbove(bearing(mark).length, 3)
      assert.lengthOf(notes(dataDir), 1)
      const runs = yield* restart(dataDir)
      assert.deepStrictEqual(bearing(mark), [])
      assert.deepStrictEqual(notes(dataDir), [])
      assert.deepStrictEqual(
        runs.map(({ caller, error_type, exit_code, reason, status }) => [
          status,
          exit_code,
          error_type,
          reason,
          caller
        ]),
        [["error", -1, "INTERRUPTED", "interrupted", "mcp"]]
      )
      const [name = "", ...others] = pressed(dataDir).filter((file) => file.endsWith(".json"))
      assert.deepStrictEqual(others, [])
      assert.sameMembers(pressed(dataDir), [name, name.replace(/json$/, "progress.jsonl")])
      // It is told once.
      assert.lengthOf(yield* restart(dataDir), 1)
    })
  )

  it.scopedLive("is recorded once by two that start at the same time, whatever a third one left", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const { kill, mark } = yield* serving(dataDir, "shell")
      yield* kill
      const ending = ".progress.jsonl"
      const name = pressed(dataDir)
        .find((file) => file.endsWith(ending))
        ?.replace(ending, "")
      // What a server leaves that dies as it writes the record.
      yield* Temporary.write(dataDir.buttons, { [`slow/pressed/${name}.json.tmp`]: "{" })
      const both = yield* Effect.all([restart(dataDir), restart(dataDir)], { concurrency: "unbounded" })
      assert.deepStrictEqual(bearing(mark), [])
      assert.deepStrictEqual(notes(dataDir), [])
      assert.deepStrictEqual(
        [...both.flat(), ...(yield* restart(dataDir))].map(({ reason }) => reason),
        ["interrupted", "interrupted", "interrupted"]
      )
      assert.sameMembers(pressed(dataDir), [`${name}.json`, `${name}${ending}`])
    })
  )

  it.scopedLive("is recorded later when that cannot be done at once", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const { kill, mark } = yield* serving(dataDir, "shell")
      yield* kill
      const folder = Path.join(dataDir.buttons, "slow/pressed")
      Fs.renameSync(folder, `${folder} before`)
      Fs.writeFileSync(folder, "")
      assert.deepStrictEqual(yield* restart(dataDir), [])
      assert.deepStrictEqual(bearing(mark), [])
      assert.lengthOf(notes(dataDir), 1)
      Fs.rmSync(folder)
      Fs.renameSync(`${folder} before`, folder)
      assert.lengthOf(yield* restart(dataDir), 1)
      assert.deepStrictEqual(notes(dataDir), [])
    })
  )

  it.scopedLive("is forgotten with a button that is gone", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const { kill, mark } = yield* serving(dataDir, "shell")
      yield* kill
      Fs.rmSync(Path.join(dataDir.buttons, "slow"), { recursive: true })
      assert.deepStrictEqual(yield* restart(dataDir), [])
      assert.deepStrictEqual(bearing(mark), [])
      assert.deepStrictEqual(notes(dataDir), [])
    })
  )

  it.scopedLive("is not taken for dead while it lives", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const { kill, mark } = yield* serving(dataDir, "shell")
      const before = bearing(mark)
      assert.deepStrictEqual(yield* restart(dataDir), [])
      // The script may have started its last program meanwhile.
      assert.includeMembers([...bearing(mark)], [...before])
      assert.lengthOf(notes(dataDir), 1)
      yield* kill
      yield* restart(dataDir)
      assert.deepStrictEqual(bearing(mark), [])
    })
  )
})
