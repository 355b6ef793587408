/** Presses whose processes leave the process group: none of them outlives its press. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import type * as PressRunner from "@pushbutton/buttons/PressRunner"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import { bearing } from "./support/bearing.js"
import * as Processes from "./support/processes.js"
import { reporting, run } from "./support/processes.js"
import * as Temporary from "./support/temporary.js"

const shells = ["/bin/sh", "bash"]

/** Goes on when the program has said that it has come so far. */
const whenReady = (python: string): string => `{ python3 -c "${python}" & } | read -r ready;`

const leaves = ["import ctypes, os, threading, time", "os.setpgid(0, 0)"]

const ownGroup = [...leaves, "print('ready', flush=True)", "time.sleep(300)"].join("; ")

/** Ends its first thread, of which the second tells. */
const firstThreadEnds = [
  ...leaves,
  "state = lambda: open('/proc/%d/stat' % os.getpid()).read().rsplit(')', 1)[1].split()[0]",
  "wait = lambda: state() == 'Z' or (time.sleep(0.01), wait())",
  "threading.Thread(target=lambda: (wait(), print('ready', flush=True), time.sleep(300))).start()",
  "ctypes.CDLL(None).pthread_exit(None)"
].join("; ")

/** Becomes a program that has the variable twice, first with nothing in it. */
const twice = [
  ...leaves,
  "mark = os.environb[b'BUTTONS_PRESS_ID']",
  "texts = lambda *all: (ctypes.c_char_p * (len(all) + 1))(*all, None)",
  "env = texts(b'BUTTONS_PRESS_ID=', b'BUTTONS_PRESS_ID=' + mark)",
  "print('ready', flush=True)",
  "ctypes.CDLL(None).execve(b'/bin/sleep', texts(b'sleep', b'300'), env)"
].join("; ")

/** Each member starts the next and ends, some thousand times; all of them hold the pipe open. */
const family = (pauseSeconds: number): string =>
  [
    "import os, time",
    "os.setsid()",
    "os.open(os.environ['PIPE'], os.O_WRONLY)",
    "os.write(1, b'ready')",
    "os.close(1)",
    `next = lambda: os._exit(0) if os.fork() else time.sleep(${pauseSeconds})`,
    "[next() for _ in range(3000)]"
  ].join("; ")

/** Each starts a process that is in another group when the script goes on. */
const escapes: ReadonlyArray<readonly [string, string]> = [
  ["a session of its own", "setsid sleep 300 &"],
  ["a session of its own, its outputs closed", "setsid sleep 300 >/dev/null 2>&1 &"],
  ["a job of a shell under set -m", "set -m; sleep 300 & set +m;"],
  ["a daemon that forked twice", "(setsid sh -c '(trap \"\" TERM HUP; sleep 300; sleep 300) & exit 0' &);"],
  ["a group of its own", whenReady(ownGroup)],
  [
    "a program that takes the place of the one before without end",
    'setsid /bin/sh -c \'exec /bin/sh -c "$0" "$0"\' \'exec /bin/sh -c "$0" "$0"\' &'
  ],
  ["a process whose first thread has ended", whenReady(firstThreadEnds)],
  ["a program that has the variable twice", whenReady(twice)],
  ["a press of a server in it", "BUTTONS_PRESS_ID=$BUTTONS_PRESS_ID:0123 setsid sleep 300 &"],
  [
    "a process that starts others without end",
    "setsid sh -c 'trap \"\" TERM; while :; do setsid sleep 3 & sleep 0.01; done' &"
  ]
]

const cases = shells.flatMap((command) =>
  escapes.map(([what, script]) => ({ what, script, command, toString: () => `${what} (${command})` }))
)

/** Gives back the memory that its environment was in, as nothing sensible does, and tells its number. */
const hides = [
  "import ctypes, os, signal",
  "fields = open('/proc/self/stat').read().rsplit(')', 1)[1].split()",
  "start, end = int(fields[47]) & ~4095, (int(fields[48]) + 4095) & ~4095",
  "munmap = ctypes.CDLL(None).munmap",
  "munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]",
  "munmap(start, end - start)",
  "os.write(1, b'%d\\n' % os.getpid())",
  "os.close(1)",
  "signal.pause()"
].join("; ")

/** Keeps the stack of the program out of the pages that it gives back. */
const padding = "x".repeat(8_192)

const warnings = Effect.sync(() => {
  const lines: Array<unknown> = []
  const logger = Logger.make(({ message }) => void lines.push(message))
  return { lines, layer: Logger.replace(Logger.defaultLogger, logger) }
})

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

  it.scopedLive.each([0, 0.001, 0.002, 0.005])(
    "ends with its press although each member starts the next and ends after %s s",
    (pause) =>
      Effect.gen(function* () {
        const pipe = yield* Processes.pipe(yield* Temporary.folder)
        const env = { PATH: process.env["PATH"] ?? "", PIPE: pipe.path }
        const outcome = yield* run(`{ python3 -c "${family(pause)}" & } | read -r -n 5 ready; exit 0`, {
          command: "bash",
          env
        })
        assert.deepInclude(outcome, { reason: "exited", exitCode: 0 })
        assert.strictEqual(yield* Effect.race(pipe.closed, Effect.delay(Effect.succeed("open"), 500)), "")
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

  it.scopedLive("is not asked to end when it is what the others clean up with", () =>
    Effect.gen(function* () {
      const outcome = yield* run(
        "trap 'setsid sh -c \"sleep 0.1; echo cleaned\"; exit' TERM; sleep 300 & wait",
        { timeoutMillis: 400 },
        { grace: "2 seconds" }
      )
      assert.deepInclude(outcome, { reason: "timed-out" })
      assert.strictEqual(outcome.stdout.text, "cleaned\n")
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

  it.scopedLive(
    "is no process that shows no environment, whether it was there before or is the press's own",
    () =>
      Effect.gen(function* () {
        const stranger = yield* Effect.acquireRelease(
          Effect.sync(() =>
            spawn("python3", ["-c", hides, padding], { stdio: ["ignore", "pipe", "ignore"] })
          ),
          (process) => Effect.sync(() => process.kill("SIGKILL"))
        )
        yield* Effect.promise(() => once(stranger.stdout, "data"))
        const logs = yield* warnings
        const script = `{ setsid python3 -c "${hides}" ${padding} & } | { read -r pid; echo $pid; }`
        const outcome = yield* Effect.provide(run(script), logs.layer)
        const own = Number(outcome.stdout.text)
        assert.isAbove(own, 1)
        process.kill(own, "SIGKILL")
        assert.deepStrictEqual(logs.lines, [])
      })
  )

  it.scopedLive("is looked for in vain no longer where processes come and go all the time", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => spawn("sh", ["-c", "while :; do /bin/true; done"], { stdio: "ignore" })),
        (churn) => Effect.sync(() => churn.kill("SIGKILL"))
      )
      const logs = yield* warnings
      yield* Effect.provide(run("sleep 300 &"), logs.layer)
      assert.deepStrictEqual(logs.lines, [])
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
