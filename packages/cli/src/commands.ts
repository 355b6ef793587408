/** Every command behind `pushbutton`, with its help. A serving command is read here and started by its own entry. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as StderrLogger from "@pushbutton/stdio/StderrLogger"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { check } from "./commands/check.js"
import { connect } from "./commands/connect.js"
import { create } from "./commands/create.js"
import { disable, enable } from "./commands/enable.js"
import { Failed } from "./commands/Failed.js"
import { history } from "./commands/history.js"
import { list } from "./commands/list.js"
import { press } from "./commands/press.js"
import { schema } from "./commands/schema.js"
import { Handover, http, type Successor, stdio } from "./commands/serve.js"
import * as Help from "./Help.js"
import { runMain } from "./runMain.js"
import { version } from "./Version.js"

const pushbutton = Command.make("pushbutton").pipe(
  Command.withDescription(
    "Vetted actions for agents: serve a folder of buttons over the Model Context Protocol."
  ),
  Command.withSubcommands([
    stdio,
    http,
    list,
    press,
    history,
    check,
    create,
    enable,
    disable,
    schema,
    connect
  ])
)

const leanHelp = CliConfig.layer({ showBuiltIns: false })

const cli = Command.run(pushbutton, { name: "Pushbutton", executable: "pushbutton", version })

export const run = (argv: ReadonlyArray<string>): void => {
  if (Help.asksForOverview(argv.slice(2))) return runMain(Console.log(Help.overview))
  let successor: Successor | undefined
  const handover = Layer.succeed(Handover, {
    to: (next) =>
      Effect.sync(() => {
        successor = next
      })
  })
  const words = Help.splitOptions(argv.slice(2))
  const program = Help.printed(cli([...argv.slice(0, 2), ...Help.helpFirst(words)]), words).pipe(
    // The command line has explained a wrong use of itself by then.
    Effect.mapError((error) =>
      ValidationError.isValidationError(error) ? new Failed({ message: "" }) : error
    ),
    Effect.provide(Layer.mergeAll(NodeContext.layer, StderrLogger.layer, leanHelp, handover))
  )
  runMain(program, { next: () => successor && starterOf(successor) })
}

const starterOf = (successor: Successor): (() => Promise<void>) => {
  switch (successor._tag) {
    case "Stdio":
      return () => import("./stdio.js").then(({ run: start }) => start(successor.options))
    case "Http":
      return () => import("./http.js").then(({ run: start }) => start(successor.options))
  }
}
