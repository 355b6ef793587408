/** Running commands in the process of the test, on folders that are gone when its scope closes. */
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Command from "@effect/cli/Command"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { check } from "../../src/commands/check.js"
import { list } from "../../src/commands/list.js"
import { press } from "../../src/commands/press.js"

const commands = Command.make("pushbutton").pipe(Command.withSubcommands([check, list, press]))

const cli = Command.run(commands, { name: "pushbutton", version: "0.0.0" })

/** What a command printed, and why it failed. */
export const run = (...words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const printed: Array<string> = []
    const print = (...texts: ReadonlyArray<unknown>) =>
      Effect.sync(() => void printed.push(texts.map(String).join(" ")))
    const outcome = yield* Console.consoleWith((console) =>
      Effect.withConsole(cli(["node", "pushbutton", ...words]), { ...console, log: print, error: print })
    ).pipe(Effect.provide(NodeContext.layer), Effect.either)
    const failure = Either.isLeft(outcome) ? outcome.left : undefined
    const message = failure !== undefined && "message" in failure ? failure.message : undefined
    return { printed, message }
  })

export const folder = Effect.acquireRelease(
  Effect.sync(() => Fs.realpathSync(Fs.mkdtempSync(Path.join(Os.tmpdir(), "pushbutton-")))),
  (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true, force: true }))
)

export const write = (path: string, text: string) =>
  Effect.sync(() => {
    Fs.mkdirSync(Path.dirname(path), { recursive: true })
    Fs.writeFileSync(path, text)
  })
