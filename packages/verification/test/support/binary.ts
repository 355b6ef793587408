/** The built binary as a process, ended with the scope. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"

export const script = join(import.meta.dirname, "../../../cli/dist/pushbutton.js")

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Binary {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>
  /** What it has written so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Completes when the pattern stands in what it wrote to stdout. */
  readonly prints: (pattern: RegExp) => Effect.Effect<RegExpMatchArray>
  /** Completes when the pattern stands in what it wrote to stderr. */
  readonly logs: (pattern: RegExp) => Effect.Effect<RegExpMatchArray>
  readonly exited: Effect.Effect<Exit>
}

/** The environment of the test without what would change the binary's behaviour. */
const environment = () => {
  const { BUTTONS_HOME: _, PUSHBUTTON_PORT: __, ...rest } = process.env
  return rest
}

export const start = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [script, ...args], {
          stdio: ["pipe", "pipe", "pipe"],
          env: { ...environment(), ...env }
        })
      ),
      (child) => Effect.sync(() => void child.kill("SIGKILL"))
    ),
    watch
  )

const watch = (child: ChildProcessByStdio<Writable, Readable, Readable>): Binary => {
  let stdout = ""
  let stderr = ""
  const exit = Deferred.unsafeMake<Exit>(FiberId.none)
  child.stdin.on("error", () => {})
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  child.once("close", (code, signal) => Deferred.unsafeDone(exit, Effect.succeed({ code, signal })))
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited: Deferred.await(exit),
    prints: waitFor(child, child.stdout, () => stdout),
    logs: waitFor(child, child.stderr, () => stderr)
  }
}

const waitFor =
  (child: ChildProcessByStdio<Writable, Readable, Readable>, stream: Readable, text: () => string) =>
  (pattern: RegExp): Effect.Effect<RegExpMatchArray> =>
    Effect.async((resume) => {
      const look = () => {
        const match = text().match(pattern)
        if (match === null) return
        stream.off("data", look)
        resume(Effect.succeed(match))
      }
      stream.on("data", look)
      child.once("close", () => resume(Effect.dieMessage(`ended before ${pattern}: ${text()}`)))
      look()
    })

/** The binary with a reader that does not read yet. */
export const spawnPaused = (args: ReadonlyArray<string>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const child = spawn(process.execPath, [script, ...args], {
          stdio: ["ignore", "pipe", "inherit"],
          env: environment()
        })
        child.stdout.setEncoding("utf8").pause()
        return child
      }),
      (child) => Effect.sync(() => void child.kill("SIGKILL"))
    ),
    (child) => ({
      /** Completes with the first byte that can be read. */
      hasOutput: Effect.async<void>((resume) => {
        child.stdout.once("readable", () => resume(Effect.void))
      }),
      readAll: Effect.async<{ readonly code: number | null; readonly stdout: string }>((resume) => {
        let stdout = ""
        child.stdout.on("data", (text: string) => {
          stdout += text
        })
        child.once("close", (code) => resume(Effect.succeed({ code, stdout })))
      })
    })
  )

/** The code it exits with when its output goes into a file or device. */
export const exitCodeInto = (path: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  Effect.async<number | null>((resume) => {
    const output = openSync(path, "w")
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ["ignore", output, "ignore"],
      env: { ...environment(), ...env }
    })
    closeSync(output)
    child.once("exit", (code) => resume(Effect.succeed(code)))
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

/** An HTTP service on a free port, with the URL of its endpoint. */
export const http = (folder: string, args: ReadonlyArray<string> = [], env: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const binary = yield* start(["http", "--dir", folder, "--port", "0", ...args], env)
    const [, url = ""] = yield* binary.prints(/ at (http:\S+)/)
    return { ...binary, url }
  })
