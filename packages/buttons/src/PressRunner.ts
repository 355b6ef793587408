/**
 * Runs one program to its end, whatever it does: bounded in time and in kept output, and with nothing left of it when
 * the effect ends, be it by exit, by timeout or by interruption: its process group is gone, and on Linux so is what has
 * left the group and bears the mark of the press. POSIX only.
 */
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as ChildProcess from "./internal/childProcess.js"
import * as HostFacts from "./internal/hostFacts.js"
import * as PressEnding from "./internal/pressEnding.js"
import * as PressMark from "./internal/pressMark.js"
import * as ProcessGroup from "./internal/processGroup.js"
import type * as TimeLimit from "./internal/timeLimit.js"
import * as PressProgress from "./PressProgress.js"

export interface PressSpec extends TimeLimit.TimeLimit {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Without one nothing is started. */
  readonly cwd: string | undefined
  /** The whole environment, but for the mark of the press (`BUTTONS_PRESS_ID`). */
  readonly env: Readonly<Record<string, string>>
  /** For each of the two outputs. */
  readonly outputLimitBytes: number
  /** The file that the program appends progress to. */
  readonly progressPath?: string | undefined
  /**
   * Called for the lines of that file, in order. When the program has ended, what is left of them gets a short time
   * and is dropped then; no call outlives the press.
   */
  readonly onProgressLine?: ((line: string) => Effect.Effect<void>) | undefined
  /** Called before anything is started, with the mark that it will bear. */
  readonly onStarting?: ((mark: string) => Effect.Effect<void>) | undefined
  /** Called when the program runs: by then it may have ended. */
  readonly onStarted?: ((leader: Leader) => Effect.Effect<void>) | undefined
  /**
   * Called as soon as the outcome is fixed, before the last progress is waited for. Neither it nor what it was told can
   * be interrupted; the effect that gives the outcome can.
   */
  readonly onEnded?: ((outcome: PressOutcome) => Effect.Effect<void>) | undefined
  /**
   * Called instead when the press was interrupted before the program had ended: with what it had written, and when
   * nothing of it runs any more.
   */
  readonly onInterrupted?: ((output: Output) => Effect.Effect<void>) | undefined
}

/** The process that was started; it leads a group of the same number. */
export interface Leader {
  readonly pid: number
  /** When it started, in the system's own terms; undefined where the system does not say. */
  readonly start: string | undefined
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
  /** Set when truncated. */
  readonly cut?: Cut
}

/** Where a text is not what was written: between the two places it says what was left out. */
export interface Cut {
  readonly from: number
  readonly to: number
}

export interface PressOutcome extends Output {
  readonly reason: "exited" | "signalled" | "timed-out" | "not-started"
  /** -1 unless the program exited. */
  readonly exitCode: number
  /** The signal that ended the program, unless it was ours. */
  readonly signal?: string
  /** Until nothing of the program ran any more. */
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
  /** How long progress may still be passed on when the program has ended. */
  readonly lastProgress?: Duration.DurationInput
}

/** Each program leads its own process group, gets no stdin, and inherits no descriptor. */
export const layerProcess = (options: Options = {}): Layer.Layer<PressRunner> =>
  Layer.scoped(PressRunner, makeProcess(options))

export const makeProcess = (
  options: Options = {}
): Effect.Effect<PressRunner["Type"], never, Scope.Scope> => {
  const bounds = {
    graceMillis: Duration.toMillis(options.grace ?? "2 seconds"),
    drainMillis: Duration.toMillis(options.drain ?? "500 millis"),
    lastProgressMillis: Duration.toMillis(options.lastProgress ?? "1 second")
  }
  return Effect.map(
    Effect.all([HostFacts.environment, Effect.scope, ProcessGroup.keepListening]),
    ([environment, scope]) =>
      PressRunner.of({
        run: (spec) =>
          Effect.suspend(() =>
            run(spec, PressMark.make(environment[PressMark.variable]), { ...bounds, scope })
          )
      })
  )
}

export const layerTest = (run: (spec: PressSpec) => Effect.Effect<PressOutcome>): Layer.Layer<PressRunner> =>
  Layer.succeed(PressRunner, PressRunner.of({ run }))

interface Bounds extends PressEnding.Bounds {
  readonly lastProgressMillis: number
  /** Where what outlives a press is seen to. */
  readonly scope: Scope.Scope
}

