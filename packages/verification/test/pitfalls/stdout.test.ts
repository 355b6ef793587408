/** What a program says around its serving, under the plain `runMain` of Effect. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { modern } from "../support/messages.js"

const script = join(import.meta.dirname, "support/talkative.mjs")

/** One request, the end of stdin, and all that was said. */
const run = (program: string) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [script, program], { stdio: "pipe" })),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  ).pipe(
    Effect.flatMap((child) =>
      Effect.async<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>(
        (resume) => {
          const said = { stdout: "", stderr: "" }
          child.stdout.setEncoding("utf8").on("data", (text: string) => {
            said.stdout += text
          })
          child.stderr.setEncoding("utf8").on("data", (text: string) => {
            said.stderr += text
          })
          child.stdin.on("error", () => {})
          child.stdin.end(`${JSON.stringify(modern(1, "server/discover"))}\n`)
          child.once("close", (code) => resume(Effect.succeed({ code, ...said })))
        }
      )
    )
  )

const count = (text: string, part: string) => text.split(part).length - 1

describe("stdout is the protocol's", () => {
  it.scopedLive("when layers log and print as they are built and released", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run("launch")
      assert.strictEqual(JSON.parse(stdout).id, 1)
      for (const word of ["log acquired", "print acquired", "log released", "print released"]) {
        assert.strictEqual(count(stderr, word), 1, word)
      }
      assert.strictEqual(code, 0)
    })
  )

  it.scopedLive.each([
    ["a layer fails", "failing", "no disk"],
    ["a setting is missing", "unconfigured", "TALKATIVE_MISSING"]
  ] as const)("when %s", ([, program, reason]) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run(program)
      assert.strictEqual(stdout, "")
      assert.include(stderr, reason)
      assert.strictEqual(code, 1)
    })
  )

  it.scopedLive("with StderrLogger.layer around a program that serves in the middle", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run("logging")
      assert.strictEqual(JSON.parse(stdout).id, 1)
      assert.deepStrictEqual([count(stderr, "log before"), count(stderr, "log after")], [1, 1])
      assert.strictEqual(code, 0)
    })
  )
})
