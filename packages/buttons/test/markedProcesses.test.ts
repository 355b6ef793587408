import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Marked from "../src/internal/markedProcesses.js"
import * as ProcessMarks from "../src/internal/processMarks.js"
import * as RandomId from "../src/internal/randomId.js"

/** A shell that becomes a shell that becomes a shell, as fast as it can. */
const restless = 'exec /bin/sh -c "$0" "$0"'

/** Leaves its memory, and so its environment, to a second thread. */
const threaded = [
  "import ctypes, sys, threading, time",
  "threading.Thread(target=time.sleep, args=[300]).start()",
  "print('ready', flush=True)",
  "ctypes.CDLL(None).pthread_exit(None)"
].join("; ")

const sleeping = ["-c", "echo ready; exec sleep 300"]

const started = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(command, args, { stdio: ["ignore", "pipe", "ignore"], env })),
    (process) => Effect.sync(() => process.kill("SIGKILL"))
  )

/** The number of a process that has said something. */
const readyPid = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) =>
  Effect.flatMap(started(command, args, env), (process) =>
    Effect.promise(() => once(process.stdout, "data").then(() => pidOf(process)))
  )

const markedPids = (id: string) => Effect.map(Marked.look(id), ({ marked }) => marked.map(({ pid }) => pid))

const pidOf = ({ pid }: ChildProcess): number => {
  assert.isDefined(pid)
  return pid
}

const looks = 3_000

describe("markedProcesses", () => {
  it.scopedLive("never takes a process that is becoming another program for a stranger", () =>
    Effect.gen(function* () {
      const id = RandomId.long()
      const process = yield* started("/bin/sh", ["-c", restless, restless], { [ProcessMarks.variable]: id })
      const isStranger = ProcessMarks.isStranger(id)
      const wrong = Array.from({ length: looks }, () => isStranger(pidOf(process))).filter(Boolean)
      assert.deepStrictEqual(wrong, [])
    })
  )

  it.scopedLive("sees it as marked or as changing in every pass", () =>
    Effect.gen(function* () {
      const id = RandomId.long()
      const pid = pidOf(
        yield* started("/bin/sh", ["-c", restless, restless], { [ProcessMarks.variable]: id })
      )
      for (let pass = 0; pass < 200; pass++) {
        const { changing, marked } = Marked.lookNow(new Set([id]))
        assert.isTrue(changing.has(`${pid}`) || marked.some((target) => target.pid === pid))
      }
    })
  )

  it.scopedLive("sees the mark in the threads of a process whose first one has ended", () =>
    Effect.gen(function* () {
      const id = RandomId.long()
      const pid = yield* readyPid("python3", ["-c", threaded], { ...env, [ProcessMarks.variable]: id })
      assert.isFalse(ProcessMarks.isStranger(id)(pid))
      assert.deepStrictEqual(yield* markedPids(id), [pid])
    })
  )

  it.scopedLive("knows that a program without any environment bears no mark", () =>
    Effect.gen(function* () {
      const pid = yield* readyPid("/bin/sh", ["-c", "echo ready; kill -STOP $$"], {})
      assert.isTrue(ProcessMarks.isStranger(RandomId.long())(pid))
      const { changing, ended } = Marked.lookNow(new Set([RandomId.long()]))
      assert.notInclude([...changing.keys(), ...ended.keys()], `${pid}`)
    })
  )

  it.scopedLive.each([
    ["separators", (_: string) => ProcessMarks.separator.repeat(130_000)],
    ["marks", (id: string) => `${id}${ProcessMarks.separator}`.repeat(3_900)]
  ] as const)("bears with a variable of many %s", ([, lead]) =>
    Effect.gen(function* () {
      const id = RandomId.long()
      const value = `${lead(id)}${id}`
      const pid = yield* readyPid("/bin/sh", sleeping, { ...env, [ProcessMarks.variable]: value })
      assert.deepStrictEqual(yield* markedPids(id), [pid])
    })
  )

  it.scopedLive("sees a mark behind an environment of any length", () =>
    Effect.gen(function* () {
      const id = RandomId.long()
      const long = Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [`LONG_${index}`, "x".repeat(100_000)])
      )
      const pid = yield* readyPid("/bin/sh", sleeping, { ...env, ...long, [ProcessMarks.variable]: id })
      assert.isFalse(ProcessMarks.isStranger(id)(pid))
    })
  )
})

const env = { PATH: process.env["PATH"] }
