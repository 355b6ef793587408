import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as PressRunner from "@pushbutton/buttons/PressRunner"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { alive, killAfterwards, pipe, reporting, run, spec } from "./support/processes.js"
import * as Temporary from "./support/temporary.js"

const shells = ["/bin/sh", "bash"]

describe("PressRunner.layerProcess, outcomes", () => {
  it.live.each(shells)("reports an exit code (%s)", (command) =>
    Effect.gen(function* () {
      const outcome = yield* run("echo out; echo err >&2; exit 3", { command })
      assert.deepInclude(outcome, { reason: "exited", exitCode: 3 })
      assert.deepStrictEqual(outcome.stdout, { text: "out\n", bytes: 4, truncated: false })
      assert.deepStrictEqual(outcome.stderr, { text: "err\n", bytes: 4, truncated: false })
      assert.isUndefined(outcome.signal)
    })
  )

  it.live.each(shells)("names the signal that ended a program (%s)", (command) =>
    Effect.gen(function* () {
      const outcome = yield* run("kill -SEGV $$", { command })
      assert.deepInclude(outcome, { reason: "signalled", exitCode: -1, signal: "SIGSEGV" })
    })
  )

  // verifies: P-103
  it.live("gives a program no input, so that one that reads ends at once", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run("cat; echo done")).stdout.text, "done\n")
    })
  )

  it.live("passes on the environment and the working directory it was given, and nothing else", () =>
    Effect.gen(function* () {
      const { stdout } = yield* run("/bin/pwd; env | sort", {
        cwd: "/usr",
        env: { PATH: "/usr/bin:/bin", ONLY: "this" }
      })
      assert.match(
        stdout.text,
        /^\/usr\nBUTTONS_PRESS_ID=(?:[0-9a-f-]+:)*[0-9a-f]{32}\nONLY=this\nPATH=\/usr\/bin:\/bin\nPWD=\/usr\n$/
      )
    })
  )

  // verifies: P-103
  it.scopedLive("lets a program have no file that the server has open", () =>
    Effect.gen(function* () {
      const path = Path.join(yield* Temporary.folder, "open-file")
      yield* Effect.acquireRelease(
        Effect.sync(() => Fs.openSync(path, "w")),
        (file) => Effect.sync(() => Fs.closeSync(file))
      )
      const { stdout } = yield* run("ls -l /proc/self/fd/ /proc/$$/fd/")
      assert.include(stdout.text, "0 -> /dev/null")
      assert.notInclude(stdout.text, "open-file")
    })
  )

  it.live.each<[string, Partial<PressRunner.PressSpec>, string, RegExp]>([
    ["a missing program", { command: "/none/sh" }, "ENOENT", /^the interpreter does not exist/],
    [
      "a program that is not executable",
      { command: "/etc/passwd" },
      "EACCES",
      /^the interpreter may not be executed/
    ],
    ["a missing working directory", { cwd: "/none" }, "ENOENT", /^the working directory does not exist/],
    ["no working directory", { cwd: undefined }, "ENOENT", /^the working directory does not exist/],
    [
      "more environment than the system takes",
      {
        env: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`V${index}`, "x".repeat(100_000)]))
      },
      "E2BIG",
      /^the arguments and the environment together are too large/
    ],
    ["a NUL character", { env: { A: "x\0" } }, "ERR_INVALID_ARG_VALUE", /^a text contains a NUL character/]
  ])("reports %s as not started", ([, overrides, code, message]) =>
    Effect.gen(function* () {
      const outcome = yield* run("true", overrides)
      assert.deepInclude(outcome, { reason: "not-started", exitCode: -1 })
      assert.strictEqual(outcome.startError?.code, code)
      assert.match(outcome.startError?.message ?? "", message)
    })
  )
})

