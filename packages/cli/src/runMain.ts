/** Runs the program of one entry: the first signal ends it in order, a second one ends the process at once. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** What a program may fail with: the message is all that a person is told, and nothing when it is empty. */
export interface Failure {
  readonly message: string
}

export interface Options {
  /** Printed to stderr at the first signal. */
  readonly stopping?: string
  /** After a success: another program to become. This one has left nothing behind by then. */
  readonly next?: () => (() => void) | undefined
}

/** A program that succeeds or is interrupted exits 0; one that fails says why on stderr and exits 1. */
export const runMain = <E extends Failure>(program: Effect.Effect<void, E>, options: Options = {}): void => {
  let signals = 0
  const onSignal = () => {
    signals += 1
    // Exiting runs the exit hooks, which end what presses have started.
    if (signals > 1) process.exit(130)
    if (options.stopping !== undefined) process.stderr.write(`${options.stopping}\n`)
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
  NodeRuntime.runMain(Effect.tapErrorCause(program, report), {
    disablePrettyLogger: true,
    disableErrorReporting: true,
    teardown: (exit) => {
      const successor = Exit.isSuccess(exit) ? options.next?.() : undefined
      if (successor === undefined) {
        process.exit(Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause) ? 1 : 0)
      }
      process.off("SIGINT", onSignal)
      process.off("SIGTERM", onSignal)
      successor()
    }
  })
}

const report = (cause: Cause.Cause<Failure>): Effect.Effect<void> => {
  if (Cause.isInterruptedOnly(cause)) return Effect.void
  const failure = Cause.failureOption(cause)
  const text = failure._tag === "Some" ? failure.value.message : Cause.pretty(cause)
  if (text === "") return Effect.void
  return Effect.async((resume) => {
    process.stderr.write(`${text}\n`, () => resume(Effect.void))
  })
}
