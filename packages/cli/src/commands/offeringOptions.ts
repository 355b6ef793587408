/** The options that say how buttons are offered. */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Offering, parseCount, parseSeconds } from "../Offering.js"
import { Failed } from "./Failed.js"

/** A number that may be left out. */
const limit = <A>(
  name: string,
  unit: string,
  description: string,
  parse: (text: string) => A | undefined,
  rule: string
): Options.Options<A | undefined> =>
  Options.text(name).pipe(
    Options.withPseudoName(unit),
    Options.withDescription(description),
    Options.filterMap((text) => Option.fromNullable(parse(text)), `--${name} takes ${rule}`),
    Options.optional,
    Options.map(Option.getOrUndefined)
  )

const mode = Options.choice("mode", ["meta", "tools"]).pipe(
  Options.withDescription(
    "What clients get: `meta`, the tools buttons_list, buttons_press and buttons_inspect for all buttons alike, or `tools`, a tool for each button. meta when left out."
  ),
  Options.withDefault("meta" as const)
)

const allowCreate = Options.boolean("allow-create").pipe(
  Options.withDescription(
    "Let agents make new buttons, which nobody but a person can enable: pushbutton enable NAME."
  )
)

const enableCreated = Options.boolean("enable-created").pipe(
  Options.withDescription("With --allow-create: agents can press at once what they have made.")
)

const countRule = "a whole number above 0"

const rate = limit(
  "rate",
  "presses",
  "How often an agent may press one button in a minute. 10 when left out.",
  parseCount,
  countRule
)

const maxPresses = limit(
  "max-presses",
  "presses",
  "How many presses may run at the same time. 32 when left out.",
  parseCount,
  countRule
)

const taskAfterSeconds = limit(
  "task-after",
  "seconds",
  "When a press becomes a task, for clients that can follow one. 10 when left out.",
  parseSeconds,
  "0 or more seconds"
)

export const offering = { mode, allowCreate, enableCreated, rate, maxPresses, taskAfterSeconds }

export const checked = ({ allowCreate, enableCreated }: Offering): Effect.Effect<void, Failed> =>
  enableCreated && !allowCreate
    ? new Failed({ message: "--enable-created goes with --allow-create" })
    : Effect.void
