/** Options that several commands share. */
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"

export const dir = Options.text("dir").pipe(
  Options.withPseudoName("folder"),
  Options.withDescription(
    "A data folder with `buttons` in it, or a folder of button folders. Left out: BUTTONS_HOME, else the nearest .buttons of this or an upper folder, else ~/.buttons."
  ),
  Options.optional,
  Options.map(Option.getOrUndefined)
)

export const definitions = Options.text("definitions").pipe(
  Options.withPseudoName("file"),
  Options.withDescription(
    "A file in YAML or JSON with buttons, resources and prompts beside those of the folder."
  ),
  Options.optional,
  Options.map(Option.getOrUndefined)
)

export const json = Options.boolean("json").pipe(Options.withDescription("Print one JSON document."))

export const graceSeconds = (seconds: number) =>
  Options.float("grace").pipe(
    Options.withPseudoName("seconds"),
    Options.withDescription(
      `How long running requests may take to end at shutdown. ${seconds} when left out.`
    ),
    Options.filterMap(
      (value) => (value >= 0 && Number.isFinite(value) ? Option.some(value) : Option.none()),
      "--grace takes 0 or more seconds"
    ),
    Options.withDefault(seconds)
  )
