/**
 * Pressing a button, for every surface alike: find, check who may see it, check the arguments, run, record, answer.
 * Interrupting a press ends what it started, and leaves a record that says so.
 */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Button } from "./Button.js"
import * as ButtonCatalogue from "./ButtonCatalogue.js"
import {
  CodeFileMissing,
  type PressArgumentInvalid,
  type PromptUnreadable,
  type RuntimeMissing,
  toFailure
} from "./ButtonError.js"
import * as Environment from "./Environment.js"
import * as HostFacts from "./internal/hostFacts.js"
import * as Paths from "./internal/paths.js"
import * as PressArguments from "./PressArguments.js"
import { PressHistory } from "./PressHistory.js"
import * as PressProgress from "./PressProgress.js"
import * as PressResult from "./PressResult.js"
import { defaultOutputLimitBytes, type Output, PressRunner, type PressSpec } from "./PressRunner.js"
import { RunIds } from "./RunIds.js"
import * as Runtime from "./Runtime.js"

export interface PressRequest {
  /** Any spelling that slugifies to the button's name. */
  readonly name: string
  readonly args: JsonObject
  /** Above 0 it replaces the button's own. */
  readonly timeoutSeconds?: number | undefined
  readonly caller: PressResult.Caller
  /**
   * Called in order while the button runs. A call that does not return holds up neither the button nor, for more than a
   * moment, the answer: what progress is left then is dropped.
   */
  readonly onProgress?: ((update: PressProgress.Update) => Effect.Effect<void>) | undefined
}

export type PressFailure =
  | ButtonCatalogue.GetFailure
  | PressArgumentInvalid
  | RuntimeMissing
  | CodeFileMissing
  | PromptUnreadable

export class Press extends Context.Tag("@pushbutton/buttons/Press")<
  Press,
  {
    /**
     * Fails when nothing was started. A button that ran, however it ended, is a result; so is one that could not be
     * recorded. A caller over MCP cannot tell a button that is not for it from one that does not exist.
     */
    readonly press: (request: PressRequest) => Effect.Effect<PressResult.PressResult, PressFailure>
  }
>() {}

export interface Options {
  /** What buttons may inherit from: see `Environment`. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where buttons run; without one none is started. */
  readonly workingDirectory: string | undefined
  /** For each output of a press. */
  readonly outputLimitBytes?: number | undefined
}

export const defaultTimeoutSeconds = 300
export const maxMcpTimeoutSeconds = 120

/** The request's when it is above 0, else the button's, else 300; over MCP never more than 120. */
export const timeoutSeconds = (
  requested: number | undefined,
  own: number | undefined,
  caller: PressResult.Caller
): number => {
  const wanted =
    [requested, own].find((seconds) => seconds !== undefined && seconds > 0) ?? defaultTimeoutSeconds
  return caller === "mcp" ? Math.min(wanted, maxMcpTimeoutSeconds) : wanted
}

export const make = (options: Options) =>
  Effect.gen(function* () {
    const services: Services = {
      catalogue: yield* ButtonCatalogue.ButtonCatalogue,
      interpreters: yield* Runtime.Interpreters,
      runner: yield* PressRunner,
      history: yield* PressHistory,
      runIds: yield* RunIds
    }
    return Press.of({
      press: Effect.fn("Press.press")(function* (request: PressRequest) {
        const button = yield* ButtonCatalogue.getVisible(services.catalogue, request.name, request.caller)
        return yield* button.runtime === "prompt"
          ? answerPrompt(services, button, request)
          : runCode(services, options, button, button.runtime, request)
      })
    })
  })

type Dependencies =
  | ButtonCatalogue.ButtonCatalogue
  | Runtime.Interpreters
  | PressRunner
  | PressHistory
  | RunIds

export const layer = (options: Options): Layer.Layer<Press, never, Dependencies> =>
  Layer.effect(Press, make(options))

export interface ProcessOptions {
  /** The server's own when left out; what is relative is relative to that. */
  readonly workingDirectory?: string | undefined
  readonly outputLimitBytes?: number | undefined
}

/** What this process has to give: its environment and its working directory, as they are when the layer is built. */
export const layerProcess = (options: ProcessOptions = {}): Layer.Layer<Press, never, Dependencies> =>
  Layer.effect(
    Press,
    Effect.flatMap(Effect.all([HostFacts.environment, HostFacts.workingDirectory]), ([environment, cwd]) => {
      const given = options.workingDirectory ?? ""
      const workingDirectory =
        cwd === undefined && !Paths.isAbsolute(given) ? undefined : Paths.resolve(cwd ?? "/", given)
      return make({ ...options, environment, workingDirectory })
    })
  )

