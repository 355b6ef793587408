/** Presses whose processes leave the process group: none of them outlives its press. */
import { spawn } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import type * as PressRunner from "@pushbutton/buttons/PressRunner"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import { bearing } from "./support/bearing.js"
import { reporting, run } from "./support/processes.js"

const shells = ["/bin/sh", "bash"]

/** Leaves the group, and ends the first of its threads. */
const threads = [
  "import ctypes, os, threading, time",
  "os.setpgid(0, 0)",
  "threading.Thread(target=time.sleep, args=[300]).start()",
  "ctypes.CDLL(None).pthread_exit(None)"
].join("; ")

/** Each starts a process that is in another group when the script goes on. */
const escapes: ReadonlyArray<readonly [string, string]> = [
  ["a session of its own", "setsid sleep 300 &"],
  ["a session of its own, its outputs closed", "setsid sleep 300 >/dev/null 2>&1 &"],
  ["a job of a shell under set -m", "set -m; sleep 300 & set +m;"],
  ["a daemon that forked twice", "(setsid sh -c '(trap \"\" TERM HUP; sleep 300; sleep 300) & exit 0' &);"],
  ["a group of its own", 'python3 -c "import os,time; os.setpgid(0,0); time.sleep(300)" &'],
  [
    "a program that takes the place of the one before without end",
    'setsid /bin/sh -c \'exec /bin/sh -c "$0" "$0"\' \'exec /bin/sh -c "$0" "$0"\' &'
  ],
  ["a process whose first thread has ended", `python3 -c "${threads}" &`],
  ["a press of a server in it", "BUTTONS_PRESS_ID=$BUTTONS_PRESS_ID:0123 setsid sleep 300 &"],
  [
    "a process that starts others without end",
    "setsid sh -c 'trap \"\" TERM; while :; do setsid sleep 3 & sleep 0.01; done' &"
  ]
]

const cases = shells.flatMap((command) =>
  escapes.map(([what, script]) => ({ what, script, command, toString: () => `${what} (${command})` }))
)

const markOf = (outcome: PressRunner.Output): string => outcome.stdout.text.trim()

describe("PressRunner.layerProcess, what leaves the group", () => {
  // verifies: P-100
  it.live.each(cases)("ends with a success: %s", ({ command, script }) =>
    Effect.gen(function* () {
      const outcome = yield* run(`${script} echo $BUTTONS_PRESS_ID`, { command })
      assert.deepInclude(outcome, { reason: "exited", exitCode: 0 })
      assert.deepStrictEqual(bearing(markOf(outcome)), [])
    })
  )

  // verifies: P-100, P-102
  it.live.each(cases)("ends with a timeout: %s", ({ command, script }) =>
    Effect.gen(function* () {
      const outcome = yield* run(
        `echo $BUTTONS_PRESS_ID; ${script} sleep 300`,
        { command, timeoutMillis: 400 },
        { grace: "100 millis" }
      )
      assert.strictEqual(outcome.reason, "timed-out")
      assert.deepStrictEqual(bearing(markOf(outcome)), [])
    })
  )

  // verifies: P-100
  it.scopedLive.each(cases)("ends with an interruption: %s", ({ command, script }) =>
    Effect.gen(function* () {
      const { first, press } = yield* reporting(
        `${script} sleep 0.05; echo $BUTTONS_PRESS_ID >>$PROGRESS; sleep 300`,
        { command },
        { grace: "100 millis" }
      )
      const fiber = yield* Effect.fork(press)
      const mark = yield* Deferred.await(first)
      assert.isAbove(bearing(mark).length, 1)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(bearing(mark), [])
    })
  )

  it.scopedLive("is asked to end first when its time is up", () =>
    Effect.gen(function* () {
      const outcome = yield* run(
        "setsid sh -c 'trap \"echo asked; exit\" TERM; sleep 300 & wait' & sleep 300",
        { timeoutMillis: 400 },
        { grace: "2 seconds" }
      )
      assert.deepInclude(outcome, { reason: "timed-out" })
      assert.strictEqual(outcome.stdout.text, "asked\n")
    })
  )

  // verifies: P-102
  it.live("is not waited for when it cannot be found, though it holds the output", () =>
    Effect.gen(function* () {
      const outcome = yield* run("setsid env -i sleep 300 & echo $!; sleep 0.3")
      const escaped = Number(outcome.stdout.text)
      assert.deepInclude(outcome, { reason: "exited", exitCode: 0 })
      assert.isAbove(escaped, 1)
      process.kill(escaped, "SIGKILL")
    })
  )

  it.scopedLive("is looked for in vain no longer where processes come and go all the time", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => spawn("sh", ["-c", "while :; do /bin/true; done"], { stdio: "ignore" })),
        (churn) => Effect.sync(() => churn.kill("SIGKILL"))
      )
      const lines: Array<unknown> = []
      const logger = Logger.make(({ message }) => void lines.push(message))
      yield* Effect.provide(run("sleep 300 &"), Logger.replace(Logger.defaultLogger, logger))
      assert.deepStrictEqual(lines, [])
    })
  )

  it.live("does not harm a press beside it", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Effect.all(
        [run("setsid sleep 300 & echo one"), run("setsid sh -c 'sleep 1; echo other' & wait; sleep 1")],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([one.stdout.text, other.stdout.text], ["one\n", "other\n"])
    })
  )
})
