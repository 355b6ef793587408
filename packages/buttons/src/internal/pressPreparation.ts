/** From a button and a request to something that can be carried out: all that can be refused is refused here. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Batteries from "../Batteries.js"
import type { Button } from "../Button.js"
import type { ButtonCatalogue } from "../ButtonCatalogue.js"
import { CodeFileMissing } from "../ButtonError.js"
import * as Environment from "../Environment.js"
import type { HttpDefinition } from "../http/HttpDefinition.js"
import type { HttpOutcome, HttpRunner } from "../http/HttpRunner.js"
import * as HttpRequests from "../http/requests.js"
import * as PressArguments from "../PressArguments.js"
import type { PressHistory } from "../PressHistory.js"
import type { Note, PressJournal } from "../PressJournal.js"
import * as PressProgress from "../PressProgress.js"
import * as PressResult from "../PressResult.js"
import {
  defaultOutputLimitBytes,
  type PressOutcome,
  type PressRunner,
  type PressSpec
} from "../PressRunner.js"
import * as PressTimeout from "../PressTimeout.js"
import * as Redaction from "../Redaction.js"
import * as Runtime from "../Runtime.js"
import * as Files from "./buttonFiles.js"
import * as Recording from "./pressRecording.js"
import * as ProgressCleaning from "./progressCleaning.js"
import type { TimeLimit } from "./timeLimit.js"

export interface Services {
  readonly catalogue: Pick<ButtonCatalogue["Type"], "note">
  readonly interpreters: Runtime.Interpreters["Type"]
  readonly runner: PressRunner["Type"]
  readonly http: HttpRunner["Type"]
  readonly batteries: Batteries.Batteries["Type"]
  readonly history: PressHistory["Type"]
  readonly journal: PressJournal["Type"]
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string | undefined
  readonly outputLimitBytes?: number | undefined
}

export interface Patience {
  readonly seconds: number
  /** Asked once, when this time is over. */
  readonly isWaitedFor: Effect.Effect<boolean>
}

export interface Request {
  readonly args: JsonObject
  readonly timeoutSeconds?: number | undefined
  readonly limitSeconds?: number | undefined
  readonly patience?: Patience | undefined
  readonly caller: PressResult.Caller
  readonly onProgress?: ((update: PressProgress.Update) => Effect.Effect<void>) | undefined
}

export interface Prepared {
  /** Texts by argument name. */
  readonly args: PressResult.Run["args"]
  /** The same without secrets. */
  readonly toldArgs: PressResult.Run["args"]
  /** Runs it, records it and gives its result. It is over when the scope closes. */
  readonly carryOut: (run: PressResult.Run) => Effect.Effect<PressResult.PressResult, never, Scope.Scope>
}

/** What a button is given besides its arguments, and what it must not say. */
interface Charge {
  /** By variable name. */
  readonly batteries: Readonly<Record<string, string>>
  readonly redaction: Redaction.Redaction
}

export const prepare = Effect.fnUntraced(function* (
  services: Services,
  surroundings: Surroundings,
  button: Button,
  request: Request
) {
  const charged = yield* services.batteries.read
  const charge: Charge = {
    batteries: yield* Batteries.variables(button, charged),
    redaction: Redaction.ofButton(button, charged.values)
  }
  if (button.http !== undefined) return yield* prepareHttp(services, charge, button, button.http, request)
  return yield* Runtime.isCode(button.runtime)
    ? prepareCode(services, surroundings, charge, button, button.runtime, request)
    : preparePrompt(services, charge, button, request)
})

/** What may be told of a press that is given these arguments. */
const tellable = ({ redaction }: Charge, { args }: Button, texts: PressResult.Run["args"]) => ({
  redaction: Redaction.ofPress(redaction, args, texts),
  toldArgs: Redaction.argsOfPress(args, texts)
})

/** What starts no process sets no limit to the size of an argument. */
const unlimited = Number.POSITIVE_INFINITY

const preparePrompt = Effect.fnUntraced(function* (
  { catalogue, history }: Services,
  charge: Charge,
  button: Button,
  request: Request
) {
  const { texts } = yield* PressArguments.encode(button.args, request.args, unlimited)
  const { redaction, toldArgs } = tellable(charge, button, texts)
  const note = yield* catalogue.note(button)
  const prepared: Prepared = {
    args: texts,
    toldArgs,
    carryOut: (run) => Recording.record({ history, redaction }, PressResult.fromPrompt(run, note))
  }
  return prepared
})

