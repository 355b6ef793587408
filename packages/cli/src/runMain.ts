/** Runs the program of one entry: the first signal ends it in order, a second one ends the process at once. */
import { constants } from "node:os"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** What a program may fail with: the message is all that a person is told, and nothing when it is empty. */
export interface Failure {
  readonly message: string
}

export interface Options {
  /** A server that a signal has ended in order has done its work and exits 0; any other program tells of the signal. */
  readonly isServer?: boolean
  /** Printed to stderr at the first signal. */
  readonly stopping?: string
  /** After a success: another program to become. This one has left nothing behind by then. Completes when it runs. */
  readonly next?: () => (() => Promise<void>) | undefined
}

/** A program that succeeds exits 0; one that fails says why on stderr and exits 1; see `Options.isServer` for signals. */
export const runMain = <E extends Failure>(program: Effect.Effect<void, E>, options: Options = {}): void => {
  let signalled: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    // Exiting runs the exit hooks, which end what presses have started.
    if (signalled !== undefined) process.exit(signalled)
    signalled = 128 + constants.signals[signal]
    if (options.stopping !== undefined) process.stderr.write(`${options.stopping}\n`)
  }
  // A reader that has gone must not end the program; any other loss of its output is a failure of it.
  let isLost = false
  const noteLoss = (error?: NodeJS.ErrnoException | null) => {
    isLost ||= error != null && error.code !== "EPIPE"
  }
  process.stderr.on("error", () => {})
  process.stdout.on("error", noteLoss)
  // A terminal that closes ends the program like any other request to end.
  const onHangUp = () => void process.emit("SIGTERM", "SIGTERM")
  process.on("SIGHUP", onHangUp)
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
  NodeRuntime.runMain(Effect.tapErrorCause(program, report), {
    disablePrettyLogger: true,
    disableErrorReporting: true,
    teardown: (exit) => {
      const successor = Exit.isSuccess(exit) ? options.next?.() : undefined
      if (successor === undefined) {
        return exitFlushed(
          noteLoss,
          () => (isLost ? 1 : exitCode(exit, options.isServer === true ? undefined : signalled)),
          options
        )
      }
      const release = holdSignals()
      process.off("SIGINT", onSignal)
      process.off("SIGTERM", onSignal)
      process.off("SIGHUP", onHangUp)
      void successor().then(release)
    }
  })
}

/** Node loses a signal that comes where nobody listens for a moment. Gives what hands those that came to who listens then. */
const holdSignals = (): (() => void) => {
  const held: Array<NodeJS.Signals> = []
  const hold = (signal: NodeJS.Signals) => void held.push(signal === "SIGHUP" ? "SIGTERM" : signal)
  for (const signal of ending) process.on(signal, hold)
  return () => {
    for (const signal of ending) process.off(signal, hold)
    for (const signal of held) process.emit(signal, signal)
  }
}

const ending = ["SIGINT", "SIGTERM", "SIGHUP"] as const

const exitCode = (exit: Exit.Exit<unknown, unknown>, signalled: number | undefined): number => {
  if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) return 1
  return signalled ?? 0
}

/** How long a server that ends waits for a client that does not read. */
const lastWordMillis = 1_000

/** Exits when what was written has left: on a pipe, exiting loses what waits for its reader. */
const exitFlushed = (
  onEnd: (error?: Error | null) => void,
  code: () => number,
  { isServer }: Options
): void => {
  if (isServer === true) setTimeout(() => process.exit(code()), lastWordMillis)
  process.stdout.write("", (error) => {
    // The last write may have failed, of which there is an event only some turns later.
    onEnd(error)
    process.stderr.write("", () => process.exit(code()))
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
