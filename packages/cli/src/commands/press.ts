/** `pushbutton press` */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { toFailure } from "@pushbutton/buttons/ButtonError"
import { Press } from "@pushbutton/buttons/Press"
import { isKey, maxKeyLength } from "@pushbutton/buttons/PressKeys"
import * as PressResult from "@pushbutton/buttons/PressResult"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ButtonSource from "../ButtonSource.js"
import * as Buttons from "../Buttons.js"
import * as Output from "../Output.js"
import { Failed, refuse } from "./Failed.js"
import { definitions, dir, json } from "./options.js"
import { sourceOf } from "./sourceOf.js"

const name = Args.text({ name: "NAME" }).pipe(Args.withDescription("The button to press."))

const arg = Options.text("arg").pipe(
  Options.withAlias("a"),
  Options.withPseudoName("key=value"),
  Options.withDescription("An argument of the button. May be given several times."),
  Options.repeated
)

const timeout = Options.float("timeout").pipe(
  Options.withPseudoName("seconds"),
  Options.withDescription("Stops the button after this time instead of its own."),
  Options.filterMap(
    (value) => (value > 0 ? Option.some(value) : Option.none()),
    "--timeout takes more than 0 seconds"
  ),
  Options.optional
)

const idempotencyKey = Options.text("idempotency-key").pipe(
  Options.withPseudoName("key"),
  Options.withDescription(
    "Starts the button once for all presses with this key and the same arguments; the others get the first result."
  ),
  Options.filterMap(
    (key) => (isKey(key) ? Option.some(key) : Option.none()),
    `--idempotency-key takes 1 to ${maxKeyLength} characters`
  ),
  Options.optional
)

const words = { name, arg, timeout, idempotencyKey, dir, definitions, json }

export const press = Command.make("press", words, (options) =>
  Effect.gen(function* () {
    const args = yield* parseArguments(options.arg)
    const source = yield* sourceOf(options)
    const result = yield* Effect.provide(
      Effect.flatMap(Effect.zipRight(Buttons.logDefinitions, Press), (service) =>
        service.press({
          name: options.name,
          args,
          timeoutSeconds: Option.getOrUndefined(options.timeout),
          idempotencyKey: Option.getOrUndefined(options.idempotencyKey),
          caller: "cli"
        })
      ),
      ButtonSource.layer(source)
    ).pipe(Effect.catchAll((error) => refuse(toFailure(error), options.json)))
    yield* options.json ? Output.data(documentOf(result)) : show(result)
    if (result.status !== "ok")
      return yield* new Failed({ message: options.json ? "" : PressResult.describe(result) })
  })
).pipe(Command.withDescription("Presses a button here and now, whether clients see it or not."))

const parseArguments = (texts: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(texts, (text) => {
      const equals = text.indexOf("=")
      return equals > 0
        ? Effect.succeed([text.slice(0, equals), text.slice(equals + 1)] as const)
        : new Failed({ message: `--arg ${text}: write it as key=value` })
    }),
    (entries) => Object.fromEntries(entries)
  )

const documentOf = (result: PressResult.PressResult) => ({
  ...PressResult.toRecord(result),
  ...(result.recorded ? {} : { recorded: false }),
  ...(result.replayed ? { replayed: true } : {})
})

/** The button's own output goes where the button sent it; what is said after it begins a line. */
const show = ({ stderr, stdout }: PressResult.PressResult) =>
  Effect.sync(() => {
    process.stdout.write(stdout)
    process.stderr.write(stderr === "" || stderr.endsWith("\n") ? stderr : `${stderr}\n`)
  })