describe("PressRunner.layerProcess, output", () => {
  // verifies: P-104
  it.live.each(shells)("drains both outputs whatever is kept of them (%s)", (command) =>
    Effect.gen(function* () {
      const letters = (letter: string) => `head -c 5000000 /dev/zero | tr '\\0' ${letter}`
      const { stderr, stdout } = yield* run(`${letters("a")} & ${letters("b")} >&2; wait`, { command })
      for (const [output, letter] of [
        [stdout, "a"],
        [stderr, "b"]
      ] as const) {
        const half = letter.repeat(524_288)
        assert.isTrue(output.text === `${half}\n[3951424 bytes left out]\n${half}`)
        assert.deepInclude(output, { bytes: 5_000_000, truncated: true })
      }
    })
  )

  it.live("keeps as much as it is told to", () =>
    Effect.gen(function* () {
      const { stdout } = yield* run("printf 0123456789", { outputLimitBytes: 4 })
      assert.deepInclude(stdout, { text: "01\n[6 bytes left out]\n89", bytes: 10, truncated: true })
    })
  )

  it.live("replaces what is not UTF-8 and joins a code point that is written in two", () =>
    Effect.gen(function* () {
      const { stdout } = yield* run("printf '\\377 '; printf '\\303'; printf '\\251'")
      assert.deepStrictEqual(stdout, { text: "\uFFFD é", bytes: 4, truncated: false })
    })
  )
})

describe("PressRunner.layerProcess, the end of a press", () => {
  // verifies: P-100
  it.live.each(
    shells.flatMap((command) => [
      [command, "sleep 300 & echo $$"] as const,
      [command, "sleep 300 >/dev/null 2>&1 & echo $$"] as const,
      [command, "(trap '' TERM HUP; sleep 300; sleep 300) & echo $$; exit 0"] as const
    ])
  )("leaves no background process after a success (%s)", ([command, script]) =>
    Effect.gen(function* () {
      const outcome = yield* run(script, { command })
      assert.deepInclude(outcome, { reason: "exited", exitCode: 0 })
      assert.deepStrictEqual(alive(Number(outcome.stdout.text)), [])
    })
  )

  it.live("lets a last writer finish that the script does not wait for", () =>
    Effect.gen(function* () {
      const outcome = yield* run(
        "echo first > >(cat; echo last)",
        { command: "bash" },
        { drain: "30 seconds" }
      )
      assert.strictEqual(outcome.stdout.text, "first\nlast\n")
    })
  )

  // verifies: P-100, P-102
  it.live.each(shells)(
    "ends a program and its children at the timeout, also those that ignore SIGTERM (%s)",
    (command) =>
      Effect.gen(function* () {
        const outcome = yield* run(
          "trap 'echo asked' TERM; (trap '' TERM; sleep 300) & echo $$; while :; do sleep 300 & wait $!; done",
          { command, timeoutMillis: 1_000 },
          { grace: "200 millis" }
        )
        const [group, ...rest] = outcome.stdout.text.split("\n")
        assert.deepInclude(outcome, { reason: "timed-out", exitCode: -1 })
        assert.deepStrictEqual(rest, ["asked", ""])
        assert.deepStrictEqual(alive(Number(group)), [])
      })
  )

  // verifies: P-102
  it.live("ends a program whose time is up before that", () =>
    Effect.gen(function* () {
      const { reason } = yield* run("sleep 300", { timeIsUp: Effect.sleep("300 millis") })
      assert.strictEqual(reason, "timed-out")
    })
  )

  it.live("keeps the output of a program that ran out of time", () =>
    Effect.gen(function* () {
      const outcome = yield* run("echo partial; sleep 300", { timeoutMillis: 1_000 })
      assert.strictEqual(outcome.reason, "timed-out")
      assert.strictEqual(outcome.stdout.text, "partial\n")
    })
  )

  // verifies: P-100
  it.scopedLive.each(
    shells.flatMap((command) => [
      [command, "trap '' TERM; (trap '' TERM; sleep 300; sleep 300) &"] as const,
      // Nothing holds the outputs here, so that their end says nothing about the group's.
      [command, "exec >/dev/null 2>&1; trap '' TERM; for i in 1 2 3 4 5 6 7 8; do sleep 300 & done;"] as const
    ])
  )("returns from an interruption when the whole group is gone (%s)", ([command, script]) =>
    Effect.gen(function* () {
      const { first, press } = yield* reporting(
        `${script} echo $$ >>$PROGRESS; wait; sleep 300`,
        { command },
        { grace: "100 millis" }
      )
      const fiber = yield* Effect.fork(press)
      const group = Number(yield* Deferred.await(first))
      assert.isAbove(alive(group).length, 1)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(alive(group), [])
    })
  )

  it.scopedLive("gives a program the grace period to clean up", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      const note = Path.join(folder, "note")
      const { first, press } = yield* reporting(
        "trap 'sleep 0.1; echo cleaned >$NOTE; exit' TERM; sleep 300 & echo $$ >>$PROGRESS; wait",
        { env: { NOTE: note } }
      )
      const fiber = yield* Effect.fork(press)
      yield* Deferred.await(first)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(Fs.readFileSync(note, "utf8"), "cleaned\n")
    })
  )

  it.scopedLive("lets the children of a shell that ends at once clean up too", () =>
    Effect.gen(function* () {
      const note = Path.join(yield* Temporary.folder, "note")
      const { first, press } = yield* reporting(
        "(trap 'sleep 0.1; echo cleaned >$NOTE; exit' TERM; sleep 300 & echo $$ >>$PROGRESS; wait) & wait",
        { env: { NOTE: note } }
      )
      const fiber = yield* Effect.fork(press)
      yield* Deferred.await(first)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(Fs.readFileSync(note, "utf8"), "cleaned\n")
    })
  )

  it.scopedLive("hands over what an interrupted program wrote, its last words included", () =>
    Effect.gen(function* () {
      const outputs: Array<string> = []
      const { first, press } = yield* reporting(
        "echo before; trap 'echo after; echo bad >&2; exit' TERM; sleep 300 & echo $$ >>$PROGRESS; wait",
        {
          onInterrupted: ({ stderr, stdout }) => Effect.sync(() => outputs.push(stdout.text, stderr.text))
        }
      )
      const fiber = yield* Effect.fork(press)
      yield* Deferred.await(first)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(outputs, ["before\nafter\n", "bad\n"])
    })
  )

  it.scopedLive("ends a stopped program", () =>
    Effect.gen(function* () {
      const { first, press } = yield* reporting(
        "echo $$ >>$PROGRESS; kill -STOP $$; sleep 300",
        {},
        { grace: "100 millis" }
      )
      const fiber = yield* Effect.fork(press)
      const group = Number(yield* Deferred.await(first))
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(alive(group), [])
    })
  )

  it.live("leaves no listener on the process", () =>
    Effect.gen(function* () {
      const count = () => ["exit", "SIGHUP", "SIGINT", "SIGTERM"].map((event) => process.listenerCount(event))
      const before = count()
      yield* Effect.all([run("exit 0"), run("sleep 300 & exit 0"), run("exit 1", { command: "/none" })], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(count(), before)
    })
  )
})

