/**
 * Runs one program to its end, whatever it does: bounded in time and in kept output, and with nothing of its process
 * group left when the effect ends, be it by exit, by timeout or by interruption. POSIX only.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ChildProcess from "./internal/childProcess.js"
import * as PressProgress from "./PressProgress.js"

export interface PressSpec {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  /** The whole environment: nothing is added. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMillis: number
  /** For each of the two outputs. */
  readonly outputLimitBytes: number
  /** The file that the program appends progress to. */
  readonly progressPath?: string | undefined
  /** Called for every line of that file, in order; the press ends after the last call has. */
  readonly onProgressLine?: ((line: string) => Effect.Effect<void>) | undefined
  /** Called when the press was interrupted and nothing of it runs any more, with what it had written. */
  readonly onInterrupted?: ((output: Output) => Effect.Effect<void>) | undefined
}

export interface Output {
  readonly stdout: CapturedOutput
  readonly stderr: CapturedOutput
}

export interface CapturedOutput {
  /** UTF-8; bytes that are not become U+FFFD. When truncated, the beginning and the end, and a line that says so. */
  readonly text: string
  /** How many bytes the program wrote. */
  readonly bytes: number
  readonly truncated: boolean
}

export interface PressOutcome extends Output {
  readonly reason: "exited" | "signalled" | "timed-out" | "not-started"
  /** -1 unless the program exited. */
  readonly exitCode: number
  /** The signal that ended the program, unless it was ours. */
  readonly signal?: string
  readonly durationMillis: number
  /** Set when the program was not started; the message holds no path. */
  readonly startError?: { readonly code: string; readonly message: string }
}

export const defaultOutputLimitBytes = 1_048_576

/** Starts programs. */
export class PressRunner extends Context.Tag("@pushbutton/buttons/PressRunner")<
  PressRunner,
  {
    /**
     * Every way a program can end is an outcome. Interruption ends the whole group, first politely and after the grace
     * period by force, and completes when that is done.
     */
    readonly run: (spec: PressSpec) => Effect.Effect<PressOutcome>
  }
>() {}

export interface Options {
  /** How long a group may take to end after SIGTERM. */
  readonly grace?: Duration.DurationInput
  /** How long the outputs may stay open when the program has ended. */
  readonly drain?: Duration.DurationInput
}

/** Each program leads its own process group, gets no stdin, and inherits no descriptor. */
export const layerProcess = (options: Options = {}): Layer.Layer<PressRunner> => {
  const bounds: Bounds = {
    graceMillis: Duration.toMillis(options.grace ?? "2 seconds"),
    drainMillis: Duration.toMillis(options.drain ?? "500 millis")
  }
  return Layer.succeed(PressRunner, PressRunner.of({ run: (spec) => Effect.scoped(run(spec, bounds)) }))
}

export const layerTest = (run: (spec: PressSpec) => Effect.Effect<PressOutcome>): Layer.Layer<PressRunner> =>
  Layer.succeed(PressRunner, PressRunner.of({ run }))

interface Bounds {
  readonly graceMillis: number
  readonly drainMillis: number
}

const run = Effect.fnUntraced(function* (spec: PressSpec, bounds: Bounds) {
  const startedAt = yield* Clock.currentTimeNanos
  const tail = yield* followProgress(spec)
  const ended = yield* Effect.either(
    Effect.acquireUseRelease(
      ChildProcess.start(spec),
      // A program that ended just as its time was up has ended by itself.
      (child) =>
        Effect.map(Effect.timeoutOption(child.exited, spec.timeoutMillis), () => ({
          child,
          status: child.status()
        })),
      (child, exit) =>
        Effect.zipRight(end(child, bounds), Exit.isInterrupted(exit) ? interrupted(child, spec) : Effect.void)
    )
  )
  yield* tail.finish
  const durationMillis = Number(((yield* Clock.currentTimeNanos) - startedAt) / 1_000_000n)
  return outcome(ended, durationMillis)
})

const followProgress = ({ onProgressLine, progressPath }: PressSpec) =>
  progressPath === undefined || onProgressLine === undefined
    ? Effect.succeed({ finish: Effect.void })
    : PressProgress.follow(progressPath, onProgressLine)

/** Long enough for the system to carry out SIGKILL on anything but a process stuck in the kernel. */
const killMillis = 2_000

/** Leaves nothing of the group running; runs uninterruptibly. */
const end = Effect.fnUntraced(function* (child: ChildProcess.Child, { drainMillis, graceMillis }: Bounds) {
  if (child.status() === undefined) {
    child.group.signal("SIGTERM")
    yield* atMost(graceMillis, Effect.zipRight(child.exited, child.group.empty))
  } else if (!child.group.isEmpty()) {
    // A last writer, such as a `tee` that the script does not wait for, may finish.
    yield* atMost(drainMillis, child.closed)
  }
  child.group.signal("SIGKILL")
  yield* atMost(killMillis, Effect.zipRight(child.exited, child.group.empty))
  // What holds a pipe now has left the group, and is not waited for.
  yield* atMost(drainMillis, child.closed)
  child.destroyPipes()
})

const interrupted = (child: ChildProcess.Child, { onInterrupted }: PressSpec) =>
  Effect.suspend(() => (onInterrupted === undefined ? Effect.void : onInterrupted(outputOf(child))))

const outputOf = (child: ChildProcess.Child): Output => ({ stdout: child.stdout(), stderr: child.stderr() })

const atMost = (millis: number, effect: Effect.Effect<unknown>): Effect.Effect<unknown> =>
  Effect.timeoutOption(Effect.interruptible(effect), millis)

interface Ended {
  readonly child: ChildProcess.Child
  /** Undefined when its time was up first. */
  readonly status: ChildProcess.ExitStatus | undefined
}

const nothing: CapturedOutput = { text: "", bytes: 0, truncated: false }

const outcome = (
  ended: Either.Either<Ended, ChildProcess.NotStarted>,
  durationMillis: number
): PressOutcome => {
  if (Either.isLeft(ended)) {
    const { code, message } = ended.left
    const startError = { code, message }
    return {
      reason: "not-started",
      exitCode: -1,
      stdout: nothing,
      stderr: nothing,
      durationMillis,
      startError
    }
  }
  const { child, status } = ended.right
  const common = { ...outputOf(child), durationMillis }
  if (status === undefined) return { reason: "timed-out", exitCode: -1, ...common }
  if (status.signal !== null) return { reason: "signalled", exitCode: -1, signal: status.signal, ...common }
  return { reason: "exited", exitCode: status.code ?? -1, ...common }
}
