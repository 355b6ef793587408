/** `pushbutton stdio`: serves a folder of buttons to the program that started it. */
import * as StderrLogger from "@pushbutton/stdio/StderrLogger"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Buttons from "./Buttons.js"
import { runMain } from "./runMain.js"
import * as Server from "./Server.js"
import type { StdioArguments } from "./StdioArguments.js"

const serve = Effect.fnUntraced(function* ({ dir, graceSeconds }: StdioArguments) {
  const dataDir = yield* Buttons.dataDir(dir)
  yield* Effect.logDebug(`Serving the buttons in ${dataDir.buttons}`)
  const buttons = Buttons.layer(dataDir)
  const program = Effect.zipRight(
    Effect.fork(Buttons.logProblems),
    StdioTransport.serve(graceSeconds === undefined ? {} : { drainGrace: `${graceSeconds} seconds` })
  )
  yield* Effect.provide(program, Layer.provideMerge(Server.layer, buttons))
})

export const run = (options: StdioArguments): void => {
  // stdout belongs to the protocol: whatever a dependency prints goes to stderr.
  const { error } = console
  Object.assign(console, { log: error, info: error, debug: error, dir: error, table: error })
  runMain(Effect.provide(serve(options), StderrLogger.layer))
}
