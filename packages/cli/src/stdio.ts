/** `pushbutton stdio`: serves a folder of buttons to the program that started it. */
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import * as StderrLogger from "@pushbutton/stdio/StderrLogger"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ButtonSource from "./ButtonSource.js"
import * as Buttons from "./Buttons.js"
import * as Counts from "./Counts.js"
import * as PushbuttonServer from "./PushbuttonServer.js"
import { runMain } from "./runMain.js"
import type { StdioArguments } from "./StdioArguments.js"

/** What a client asks first is answered before anybody reads the whole folder. */
const busyWithClient = Duration.millis(500)

const serve = Effect.fnUntraced(function* (options: StdioArguments) {
  const { graceSeconds } = options
  const source = yield* ButtonSource.resolve(options)
  yield* Effect.logDebug(`Serving the buttons in ${source.dataDir.buttons}`)
  const buttons = yield* ButtonSource.make(source, options)
  const server = yield* Effect.provide(PushbuttonServer.make(options, source.dataDir), buttons)
  const program = Effect.gen(function* () {
    const logProblems = yield* Effect.once(Buttons.logProblems)
    yield* Effect.fork(Effect.delay(logProblems, busyWithClient))
    if (process.stdin.isTTY) yield* greet
    yield* StdioTransport.serve(
      graceSeconds === undefined ? {} : { drainGrace: Duration.seconds(graceSeconds) }
    )
    yield* logProblems
  })
  yield* Effect.provide(program, Context.merge(buttons, server))
}, Effect.scoped)

/** For whoever types the command: without a client nothing else would ever be said. */
const greet = Effect.gen(function* () {
  const { buttons } = yield* (yield* ButtonCatalogue).list
  const count = Counts.of(buttons.filter(({ mcpEnabled }) => mcpEnabled).length, "button")
  yield* Console.error(
    `Serving ${count} on stdio; a client is expected to start this, see pushbutton connect. Ctrl-D ends it.`
  )
})

export const run = (options: StdioArguments): void =>
  runMain(StderrLogger.use(serve(options)), { isServer: true })
