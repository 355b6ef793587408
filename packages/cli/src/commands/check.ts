/** `pushbutton check` */
import * as Command from "@effect/cli/Command"
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import * as Problem from "@pushbutton/buttons/ButtonProblem"
import * as Printable from "@pushbutton/buttons/Printable"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Output from "../Output.js"
import * as Served from "../Served.js"
import { Failed } from "./Failed.js"
import { definitions, dir, json } from "./options.js"
import { served } from "./served.js"

export const check = Command.make("check", { dir, definitions, json }, (options) =>
  Effect.gen(function* () {
    const what = yield* served(options)
    const { buttons, problems } = yield* Effect.provide(
      Effect.flatMap(ButtonCatalogue, (catalogue) => catalogue.list),
      Served.layerAtRest(what)
    )
    const errors = problems.filter(({ severity }) => severity === "error").length
    const counts = { buttons: buttons.length, errors, warnings: problems.length - errors }
    if (options.json) {
      yield* Output.data({ folder: what.dataDir.buttons, ...counts, problems })
    } else {
      yield* Effect.forEach(problems, (problem) =>
        Console.log(`${problem.severity}: ${Problem.format(problem)}`)
      )
      yield* Console.log(
        `${Printable.line(what.dataDir.buttons)}: ${counts.buttons} usable, ${counts.errors} errors, ${counts.warnings} warnings`
      )
    }
    if (errors > 0) return yield* new Failed({ message: "" })
  })
).pipe(Command.withDescription("Reads a folder of buttons and reports every problem with its file and line."))
