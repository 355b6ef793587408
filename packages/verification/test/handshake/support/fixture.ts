/** The everything fixture in a process of its own, ended with the scope. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const script = join(import.meta.dirname, "../../../dist/everything.js")

export const start = (...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [script, ...args], { stdio: ["pipe", "pipe", "ignore"] })),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  )

export interface Urls {
  readonly url: string
  /** Where HTTP+SSE clients connect. */
  readonly sseUrl: string
}

/** One that serves HTTP, for all tests of a file. */
export class Fixture extends Context.Tag("verification/handshake/Fixture")<Fixture, Urls>() {}

export const layer = Layer.scoped(
  Fixture,
  Effect.flatMap(start("--port", "0", "--sse"), (child) =>
    Effect.async<Urls>((resume) => {
      const lines: Array<string> = []
      createInterface(child.stdout).on("line", (line) => {
        lines.push(line)
        const [url, sseUrl] = lines
        if (url !== undefined && sseUrl !== undefined) resume(Effect.succeed({ url, sseUrl }))
      })
    })
  )
)
