/** What happens to the output of the binary when its readers are slow, or gone. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { dataFolder } from "../support/buttons.js"
import { modern, modernPress } from "../support/messages.js"
import * as Pipe from "../support/pipe.js"

describe("pushbutton", () => {
  it.scopedLive.each([
    ["plain", []],
    ["JSON", ["--json"]]
  ] as const)("gives a reader that comes late all of a press's output, as %s", ([, options]) =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const child = yield* Binary.spawnPaused(["press", "big", ...options, "--dir", folder])
      yield* child.hasOutput
      const { code, stdout } = yield* child.readAll
      assert.strictEqual(code, 0)
      assert.isAbove(stdout.length, 1_000_000)
      if (options.length > 0) assert.isTrue(JSON.parse(stdout).ok)
    })
  )

  const printing = [
    ["list"],
    ["list", "--json"],
    ["history"],
    ["history", "--json"],
    ["press", "greet", "--arg", "who=x"],
    ["press", "greet", "--arg", "who=x", "--json"],
    ["schema"],
    ["--help"],
    ["list", "--help"],
    ["--version"]
  ].map((args) => ({ args, toString: () => args.join(" ") }))

  it.scopedLive.each(printing)("fails when there is no room for what it prints: %s", ({ args }) =>
    Effect.gen(function* () {
      const env = { BUTTONS_HOME: yield* dataFolder }
      assert.strictEqual(yield* Binary.exitCodeInto("/dev/full", args, env), 1)
      assert.strictEqual(yield* Binary.exitCodeInto("/dev/null", args, env), 0)
    })
  )

  it.scopedLive.each(printing)("does not fail when nobody wants to read what it prints: %s", ({ args }) =>
    Effect.gen(function* () {
      const binary = yield* Binary.start(args, { BUTTONS_HOME: yield* dataFolder })
      binary.process.stdout.destroy()
      assert.strictEqual((yield* binary.exited).code, 0)
    })
  )

  // verifies: P-15
  it.scopedLive("serves on when nobody reads its stderr any more", () =>
    Effect.gen(function* () {
      const binary = yield* Binary.start(["stdio", "--dir", yield* dataFolder])
      binary.process.stderr.destroy()
      binary.process.stdin.write(`${JSON.stringify(modernPress(1, "greet", { who: "x" }))}\n`)
      yield* binary.prints(/"id":1/)
      binary.process.stdin.write(`${JSON.stringify(modern(2, "server/discover"))}\n`)
      yield* binary.prints(/"id":2/)
      binary.process.stdin.end()
      assert.strictEqual((yield* binary.exited).code, 0)
    })
  )

  it.scopedLive(
    "logs what is wrong with a button once, in one line of stderr, and nothing of it to stdout",
    () =>
      Effect.gen(function* () {
        const binary = yield* Binary.start(["stdio", "--dir", yield* dataFolder])
        binary.process.stdin.write(`${JSON.stringify(modern(1, "tools/list"))}\n`)
        yield* binary.prints(/"id":1/)
        binary.process.stdin.end()
        assert.strictEqual((yield* binary.exited).code, 0)
        const lines = binary
          .stderr()
          .split("\n")
          .filter((line) => line.includes("broken"))
        assert.lengthOf(lines, 1)
        assert.match(lines[0] ?? "", /^\d{4}-\d\d-\d\dT[\d:.]+Z ERROR \S*broken\b/)
        assert.notInclude(binary.stdout(), "broken")
      })
  )

  it.scopedLive("tells of the signal that ended a press, and leaves nothing of it", () =>
    Effect.gen(function* () {
      const pipe = yield* Pipe.make
      const binary = yield* Binary.start([
        "press",
        "hold",
        "--arg",
        `pipe=${pipe.path}`,
        "--dir",
        yield* dataFolder
      ])
      yield* pipe.opened
      binary.process.kill("SIGTERM")
      assert.strictEqual((yield* binary.exited).code, 143)
      yield* pipe.released
    })
  )
})