const run = (spec: PressSpec, mark: PressMark.PressMark, bounds: Bounds) => {
  const { onProgressLine, progressPath } = spec
  return progressPath === undefined || onProgressLine === undefined
    ? runFollowed(spec, mark, bounds, Effect.succeed(undefined))
    : Effect.scoped(runFollowed(spec, mark, bounds, followProgress(progressPath, onProgressLine)))
}

/** Only the two waits can be interrupted: for the program to end, and for whoever takes its progress. */
const runFollowed = <R>(
  spec: PressSpec,
  mark: PressMark.PressMark,
  bounds: Bounds,
  follow: Effect.Effect<{ readonly finish: Effect.Effect<void> } | undefined, never, R>
) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const startedAt = yield* Clock.currentTimeNanos
      const tail = yield* follow
      yield* spec.onStarting?.(mark.id) ?? Effect.void
      const started = yield* Effect.either(ChildProcess.start(spec, mark))
      const ended = yield* Either.isLeft(started)
        ? Effect.succeed(notStarted(started.left))
        : untilEnded(started.right, startedAt, bounds, restore(untilExit(started.right, spec)))
      if (ended._tag === "Interrupted") {
        yield* spec.onInterrupted?.(ended.output) ?? Effect.void
        return yield* Effect.failCause(ended.cause)
      }
      const durationMillis = yield* PressEnding.millisSince(startedAt)
      const outcome: PressOutcome = { ...ended.outcome, durationMillis }
      yield* spec.onEnded?.(outcome) ?? Effect.void
      if (tail !== undefined) yield* restore(Effect.timeoutOption(tail.finish, bounds.lastProgressMillis))
      return outcome
    })
  )

const followProgress = (path: string, onLine: (line: string) => Effect.Effect<void>) =>
  PressProgress.follow(path, (line) =>
    Effect.catchAllCause(onLine(line), (cause) => Effect.logWarning("Progress could not be passed on", cause))
  )

/** A moment in which most programs have ended. */
const momentMillis = 100

const untilExit = (child: ChildProcess.Child, { onStarted, timeIsUp, timeoutMillis }: PressSpec) => {
  const exit = Effect.gen(function* () {
    const moment = Math.min(momentMillis, timeoutMillis)
    if (yield* child.exited.waitAtMost(moment)) return
    yield* onStarted?.(leaderOf(child)) ?? Effect.void
    yield* child.exited.waitAtMost(timeoutMillis - moment)
  })
  return timeIsUp === undefined ? exit : Effect.raceFirst(exit, timeIsUp)
}

const leaderOf = ({ group }: ChildProcess.Child): Leader => ({ pid: group.id, start: group.start })

type Ended =
  | { readonly _tag: "Interrupted"; readonly output: Output; readonly cause: Cause.Cause<never> }
  | { readonly _tag: "Ended"; readonly outcome: Omit<PressOutcome, "durationMillis"> }

/** Waits, and leaves nothing of the program running; how it ended is fixed when the wait is over. */
const untilEnded = Effect.fnUntraced(function* (
  child: ChildProcess.Child,
  startedAt: bigint,
  bounds: Bounds,
  wait: Effect.Effect<unknown>
) {
  const waited = yield* Effect.exit(wait)
  // A program that ended just as its time was up, or as it was no longer wanted, has ended by itself.
  const status = child.status()
  yield* PressEnding.end(child, startedAt, bounds, bounds.scope)
  const output: Output = { stdout: child.stdout(), stderr: child.stderr() }
  const ended: Ended =
    status === undefined && Exit.isFailure(waited)
      ? { _tag: "Interrupted", output, cause: waited.cause }
      : { _tag: "Ended", outcome: { ...verdict(status), ...output } }
  return ended
})

const verdict = (
  status: ChildProcess.ExitStatus | undefined
): Pick<PressOutcome, "reason" | "exitCode" | "signal"> => {
  if (status === undefined) return { reason: "timed-out", exitCode: -1 }
  if (status.signal !== null) return { reason: "signalled", exitCode: -1, signal: status.signal }
  return { reason: "exited", exitCode: status.code ?? -1 }
}

const nothing: CapturedOutput = { text: "", bytes: 0, truncated: false }

const notStarted = ({ code, message }: ChildProcess.NotStarted): Ended => ({
  _tag: "Ended",
  outcome: {
    reason: "not-started",
    exitCode: -1,
    stdout: nothing,
    stderr: nothing,
    startError: { code, message }
  }
})
