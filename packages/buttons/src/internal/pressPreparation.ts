/** From a button and a request to something that can be carried out: all that can be refused is refused here. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Effect from "effect/Effect"
import type { Button } from "../Button.js"
import type { ButtonCatalogue } from "../ButtonCatalogue.js"
import { CodeFileMissing } from "../ButtonError.js"
import * as Environment from "../Environment.js"
import * as PressArguments from "../PressArguments.js"
import type { PressHistory } from "../PressHistory.js"
import * as PressProgress from "../PressProgress.js"
import * as PressResult from "../PressResult.js"
import { defaultOutputLimitBytes, type PressRunner } from "../PressRunner.js"
import * as PressTimeout from "../PressTimeout.js"
import * as Runtime from "../Runtime.js"
import * as Files from "./buttonFiles.js"
import * as Recording from "./pressRecording.js"

export interface Services extends Recording.Services {
  readonly catalogue: Pick<ButtonCatalogue["Type"], "note">
  readonly interpreters: Runtime.Interpreters["Type"]
  readonly runner: PressRunner["Type"]
  readonly history: PressHistory["Type"]
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string | undefined
  readonly outputLimitBytes?: number | undefined
}

export interface Request {
  readonly args: JsonObject
  readonly timeoutSeconds?: number | undefined
  readonly limitSeconds?: number | undefined
  readonly caller: PressResult.Caller
  readonly onProgress?: ((update: PressProgress.Update) => Effect.Effect<void>) | undefined
}

export interface Prepared {
  /** Texts by argument name. */
  readonly args: PressResult.Run["args"]
  /** Runs it, records it and gives its result. */
  readonly carryOut: (run: PressResult.Run) => Effect.Effect<PressResult.PressResult>
}

export const prepare = (services: Services, surroundings: Surroundings, button: Button, request: Request) =>
  button.runtime === "prompt"
    ? preparePrompt(services, button, request)
    : prepareCode(services, surroundings, button, button.runtime, request)

const preparePrompt = Effect.fnUntraced(function* (services: Services, button: Button, request: Request) {
  // Nothing is started, so nothing limits the size of an argument.
  const { texts } = yield* PressArguments.encode(button.args, request.args, Number.POSITIVE_INFINITY)
  const note = yield* services.catalogue.note(button)
  const prepared: Prepared = {
    args: texts,
    carryOut: (run) => Recording.record(services, PressResult.fromPrompt(run, note))
  }
  return prepared
})

const prepareCode = Effect.fnUntraced(function* (
  services: Services,
  surroundings: Surroundings,
  button: Button,
  runtime: Runtime.CodeRuntime,
  request: Request
) {
  const args = yield* PressArguments.encode(button.args, request.args)
  const command = yield* services.interpreters.find(runtime)
  const program = Files.program(button, runtime)
  if (program === undefined) {
    const file = `${button.relativeDirectory}/${Runtime.codeFile[runtime]}`
    return yield* new CodeFileMissing({ slug: button.slug, file })
  }
  const seconds = PressTimeout.timeoutSeconds(
    request.timeoutSeconds,
    button.timeoutSeconds,
    request.caller,
    request.limitSeconds
  )
  const specOf: Recording.SpecOf = (progressPath, ends) => ({
    command,
    args: program,
    cwd: surroundings.workingDirectory,
    env: Environment.make({
      server: surroundings.environment,
      button: button.env,
      args: args.env,
      progressPath
    }),
    timeoutMillis: seconds * 1_000,
    outputLimitBytes: surroundings.outputLimitBytes ?? defaultOutputLimitBytes,
    progressPath,
    onProgressLine: request.onProgress && onLine(request.onProgress),
    ...ends
  })
  const prepared: Prepared = {
    args: args.texts,
    carryOut: (run) => Recording.runRecorded(services, run, specOf, seconds)
  }
  return prepared
})

const onLine = (onProgress: (update: PressProgress.Update) => Effect.Effect<void>) => (line: string) => {
  const update = PressProgress.decodeLine(line)
  return update === undefined ? Effect.void : onProgress(update)
}
