/**
 * A started child that leads its own process group: no stdin, both outputs drained from the first byte, its end as an
 * event. Ending it is left to the caller.
 */
import { type ChildProcess as SpawnedProcess, spawn } from "node:child_process"
import * as Fs from "node:fs"
import type { Readable } from "node:stream"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { CapturedOutput, PressSpec } from "../PressRunner.js"
import * as Happening from "./happening.js"
import * as InheritedFiles from "./inheritedFiles.js"
import * as NodeError from "./nodeError.js"
import * as OutputCapture from "./outputCapture.js"
import * as PressMark from "./pressMark.js"
import * as ProcessGroup from "./processGroup.js"

/** How the leader ended: one of the two is set. */
export interface ExitStatus {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Child {
  readonly group: ProcessGroup.ProcessGroup
  readonly mark: PressMark.PressMark
  readonly exited: Happening.Happening
  readonly status: () => ExitStatus | undefined
  /** Both outputs reached their end: nobody holds the pipes any more. */
  readonly closed: Happening.Happening
  readonly destroyPipes: () => void
  readonly stdout: () => CapturedOutput
  readonly stderr: () => CapturedOutput
}

/** The program did not start. `message` holds no path. */
export class NotStarted extends Data.TaggedError("NotStarted")<{
  readonly code: string
  readonly message: string
}> {}

export const start = (spec: PressSpec, mark: PressMark.PressMark): Effect.Effect<Child, NotStarted> =>
  Effect.async<Child, NotStarted>((resume) => {
    if (spec.cwd === undefined) return resume(noWorkingDirectory)
    const fail = (error: unknown) => resume(notStarted(NodeError.code(error), spec))
    try {
      const { child, group } = ProcessGroup.start(mark.id, () =>
        InheritedFiles.without((stdio) =>
          spawn(spec.command, [...spec.args], {
            cwd: spec.cwd,
            env: { ...spec.env, [PressMark.variable]: mark.value },
            detached: true,
            stdio
          })
        )
      )
      // Stays on for good: a later error, such as a failed signal, must not end the server.
      child.on("error", fail)
      if (group !== undefined) resume(Effect.succeed(wrap(child, group, mark, spec.outputLimitBytes)))
    } catch (error) {
      // Some failures, E2BIG and a NUL character among them, are thrown.
      fail(error)
    }
  })

const wrap = (
  spawned: SpawnedProcess,
  group: ProcessGroup.ProcessGroup,
  mark: PressMark.PressMark,
  limitBytes: number
): Child => {
  const exited = Happening.make()
  const closed = Happening.make()
  let status: ExitStatus | undefined
  let open = 2
  const drain = (stream: Readable | null): OutputCapture.OutputCapture => {
    const capture = OutputCapture.make(limitBytes)
    stream?.on("data", capture.push)
    stream?.on("error", () => {})
    stream?.once("close", () => {
      if (--open === 0) closed.happen()
    })
    return capture
  }
  const stdout = drain(spawned.stdout)
  const stderr = drain(spawned.stderr)
  spawned.once("exit", (code, signal) => {
    status = { code, signal }
    exited.happen()
  })
  return {
    group,
    mark,
    exited,
    status: () => status,
    closed,
    destroyPipes: () => {
      spawned.stdout?.destroy()
      spawned.stderr?.destroy()
    },
    stdout: stdout.read,
    stderr: stderr.read
  }
}

const noWorkingDirectory = new NotStarted({
  code: "ENOENT",
  message: "the working directory does not exist (ENOENT)"
})

const notStarted = (code: string, { cwd }: PressSpec): NotStarted => {
  // The system reports a missing working directory as if the program were missing.
  if (code === "ENOENT" && cwd !== undefined && !Fs.existsSync(cwd)) return noWorkingDirectory
  return new NotStarted({ code, message: `${reasons.get(code) ?? "the system refused"} (${code})` })
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["E2BIG", "the arguments and the environment together are too large"],
  ["EACCES", "the interpreter may not be executed"],
  ["EAGAIN", "the system has no room for another process"],
  ["EMFILE", "the server has too many files open"],
  ["ENOENT", "the interpreter does not exist"],
  ["ENOMEM", "the system is out of memory"],
  ["ERR_INVALID_ARG_VALUE", "a text contains a NUL character"]
])
