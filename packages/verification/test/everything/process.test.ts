import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { modern } from "../support/messages.js"
import { post } from "../support/rawHttp.js"

const script = join(import.meta.dirname, "../../dist/everything.js")

/** The fixture as a process, ended with the scope. */
const start = (...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [script, ...args], { stdio: ["pipe", "pipe", "ignore"] })),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  )

const line = (child: Effect.Effect.Success<ReturnType<typeof start>>) =>
  Effect.async<string>((resume) => {
    createInterface(child.stdout).once("line", (text) => resume(Effect.succeed(text)))
  })

describe("the fixture as a process", () => {
  it.scopedLive("serves its parent, and ends when that hangs up", () =>
    Effect.gen(function* () {
      const child = yield* start("--stdio")
      const exited = new Promise((resolve) => child.once("exit", resolve))
      child.stdin.write(`${JSON.stringify(modern(1, "server/discover"))}\n`)
      assert.strictEqual(JSON.parse(yield* line(child)).result.resultType, "complete")
      child.stdin.end()
      assert.strictEqual(yield* Effect.promise(() => exited), 0)
    })
  )

  it.scopedLive("serves a port, and prints where", () =>
    Effect.gen(function* () {
      const url = yield* line(yield* start("--port", "0"))
      assert.strictEqual((yield* post(url, { body: modern(1, "server/discover") })).status, 200)
    })
  )

  it.scopedLive("explains itself otherwise", () =>
    Effect.gen(function* () {
      const child = yield* start("--ports", "0")
      const code = yield* Effect.promise(() => new Promise((resolve) => child.once("exit", resolve)))
      assert.strictEqual(code, 2)
    })
  )
})
