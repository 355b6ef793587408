/**
 * Commands whose output is the content of a resource. They are pressed like a button, with the same guards on time and
 * output, but nobody sees them as one, and no history is kept.
 */
import { ResourceNotFound } from "@pushbutton/server/Resource"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { Batteries } from "../Batteries.js"
import type { Button } from "../Button.js"
import { toFailure } from "../ButtonError.js"
import { HttpRunner } from "../http/HttpRunner.js"
import * as Preparation from "../internal/pressPreparation.js"
import { excerpt } from "../internal/text.js"
import { PressHistory } from "../PressHistory.js"
import { PressJournal } from "../PressJournal.js"
import * as PressResult from "../PressResult.js"
import { PressRunner } from "../PressRunner.js"
import { RunIds } from "../RunIds.js"
import * as Runtime from "../Runtime.js"

/** The message is for the client. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

export type RunCommand = (
  command: Button,
  args: Readonly<Record<string, string>>
) => Effect.Effect<string, CommandFailed | ResourceNotFound>

export const defaultTimeoutSeconds = 30

/** The exit code of a command that finds nothing: EX_NOINPUT of sysexits. */
const nothingFound = 66

/** Commands that run at a time; those beyond wait. */
const concurrency = 8

export const make = (surroundings: Preparation.Surroundings) =>
  Effect.gen(function* () {
    const services: Preparation.Services = {
      catalogue: { note: () => Effect.succeed("") },
      interpreters: yield* Runtime.Interpreters,
      runner: yield* PressRunner,
      http: yield* HttpRunner,
      batteries: yield* Batteries,
      history: unrecorded,
      journal: yield* PressJournal
    }
    const runIds = yield* RunIds
    const semaphore = yield* Effect.makeSemaphore(concurrency)
    const run: RunCommand = Effect.fnUntraced(function* (command, args) {
      const prepared = yield* Effect.mapError(
        Preparation.prepare(services, surroundings, command, { args, caller: "mcp" }),
        (error) => new CommandFailed({ message: toFailure(error).message })
      )
      const result = yield* prepared
        .carryOut({
          button: command.slug,
          runId: yield* runIds.next,
          startedAtMillis: yield* Clock.currentTimeMillis,
          caller: "mcp",
          args: prepared.toldArgs
        })
        .pipe(Effect.scoped)
      return yield* contentOf(result)
    }, semaphore.withPermits(1))
    return run
  })

const contentOf = (
  result: PressResult.PressResult
): Effect.Effect<string, CommandFailed | ResourceNotFound> => {
  if (result.reason === "exited" && result.exitCode === nothingFound) return new ResourceNotFound()
  if (result.status !== "ok") {
    const said = excerpt(result.stderr.trim(), 500)
    const message = PressResult.describe(result)
    return new CommandFailed({ message: said === "" ? message : `${message}: ${said}` })
  }
  return result.stdoutTruncated
    ? new CommandFailed({ message: `${result.button} wrote ${result.stdoutBytes} bytes, which is too much` })
    : Effect.succeed(result.stdout)
}

const unrecorded = PressHistory.of({
  record: () => Effect.void,
  recent: () => Effect.succeed([]),
  openProgress: () => Effect.succeed(undefined),
  clearUnfinished: () => Effect.void
})
