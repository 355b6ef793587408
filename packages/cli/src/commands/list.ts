/** `pushbutton list` */
import { basename } from "node:path"
import * as Command from "@effect/cli/Command"
import type { Button } from "@pushbutton/buttons/Button"
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import type { ButtonProblem } from "@pushbutton/buttons/ButtonProblem"
import * as Printable from "@pushbutton/buttons/Printable"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as ButtonSource from "../ButtonSource.js"
import * as Counts from "../Counts.js"
import * as Output from "../Output.js"
import { refuse } from "./Failed.js"
import { definitions, dir, json } from "./options.js"
import { sourceOf } from "./sourceOf.js"

export const list = Command.make("list", { dir, definitions, json }, (options) =>
  Effect.gen(function* () {
    const source = yield* sourceOf(options)
    const listing = yield* Effect.provide(
      Effect.flatMap(ButtonCatalogue, (catalogue) => catalogue.list),
      ButtonSource.layerAtRest(source)
    )
    const obstacle = obstacleOf(listing.problems, source)
    if (obstacle !== undefined)
      return yield* refuse({ code: "STORAGE_ERROR", message: Printable.line(obstacle) }, options.json)
    if (options.json)
      return yield* Output.data({ folder: source.dataDir.buttons, buttons: listing.buttons.map(row) })
    yield* Console.log(table(source.dataDir.buttons, listing.buttons))
    const { length } = listing.problems
    if (length > 0) yield* Console.error(`${Counts.of(length, "problem")}: see \`pushbutton check\``)
  })
).pipe(Command.withDescription("Lists the buttons of a folder. A * marks those that clients see."))

/** Why the folder, or the definitions file, cannot be read as a whole. */
const obstacleOf = (
  problems: ReadonlyArray<ButtonProblem>,
  { dataDir, definitions }: ButtonSource.ButtonSource
): string | undefined => {
  const errors = problems.filter(({ severity }) => severity === "error")
  const ofFolder = errors.find(({ slug }) => slug === "")
  if (ofFolder !== undefined) return `${dataDir.buttons}: ${ofFolder.message}`
  if (definitions === undefined) return undefined
  const name = basename(definitions)
  const ofFile = errors.find(({ line, slug }) => slug === name && line === undefined)
  return ofFile && `${definitions}: ${ofFile.message}`
}

const row = ({ args, description, mcpEnabled, runtime, slug, tags, timeoutSeconds }: Button) => ({
  name: slug,
  description,
  runtime,
  args,
  tags,
  mcp_enabled: mcpEnabled,
  timeout_seconds: timeoutSeconds ?? null
})

const table = (folderPath: string, buttons: ReadonlyArray<Button>): string => {
  if (buttons.length === 0) return `There are no buttons in ${Printable.line(folderPath)}`
  const width = Math.max(...buttons.map(({ slug }) => slug.length))
  return buttons
    .map(({ args, description, mcpEnabled, slug }) =>
      Printable.line(
        [`${mcpEnabled ? "*" : " "} ${slug.padEnd(width)}`, ...usage(args), description.trim()].join("  ")
      ).trimEnd()
    )
    .join("\n")
}

const usage = (args: Button["args"]): ReadonlyArray<string> =>
  args.length === 0
    ? []
    : [args.map(({ name, required }) => (required ? `${name}=` : `[${name}=]`)).join(" ")]
