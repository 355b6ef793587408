/** `pushbutton check` */
import * as Command from "@effect/cli/Command"
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import * as Problem from "@pushbutton/buttons/ButtonProblem"
import * as Printable from "@pushbutton/buttons/Printable"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Buttons from "../Buttons.js"
import * as Output from "../Output.js"
import { Failed } from "./Failed.js"
import { folder } from "./folder.js"
import { dir, json } from "./options.js"

export const check = Command.make("check", { dir, json }, (options) =>
  Effect.gen(function* () {
    const dataDir = yield* folder(options)
    const { buttons, problems } = yield* Effect.provide(
      Effect.flatMap(ButtonCatalogue, (catalogue) => catalogue.list),
      Buttons.layer(dataDir)
    )
    const errors = problems.filter(({ severity }) => severity === "error").length
    const counts = { buttons: buttons.length, errors, warnings: problems.length - errors }
    if (options.json) {
      yield* Output.data({ folder: dataDir.buttons, ...counts, problems })
    } else {
      yield* Effect.forEach(problems, (problem) =>
        Console.log(`${problem.severity}: ${Problem.format(problem)}`)
      )
      yield* Console.log(
        `${Printable.line(dataDir.buttons)}: ${counts.buttons} usable, ${counts.errors} errors, ${counts.warnings} warnings`
      )
    }
    if (errors > 0) return yield* new Failed({ message: "" })
  })
).pipe(Command.withDescription("Reads a folder of buttons and reports every problem with its file and line."))
