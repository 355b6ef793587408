/** Many presses, much output, and nowhere to write: all of it on real processes, none of which is left. */
import { spawn } from "node:child_process"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { text as textOf } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Buttons from "@pushbutton/buttons/Buttons"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import { Press } from "@pushbutton/buttons/Press"
import { PressHistory } from "@pushbutton/buttons/PressHistory"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { bearing } from "./support/bearing.js"
import { json } from "./support/definitions.js"
import { run } from "./support/processes.js"
import * as Temporary from "./support/temporary.js"

const shells = ["shell", "bash"]

/** A data folder with one button that runs this script. */
const withButton = (runtime: string, ...lines: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const dataDir = yield* Temporary.dataDir
    yield* Temporary.write(dataDir.root, {
      "buttons/work/button.json": json({
        name: "work",
        runtime,
        mcp_enabled: true,
        args: [{ name: "n", type: "int" }]
      }),
      "buttons/work/main.sh": lines.join("\n")
    })
    return dataDir
  })

const press = (args: { readonly n?: number } = {}) =>
  Effect.flatMap(Press, ({ press }) => press({ name: "work", args: { ...args }, caller: "cli" }))

const recent = Effect.flatMap(PressHistory, (history) => history.recent("work", 200))

/** What was logged meanwhile. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    return Effect.map(Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger)), (value) => ({
      value,
      lines
    }))
  })

describe("100 presses at once", () => {
  // verifies: P-100
  it.scopedLive.each(shells)("all end, are recorded, and leave nothing (%s)", (runtime) =>
    Effect.gen(function* () {
      const dataDir = yield* withButton(
        runtime,
        "case $((BUTTONS_ARG_N % 4)) in",
        "  0) sleep 300 & ;;",
        "  1) setsid sleep 300 & ;;",
        "  2) (trap '' TERM; exec sleep 300) >/dev/null 2>&1 & ;;",
        "esac",
        'echo "$BUTTONS_ARG_N $BUTTONS_PRESS_ID"'
      )
      const [results, runs] = yield* Effect.provide(
        Effect.all([
          Effect.all(
            Array.from({ length: 100 }, (_, n) => press({ n })),
            { concurrency: "unbounded" }
          ),
          recent
        ]),
        Buttons.layer(dataDir)
      )
      const told = results.map(({ status, stdout }) => ({ status, words: stdout.trim().split(" ") }))
      assert.deepStrictEqual(
        told.map(({ status, words }) => [status, words[0]]),
        Array.from({ length: 100 }, (_, n) => ["ok", `${n}`])
      )
      for (const { words } of told) assert.deepStrictEqual(bearing(words[1] ?? ""), [])
      assert.sameMembers(
        runs.map(({ run_id }) => run_id),
        results.map(({ runId }) => runId)
      )
      const notes = yield* Effect.promise(() => Fs.readdir(Path.join(dataDir.root, ".pushbutton/running")))
      assert.deepStrictEqual(notes, [])
    })
  )
})

describe("1 GB of output", () => {
  // verifies: P-104
  it.live("is read to its end and kept within bounds", () =>
    Effect.gen(function* () {
      const before = process.resourceUsage().maxRSS
      const outcome = yield* run("echo $BUTTONS_PRESS_ID >&2; head -c 1G /dev/zero")
      const { exitCode, reason, stdout } = outcome
      assert.deepStrictEqual(
        { exitCode, reason, bytes: stdout.bytes, truncated: stdout.truncated },
        { exitCode: 0, reason: "exited", bytes: 1_073_741_824, truncated: true }
      )
      assert.isBelow(stdout.text.length, 1_100_000)
      // Kilobytes. What is kept is 1 MiB; the rest is buffers on their way.
      assert.isBelow(process.resourceUsage().maxRSS - before, 200_000)
      assert.deepStrictEqual(bearing(outcome.stderr.text.trim()), [])
    })
  )

  it.live("ends at the timeout, although there is always more", () =>
    Effect.gen(function* () {
      const outcome = yield* run("echo $BUTTONS_PRESS_ID >&2; exec cat /dev/zero", { timeoutMillis: 500 })
      assert.strictEqual(outcome.reason, "timed-out")
      assert.isTrue(outcome.stdout.truncated)
      assert.deepStrictEqual(bearing(outcome.stderr.text.trim()), [])
    })
  )
})

describe("a history that cannot be written", () => {
  const script = ["sleep 300 &", "echo $BUTTONS_PRESS_ID"]

  const pressUnrecorded = (dataDir: DataDir) =>
    Effect.gen(function* () {
      const { lines, value: result } = yield* logged(Effect.provide(press(), Buttons.layer(dataDir)))
      assert.deepInclude(result, { status: "ok", exitCode: 0, recorded: false })
      assert.lengthOf(
        lines.filter((line) => line.startsWith('The history of button "work" cannot be written: ')),
        1
      )
      assert.deepStrictEqual(bearing(result.stdout.trim()), [])
    })

  it.scopedLive("keeps no press from answering: a file in its place", () =>
    Effect.gen(function* () {
      const dataDir = yield* withButton("shell", ...script)
      yield* Temporary.write(dataDir.buttons, { "work/pressed": "" })
      yield* pressUnrecorded(dataDir)
    })
  )

  it.scopedLive("keeps no press from answering: a link in its place, which is not followed", () =>
    Effect.gen(function* () {
      const dataDir = yield* withButton("shell", ...script)
      const elsewhere = yield* Temporary.folder
      yield* Effect.promise(() => Fs.symlink(elsewhere, Path.join(dataDir.buttons, "work/pressed")))
      yield* pressUnrecorded(dataDir)
      assert.deepStrictEqual(yield* Effect.promise(() => Fs.readdir(elsewhere)), [])
    })
  )

  it.scopedLive("keeps no press from answering: a folder that is gone by then", () =>
    Effect.gen(function* () {
      const dataDir = yield* withButton("shell", ...script, 'rm -r "$(dirname "$0")"')
      yield* pressUnrecorded(dataDir)
    })
  )

  it.scopedLive("keeps no press from answering: not a byte may be written", () =>
    Effect.gen(function* () {
      const dataDir = yield* withButton("shell", ...script)
      const host = fileURLToPath(new URL("./support/pressHost.mjs", import.meta.url))
      const server = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(
            "/bin/sh",
            ["-c", 'ulimit -f 0; exec "$0" "$@"', process.execPath, host, dataDir.root, "work"],
            {
              stdio: ["ignore", "pipe", "ignore"]
            }
          )
        ),
        (started) => Effect.sync(() => started.kill("SIGKILL"))
      )
      const output = yield* Effect.promise(() => textOf(server.stdout))
      assert.match(output, /The history of button \S+ cannot be written: EFBIG/)
      const result = JSON.parse(/^RESULT (.*)$/m.exec(output)?.[1] ?? "{}")
      assert.deepInclude(result, { status: "ok", exitCode: 0, recorded: false })
      assert.deepStrictEqual(bearing(result.stdout.trim()), [])
      const left = yield* Effect.promise(() => Fs.readdir(Path.join(dataDir.buttons, "work/pressed")))
      assert.deepStrictEqual(left, [])
    })
  )
})
