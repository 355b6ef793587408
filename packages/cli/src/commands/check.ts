/** `pushbutton check` */
import * as Command from "@effect/cli/Command"
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import * as Problem from "@pushbutton/buttons/ButtonProblem"
import { Definitions } from "@pushbutton/buttons/definitions/Definitions"
import * as Printable from "@pushbutton/buttons/Printable"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as ButtonSource from "../ButtonSource.js"
import * as Counts from "../Counts.js"
import * as Output from "../Output.js"
import { Failed } from "./Failed.js"
import { definitions, dir, json } from "./options.js"
import { sourceOf } from "./sourceOf.js"

export const check = Command.make("check", { dir, definitions, json }, (options) =>
  Effect.gen(function* () {
    const source = yield* sourceOf(options)
    const [{ buttons, problems }, { defined }] = yield* Effect.provide(
      Effect.all([
        Effect.flatMap(ButtonCatalogue, (catalogue) => catalogue.list),
        Effect.flatMap(Definitions, (definitions) => definitions.current)
      ]),
      ButtonSource.layerAtRest(source)
    )
    const errors = problems.filter(({ severity }) => severity === "error").length
    const counts = { buttons: buttons.length, errors, warnings: problems.length - errors }
    if (options.json) {
      yield* Output.data({ folder: source.dataDir.buttons, ...counts, problems })
    } else {
      yield* Effect.forEach(problems, (problem) =>
        Console.log(`${problem.severity}: ${Problem.format(problem)}`)
      )
      const places = [source.dataDir.buttons, source.definitions].filter((place) => place !== undefined)
      const found = `${counts.buttons} usable, ${Counts.of(errors, "error")}, ${Counts.of(counts.warnings, "warning")}`
      yield* Console.log(`${Printable.line(places.join(" and "))}: ${found}`)
      const inFile = Counts.defined(defined)
      if (inFile !== undefined) yield* Console.log(Printable.line(`${source.definitions} has ${inFile}`))
    }
    if (errors > 0) return yield* new Failed({ message: "" })
  })
).pipe(
  Command.withDescription(
    "Reads a folder of buttons, and a definitions file, and reports every problem with its file and line."
  )
)