describe("PressRunner.layerProcess, progress", () => {
  it.scopedLive("passes lines on while the program runs", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      const go = Path.join(folder, "go")
      execFileSync("mkfifo", [go])
      const { first, press } = yield* reporting("echo one >>$PROGRESS; read answer <$GO; echo $answer", {
        env: { GO: go }
      })
      const fiber = yield* Effect.fork(press)
      assert.strictEqual(yield* Deferred.await(first), "one")
      // The program reads this only while it runs.
      yield* Effect.promise(() => Fs.promises.writeFile(go, "went on\n"))
      assert.strictEqual((yield* Fiber.join(fiber)).stdout.text, "went on\n")
    })
  )

  it.scopedLive("passes on the last lines before the press ends", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const { press } = yield* reporting(
        "i=0; while [ $i -lt 500 ]; do i=$((i+1)); echo $i; done >>$PROGRESS; printf last >>$PROGRESS",
        { onProgressLine: (line) => Effect.sync(() => lines.push(line)) }
      )
      yield* press
      assert.deepStrictEqual([lines.length, lines[0], lines[499], lines[500]], [501, "1", "500", "last"])
    })
  )

  // verifies: P-13
  it.scopedLive("ends, with the outcome it had, although nobody takes its progress", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const { press } = yield* reporting(
        "echo one >>$PROGRESS; echo two >>$PROGRESS; echo out; exit 3",
        {
          onProgressLine: (line) =>
            Effect.zipRight(
              Effect.sync(() => lines.push(line)),
              Effect.never
            )
        },
        { lastProgress: "20 millis" }
      )
      const outcome = yield* press
      assert.deepInclude(outcome, { reason: "exited", exitCode: 3 })
      assert.strictEqual(outcome.stdout.text, "out\n")
      assert.deepStrictEqual(lines, ["one"])
    })
  )

  it.scopedLive("tells of its outcome before it waits for whoever takes its progress", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<PressRunner.PressOutcome>()
      const outputs: Array<PressRunner.Output> = []
      const { press } = yield* reporting(
        "echo one >>$PROGRESS; echo out",
        {
          onProgressLine: () => Effect.never,
          onEnded: (outcome) => Deferred.succeed(ended, outcome),
          onInterrupted: (output) => Effect.sync(() => outputs.push(output))
        },
        { lastProgress: "1 hour" }
      )
      const fiber = yield* Effect.fork(press)
      const outcome = yield* Deferred.await(ended)
      assert.deepInclude(outcome, { reason: "exited", exitCode: 0 })
      assert.strictEqual(outcome.stdout.text, "out\n")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.deepStrictEqual(outputs, [])
    })
  )

  it.scopedLive("tells of an outcome that an interruption came too late for", () =>
    Effect.gen(function* () {
      const asked = yield* pipe(yield* Temporary.folder)
      const ended: Array<string> = []
      const fiber = yield* run(
        "exec 3>$PIPE; trap 'echo $$ >&3; sleep 300' TERM; echo out; while :; do sleep 300 & wait $!; done",
        {
          env: { PATH: process.env["PATH"] ?? "", PIPE: asked.path },
          timeoutMillis: 1_000,
          onEnded: ({ reason, stdout }) => Effect.sync(() => ended.push(reason, stdout.text)),
          onInterrupted: () => Effect.sync(() => ended.push("interrupted"))
        },
        { grace: "1 hour" }
      ).pipe(Effect.fork)
      // Its time is up, and it is given time to end.
      const group = Number(yield* asked.first)
      yield* Fiber.interruptFork(fiber)
      for (const pid of alive(group)) process.kill(pid, "SIGKILL")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.await(fiber)))
      assert.deepStrictEqual(ended, ["timed-out", "out\n"])
    })
  )

  it.scopedLive("leaves nothing of a press that is interrupted while it is being ended", () =>
    Effect.gen(function* () {
      const asked = yield* pipe(yield* Temporary.folder)
      const fiber = yield* run(
        "exec 3>$PIPE; trap 'echo $$ >&3' TERM; while :; do sleep 300 & wait $!; done",
        { env: { PATH: process.env["PATH"] ?? "", PIPE: asked.path }, timeoutMillis: 1_000 },
        { grace: "200 millis" }
      ).pipe(Effect.fork)
      const group = Number(yield* asked.first)
      yield* killAfterwards(group)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(alive(group), [])
    })
  )

  it.scopedLive("loses no result to a reader of progress that fails", () =>
    Effect.gen(function* () {
      const { press } = yield* reporting("echo one >>$PROGRESS; echo out", {
        onProgressLine: () => Effect.die("no reader")
      })
      assert.strictEqual((yield* press).stdout.text, "out\n")
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )

  it.scopedLive("can be interrupted while a line is being passed on", () =>
    Effect.gen(function* () {
      const stuck = yield* Deferred.make<string>()
      const { press } = yield* reporting("echo $$ >>$PROGRESS", {
        onProgressLine: (line) => Effect.zipRight(Deferred.succeed(stuck, line), Effect.never)
      })
      const fiber = yield* Effect.fork(press)
      const group = Number(yield* Deferred.await(stuck))
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(alive(group), [])
    })
  )
})

describe("PressRunner.layerTest", () => {
  it.effect("answers as it is told to", () =>
    Effect.gen(function* () {
      const nothing = { text: "", bytes: 0, truncated: false }
      const layer = PressRunner.layerTest((given) =>
        Effect.succeed({
          reason: "exited",
          exitCode: given.args.length,
          stdout: nothing,
          stderr: nothing,
          durationMillis: 0
        })
      )
      const outcome = yield* Effect.provide(
        Effect.flatMap(PressRunner.PressRunner, (runner) => runner.run(spec("true"))),
        layer
      )
      assert.strictEqual(outcome.exitCode, 2)
    })
  )
})

describe("support", () => {
  it.scopedLive("sees a group die by its pipe", () =>
    Effect.gen(function* () {
      const { closed, path } = yield* pipe(yield* Temporary.folder)
      const outcome = yield* run("exec 3>$PIPE; sleep 300 >/dev/null 2>&1 & echo $$ >&3", {
        env: { PIPE: path, PATH: "/bin" }
      })
      assert.strictEqual(outcome.exitCode, 0)
      assert.deepStrictEqual(alive(Number(yield* closed)), [])
    })
  )
})
