/** Real processes in tests: who is alive in a group, and an event for the death of everything that holds a pipe. */
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as PressRunner from "@pushbutton/buttons/PressRunner"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Temporary from "./temporary.js"

/** Process ids that run in a group, zombies not counted. Throws for what a script that said nothing would give. */
export const alive = (group: number): ReadonlyArray<number> => {
  if (!Number.isSafeInteger(group) || group <= 1) throw new RangeError(`not a process group: ${group}`)
  return Fs.readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const stat = Fs.readFileSync(`/proc/${entry}/stat`, "utf8")
      const [state, , member] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      return Number(member) === group && state !== "Z" ? [Number(entry)] : []
    } catch {
      return []
    }
  })
}

/** A named pipe: `first` is what was written first, `closed` is everything, once every writer is gone. */
export const pipe = (folder: string) =>
  Effect.sync(() => {
    const path = Path.join(folder, "pipe")
    execFileSync("mkfifo", [path])
    const stream = Fs.createReadStream(path, "utf8")
    const first = new Promise<string>((resolve) => {
      stream.once("data", (chunk) => resolve(String(chunk)))
    })
    const closed = new Promise<string>((resolve, reject) => {
      let read = ""
      stream.on("data", (chunk) => {
        read += String(chunk)
      })
      stream.on("end", () => resolve(read))
      stream.on("error", reject)
    })
    return { path, first: Effect.promise(() => first), closed: Effect.promise(() => closed) }
  })

/** Kills what is left of a group when the scope closes, whatever became of the test. */
export const killAfterwards = (group: number) =>
  Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const pid of alive(group)) process.kill(pid, "SIGKILL")
    })
  )

export const spec = (
  script: string,
  overrides: Partial<PressRunner.PressSpec> = {}
): PressRunner.PressSpec => ({
  command: "/bin/sh",
  args: ["-c", script],
  cwd: "/",
  env: { PATH: process.env["PATH"] ?? "" },
  timeoutMillis: 60_000,
  outputLimitBytes: PressRunner.defaultOutputLimitBytes,
  ...overrides
})

export const run = (
  script: string,
  overrides: Partial<PressRunner.PressSpec> = {},
  options: PressRunner.Options = {}
) =>
  Effect.provide(
    Effect.flatMap(PressRunner.PressRunner, (runner) => runner.run(spec(script, overrides))),
    PressRunner.layerProcess(options)
  )

/** Runs a script with a progress file; `first` completes with its first line. */
export const reporting = (
  script: string,
  overrides: Partial<PressRunner.PressSpec>,
  options: PressRunner.Options = {}
) =>
  Effect.gen(function* () {
    const progressPath = Path.join(yield* Temporary.folder, "progress.jsonl")
    Fs.writeFileSync(progressPath, "")
    const first = yield* Deferred.make<string>()
    const press = run(
      script,
      {
        progressPath,
        onProgressLine: (line) => Deferred.succeed(first, line),
        ...overrides,
        env: { PATH: process.env["PATH"] ?? "", PROGRESS: progressPath, ...overrides.env }
      },
      options
    )
    return { press, first }
  })