const onLine = (onProgress: (update: PressProgress.Update) => Effect.Effect<void>) => (line: string) => {
  const update = PressProgress.decodeLine(line)
  return update === undefined ? Effect.void : onProgress(update)
}

interface Services {
  readonly catalogue: ButtonCatalogue.ButtonCatalogue["Type"]
  readonly interpreters: Runtime.Interpreters["Type"]
  readonly runner: PressRunner["Type"]
  readonly history: PressHistory["Type"]
  readonly runIds: RunIds["Type"]
}

const answerPrompt = Effect.fnUntraced(function* (services: Services, button: Button, request: PressRequest) {
  // Nothing is started, so nothing limits the size of an argument.
  const args = yield* PressArguments.encode(button.args, request.args, Number.POSITIVE_INFINITY)
  const text = yield* services.catalogue.note(button)
  return yield* record(services, PressResult.fromPrompt(yield* begin(services, button, request, args), text))
})

const runCode = Effect.fnUntraced(function* (
  services: Services,
  options: Options,
  button: Button,
  runtime: Runtime.CodeRuntime,
  request: PressRequest
) {
  const args = yield* PressArguments.encode(button.args, request.args)
  const command = yield* services.interpreters.find(runtime)
  if (button.codeFile === undefined) {
    const file = `${button.relativeDirectory}/${Runtime.codeFile[runtime]}`
    return yield* new CodeFileMissing({ slug: button.slug, file })
  }
  const codePath = Paths.join(button.directory, button.codeFile)
  const seconds = timeoutSeconds(request.timeoutSeconds, button.timeoutSeconds, request.caller)
  const specOf: SpecOf = (progressPath, ends) => ({
    command,
    args: [codePath],
    cwd: options.workingDirectory,
    env: Environment.make({ server: options.environment, button: button.env, args: args.env, progressPath }),
    timeoutMillis: seconds * 1_000,
    outputLimitBytes: options.outputLimitBytes ?? defaultOutputLimitBytes,
    progressPath,
    onProgressLine: request.onProgress && onLine(request.onProgress),
    ...ends
  })
  return yield* runRecorded(services, yield* begin(services, button, request, args), specOf, seconds)
})

type SpecOf = (
  progressPath: string | undefined,
  ends: Pick<PressSpec, "onEnded" | "onInterrupted">
) => PressSpec

/** What ran is recorded as it ended, also when nobody waits for the answer any more. */
const runRecorded = (services: Services, run: PressResult.Run, specOf: SpecOf, seconds: number) =>
  Effect.scoped(
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const progressPath = yield* services.history.openProgress(
          run.button,
          PressResult.startedAt(run),
          run.runId
        )
        let recorded: PressResult.PressResult | undefined
        const keep = (result: PressResult.PressResult) =>
          Effect.map(record(services, result), (kept) => {
            recorded = kept
          })
        const cancel = (written: Output | undefined) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => keep(PressResult.cancelled(run, now, written)))
        const spec = specOf(progressPath, {
          onEnded: (outcome) => keep(PressResult.fromOutcome(run, outcome, seconds)),
          onInterrupted: cancel
        })
        const exit = yield* Effect.exit(restore(services.runner.run(spec)))
        if (Exit.isSuccess(exit)) {
          return recorded ?? (yield* record(services, PressResult.fromOutcome(run, exit.value, seconds)))
        }
        // Interrupted before anything was started.
        if (recorded === undefined && Exit.isInterrupted(exit)) yield* cancel(undefined)
        return yield* Effect.failCause(exit.cause)
      })
    )
  )

const begin = Effect.fnUntraced(function* (
  { runIds }: Services,
  button: Button,
  request: PressRequest,
  args: PressArguments.Encoded
) {
  const run: PressResult.Run = {
    button: button.slug,
    runId: yield* runIds.next,
    startedAtMillis: yield* Clock.currentTimeMillis,
    caller: request.caller,
    args: args.texts
  }
  return run
})

/** A run that cannot be recorded is still answered; the answer says so. */
const record = ({ history }: Services, result: PressResult.PressResult) =>
  Effect.matchEffect(history.record(result.button, PressResult.toRecord(result)), {
    onSuccess: () => Effect.succeed(result),
    onFailure: (error) =>
      Effect.as(Effect.logWarning(toFailure(error).message), { ...result, recorded: false })
  })
