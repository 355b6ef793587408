// Servers on stdio whose layers log and print as they are built and released; run by the test.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as McpServer from "@pushbutton/server/McpServer"
import * as StderrLogger from "@pushbutton/stdio/StderrLogger"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const server = McpServer.layer({ name: "talkative", version: "1.0.0" })

/** @param {string} word */
const say = (word) => Effect.zipRight(Effect.logInfo(`log ${word}`), Console.log(`print ${word}`))

const talk = Layer.scopedDiscard(Effect.acquireRelease(say("acquired"), () => say("released")))

const launched = Layer.provide(server, talk)

/** @type {Readonly<Record<string, Effect.Effect<void, unknown>>>} */
const programs = {
  launch: StdioTransport.launch(launched),
  failing: StdioTransport.launch(Layer.provide(launched, Layer.effectDiscard(Effect.fail("no disk")))),
  unconfigured: StdioTransport.launch(
    Layer.provide(launched, Layer.effectDiscard(Config.string("TALKATIVE_MISSING")))
  ),
  logging: Effect.zipRight(
    Effect.logInfo("log before"),
    Effect.zipLeft(Effect.provide(StdioTransport.serve(), server), Effect.logInfo("log after"))
  ).pipe(Effect.provide(StderrLogger.layer))
}

NodeRuntime.runMain(programs[process.argv[2] ?? ""] ?? Effect.dieMessage("unknown program"))
