/** `pushbutton list` */
import * as Command from "@effect/cli/Command"
import type { Button } from "@pushbutton/buttons/Button"
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Buttons from "../Buttons.js"
import * as Output from "../Output.js"
import { dir, json } from "./options.js"

export const list = Command.make("list", { dir, json }, (options) =>
  Effect.gen(function* () {
    const dataDir = yield* Buttons.dataDir(options.dir)
    const listing = yield* Effect.provide(
      Effect.flatMap(ButtonCatalogue, (catalogue) => catalogue.list),
      Buttons.layer(dataDir)
    )
    if (options.json)
      return yield* Output.data({ folder: dataDir.buttons, buttons: listing.buttons.map(row) })
    yield* Console.log(table(dataDir.buttons, listing.buttons))
    const { length } = listing.problems
    if (length > 0)
      yield* Console.error(`${length} problem${length === 1 ? "" : "s"}: see \`pushbutton check\``)
  })
).pipe(Command.withDescription("Lists the buttons of a folder. A * marks those that clients see."))

const row = ({ args, description, mcpEnabled, runtime, slug, tags, timeoutSeconds }: Button) => ({
  name: slug,
  description,
  runtime,
  args,
  tags,
  mcp_enabled: mcpEnabled,
  timeout_seconds: timeoutSeconds ?? null
})

const table = (folder: string, buttons: ReadonlyArray<Button>): string => {
  if (buttons.length === 0) return `There are no buttons in ${folder}`
  const width = Math.max(...buttons.map(({ slug }) => slug.length))
  return buttons
    .map(({ args, description, mcpEnabled, slug }) =>
      [`${mcpEnabled ? "*" : " "} ${slug.padEnd(width)}`, ...usage(args), description].join("  ").trimEnd()
    )
    .join("\n")
}

const usage = (args: Button["args"]): ReadonlyArray<string> =>
  args.length === 0
    ? []
    : [args.map(({ name, required }) => (required ? `${name}=` : `[${name}=]`)).join(" ")]
