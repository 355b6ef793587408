/**
 * Pressing a button, for every surface alike: find, check who may see it, check the arguments, wait for others, run,
 * record, answer.
 * Interrupting a press ends what it started, and leaves a record that says so.
 */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { Batteries } from "./Batteries.js"
import type { Button } from "./Button.js"
import * as ButtonCatalogue from "./ButtonCatalogue.js"
import type {
  BatteriesUnreadable,
  BatteryMissing,
  CodeFileMissing,
  PressArgumentInvalid,
  PromptUnreadable,
  RuntimeMissing
} from "./ButtonError.js"
import { HttpRunner } from "./http/HttpRunner.js"
import * as HostFacts from "./internal/hostFacts.js"
import { guarded } from "./internal/pressGuards.js"
import * as Preparation from "./internal/pressPreparation.js"
import { PressHistory } from "./PressHistory.js"
import { PressJournal } from "./PressJournal.js"
import { PressKeys } from "./PressKeys.js"
import type * as PressProgress from "./PressProgress.js"
import { PressQueues } from "./PressQueues.js"
import { PressRates } from "./PressRates.js"
import type { PressRefused } from "./PressRefused.js"
import type * as PressResult from "./PressResult.js"
import { PressRunner } from "./PressRunner.js"
import { PressSlots } from "./PressSlots.js"
import { RunIds } from "./RunIds.js"
import * as Runtime from "./Runtime.js"

export interface PressRequest {
  /** Any spelling that slugifies to the button's name. */
  readonly name: string
  readonly args: JsonObject
  /** Above 0 it replaces the button's own. */
  readonly timeoutSeconds?: number | undefined
  /** The most that it may run. When left out, 120 over MCP, and elsewhere without limit. */
  readonly limitSeconds?: number | undefined
  /** The most that it may run while somebody waits for it, where that may change. */
  readonly patience?: Preparation.Patience | undefined
  /** The button of that name, where the caller has found it just now, as it may be seen. */
  readonly found?: Button | undefined
  readonly caller: PressResult.Caller
  /** Who presses, where that is known: presses are counted for each. */
  readonly principal?: string | undefined
  /** Under one key of a principal the button is started once: see `PressKeys`. */
  readonly idempotencyKey?: string | undefined
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
  | BatteryMissing
  | BatteriesUnreadable
  | PressRefused

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

export const make = (options: Options) =>
  Effect.gen(function* () {
    const catalogue = yield* ButtonCatalogue.ButtonCatalogue
    const runIds = yield* RunIds
    const services: Preparation.Services = {
      catalogue,
      interpreters: yield* Runtime.Interpreters,
      runner: yield* PressRunner,
      http: yield* HttpRunner,
      batteries: yield* Batteries,
      history: yield* PressHistory,
      journal: yield* PressJournal
    }
    const keys = yield* PressKeys
    const guards = { rates: yield* PressRates, queues: yield* PressQueues, slots: yield* PressSlots }
    const begin = Effect.fnUntraced(function* (
      button: Button,
      request: PressRequest,
      args: PressResult.Run["args"]
    ) {
      const run: PressResult.Run = {
        button: button.slug,
        runId: yield* runIds.next,
        startedAtMillis: yield* Clock.currentTimeMillis,
        caller: request.caller,
        args,
        ...(button.origin === undefined ? {} : { origin: button.origin })
      }
      return run
    })
    const press = Effect.fnUntraced(function* (request: PressRequest) {
      const button =
        request.found ?? (yield* ButtonCatalogue.getVisible(catalogue, request.name, request.caller))
      const prepared = yield* Preparation.prepare(services, options, button, request)
      const attempt = <E>(take: Effect.Effect<void, E>) =>
        Effect.zipRight(take, begin(button, request, prepared.toldArgs)).pipe(
          Effect.flatMap(prepared.carryOut),
          guarded(guards, button, prepared.args, request)
        )
      const { idempotencyKey: key, principal } = request
      return yield* key === undefined
        ? attempt(Effect.void)
        : keys.once({ key, principal, slug: button.slug, args: prepared.args }, attempt)
    })
    return Press.of({ press: (request) => spanned("Press.press", press(request)) })
  })

/** A span within that of the caller; without one nobody traces. */
const spanned = <A, E>(name: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.contextWithEffect((context) =>
    Option.isSome(Context.getOption(context, Tracer.ParentSpan)) ? Effect.withSpan(effect, name) : effect
  )

type Dependencies =
  | ButtonCatalogue.ButtonCatalogue
  | Runtime.Interpreters
  | PressRunner
  | HttpRunner
  | Batteries
  | PressHistory
  | PressJournal
  | PressKeys
  | PressRates
  | PressQueues
  | PressSlots
  | RunIds

export const layer = (options: Options): Layer.Layer<Press, never, Dependencies> =>
  Layer.effect(Press, make(options))

export interface ProcessOptions {
  /** The server's own when left out; what is relative is relative to that. */
  readonly workingDirectory?: string | undefined
  readonly outputLimitBytes?: number | undefined
}

/** What this process has to give: its environment and its working directory, as they are when it is made. */
export const makeProcess = (options: ProcessOptions = {}) =>
  Effect.flatMap(HostFacts.surroundings(options), (surroundings) => make({ ...options, ...surroundings }))
