/** `pushbutton history` */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import { toFailure } from "@pushbutton/buttons/ButtonError"
import { PressHistory } from "@pushbutton/buttons/PressHistory"
import { newestFirst, type PressRecord } from "@pushbutton/buttons/PressRecord"
import * as Printable from "@pushbutton/buttons/Printable"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ButtonSource from "../ButtonSource.js"
import * as Output from "../Output.js"
import { refuse } from "./Failed.js"
import { definitions, dir, json } from "./options.js"
import { sourceOf } from "./sourceOf.js"

const name = Args.text({ name: "NAME" }).pipe(
  Args.withDescription("The button. Left out: all of them."),
  Args.optional
)

const limit = Options.integer("limit").pipe(
  Options.withPseudoName("runs"),
  Options.withDescription("How many runs to show, the newest first. 20 when left out."),
  Options.filterMap(
    (value) => (value > 0 ? Option.some(value) : Option.none()),
    "--limit takes a number above 0"
  ),
  Options.withDefault(20)
)

export const history = Command.make("history", { name, limit, dir, definitions, json }, (options) =>
  Effect.gen(function* () {
    const source = yield* sourceOf(options)
    const runs = yield* Effect.provide(
      recent(options.name, options.limit),
      ButtonSource.layerAtRest(source)
    ).pipe(Effect.catchAll((error) => refuse(toFailure(error), options.json)))
    yield* options.json ? Output.data({ runs }) : Console.log(table(runs))
  })
).pipe(Command.withDescription("Shows how the last presses ended. --json has their output, too."))

const recent = (named: Option.Option<string>, count: number) =>
  Effect.gen(function* () {
    const kept = yield* PressHistory
    const runs = yield* Effect.forEach(yield* slugs(named), (slug) => kept.recent(slug, count))
    return newestFirst(runs.flat(), yield* Clock.currentTimeMillis).slice(0, count)
  })

/** A button that is broken has a history all the same. */
const slugs = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const catalogue = yield* ButtonCatalogue
  if (Option.isSome(named)) {
    const { slug } = yield* Effect.catchTag(catalogue.get(named.value), "ButtonBroken", Effect.succeed)
    return [slug]
  }
  const { buttons, problems } = yield* catalogue.list
  return [...new Set([...buttons, ...problems].map(({ slug }) => slug))].filter((slug) => slug !== "")
})

const table = (runs: ReadonlyArray<PressRecord>): string => {
  if (runs.length === 0) return "Nothing was pressed yet"
  const width = Math.max(...runs.map(({ button_name }) => button_name.length))
  return runs
    .map((run) =>
      Printable.line([run.started_at, run.button_name.padEnd(width), ending(run), ...given(run)].join("  "))
    )
    .join("\n")
}

const ending = (run: PressRecord): string =>
  [
    run.status.padEnd(7),
    (run.reason ?? run.error_type ?? "").padEnd(11),
    String(run.exit_code).padStart(3),
    `${(run.duration_ms / 1_000).toFixed(1)} s`.padStart(8)
  ].join("  ")

const shownLength = 40

const given = ({ args = {} }: PressRecord): ReadonlyArray<string> =>
  Object.entries(args).map(([key, value]) =>
    value.length > shownLength ? `${key}=${value.slice(0, shownLength)}…` : `${key}=${value}`
  )