const prepareHttp = Effect.fnUntraced(function* (
  { history, http, journal }: Services,
  charge: Charge,
  button: Button,
  definition: HttpDefinition,
  request: Request
) {
  const { texts } = yield* PressArguments.encode(button.args, request.args, unlimited)
  const { redaction, toldArgs } = tellable(charge, button, texts)
  const filled = yield* HttpRequests.make(definition, texts)
  const time = timeOf(button, request)
  const prepared: Prepared = {
    args: texts,
    toldArgs,
    carryOut: (run) =>
      Recording.runRecorded<HttpOutcome, Note>({ history, redaction }, run, {
        open: Effect.tap(noted(journal, run, redaction), (note) => note.starting()),
        start: (_, ends) =>
          http.run({
            request: filled,
            maxResponseBytes: definition.maxResponseBytes,
            wantsPrivateNetworks: definition.allowPrivateNetworks,
            ...time.limit,
            ...ends
          }),
        resultOf: (outcome) => PressResult.fromHttp(run, outcome, time.allowed(outcome))
      })
  }
  return prepared
})

const prepareCode = Effect.fnUntraced(function* (
  services: Services,
  surroundings: Surroundings,
  charge: Charge,
  button: Button,
  runtime: Runtime.CodeRuntime,
  request: Request
) {
  const args = yield* PressArguments.encode(button.args, request.args)
  const { redaction, toldArgs } = tellable(charge, button, args.texts)
  const command = yield* services.interpreters.find(runtime)
  const program = Files.program(button, runtime)
  if (program === undefined) {
    const file = `${button.relativeDirectory}/${Runtime.codeFile[runtime]}`
    return yield* new CodeFileMissing({ slug: button.slug, file })
  }
  const time = timeOf(button, request)
  const specOf = ({ note, progressPath }: Opened, ends: Recording.Ends<PressOutcome>): PressSpec => ({
    command,
    args: program,
    cwd: surroundings.workingDirectory,
    env: Environment.make({
      server: surroundings.environment,
      batteries: charge.batteries,
      button: button.env,
      args: args.env,
      progressPath
    }),
    ...time.limit,
    outputLimitBytes: surroundings.outputLimitBytes ?? defaultOutputLimitBytes,
    progressPath,
    onProgressLine: request.onProgress && onLine(request.onProgress, redaction),
    onStarting: note.starting,
    onStarted: note.started,
    ...ends
  })
  const { history, journal, runner } = services
  const prepared: Prepared = {
    args: args.texts,
    toldArgs,
    carryOut: (run) =>
      Recording.runRecorded<PressOutcome, Opened>({ history, redaction }, run, {
        open: Effect.all({
          // The note goes last: until the run is recorded, it says that the run is not.
          note: noted(journal, run, redaction),
          progressPath: Effect.tap(
            history.openProgress(run.button, PressResult.startedAt(run), run.runId, run.origin),
            (path) => ProgressCleaning.atEnd(path, redaction)
          )
        }),
        start: (opened, ends) => runner.run(specOf(opened, ends)),
        resultOf: (outcome) => PressResult.fromOutcome(run, outcome, time.allowed(outcome))
      })
  }
  return prepared
})

/** Secrets are in no note. */
const noted = (journal: PressJournal["Type"], run: PressResult.Run, redaction: Redaction.Redaction) =>
  journal.open({ ...run, args: Redaction.args(redaction, run.args) })

/** What is there for a script while it runs. */
interface Opened {
  readonly note: Note
  readonly progressPath: string | undefined
}

const timeOf = (button: Button, { caller, limitSeconds, patience, timeoutSeconds }: Request) => {
  const seconds = PressTimeout.timeoutSeconds(timeoutSeconds, button.timeoutSeconds, caller, limitSeconds)
  const limit: TimeLimit = {
    timeoutMillis: seconds * 1_000,
    timeIsUp:
      patience !== undefined && patience.seconds < seconds
        ? Effect.delay(
            Effect.flatMap(patience.isWaitedFor, (isWaitedFor) => (isWaitedFor ? Effect.void : Effect.never)),
            patience.seconds * 1_000
          )
        : undefined
  }
  return {
    limit,
    /** What it was given in the end. */
    allowed: ({ durationMillis, reason }: Pick<PressOutcome | HttpOutcome, "reason" | "durationMillis">) =>
      patience !== undefined && reason === "timed-out" && durationMillis < seconds * 1_000
        ? patience.seconds
        : seconds
  }
}

const onLine =
  (onProgress: (update: PressProgress.Update) => Effect.Effect<void>, redaction: Redaction.Redaction) =>
  (line: string) => {
    const update = PressProgress.decodeLine(line, (message) => redaction.text(message))
    return update === undefined ? Effect.void : onProgress(update)
  }
