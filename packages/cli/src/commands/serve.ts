/** `pushbutton stdio` and `pushbutton http`: they say what to start, and the entry starts it in place of this program. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpArguments } from "../HttpArguments.js"
import type { StdioArguments } from "../StdioArguments.js"
import { dir, graceSeconds } from "./options.js"

export type Successor =
  | { readonly _tag: "Stdio"; readonly options: StdioArguments }
  | { readonly _tag: "Http"; readonly options: HttpArguments }

/** Takes what is to be started once the command line has been read. */
export class Handover extends Context.Tag("pushbutton/Handover")<
  Handover,
  { readonly to: (successor: Successor) => Effect.Effect<void> }
>() {}

const handOver = (successor: Successor) => Effect.flatMap(Handover, ({ to }) => to(successor))

export const stdio = Command.make("stdio", { dir, graceSeconds: graceSeconds(1) }, (options) =>
  handOver({ _tag: "Stdio", options })
).pipe(Command.withDescription("Serves a folder of buttons to the program that starts this one."))

const host = Options.text("host").pipe(
  Options.withDescription("The address to listen on."),
  Options.withFallbackConfig(Config.string("PUSHBUTTON_HOST")),
  Options.withDefault("127.0.0.1")
)

const port = Options.integer("port").pipe(
  Options.withDescription("The port to listen on; 0 takes any free one. Also PUSHBUTTON_PORT."),
  Options.withFallbackConfig(Config.integer("PUSHBUTTON_PORT")),
  Options.withDefault(7332)
)

const allowedOrigins = Options.text("allow-origin").pipe(
  Options.withPseudoName("origin"),
  Options.withDescription(
    "A web page's origin that may call, besides those of this machine. May be repeated."
  ),
  Options.repeated
)

const allowedHosts = Options.text("allow-host").pipe(
  Options.withPseudoName("host"),
  Options.withDescription("A Host header to accept besides those of this machine. May be repeated."),
  Options.repeated
)

const allowRemote = Options.boolean("allow-remote").pipe(
  Options.withDescription("Listen where other machines can reach it, although nothing here asks who calls.")
)

export const http = Command.make(
  "http",
  { dir, host, port, allowedOrigins, allowedHosts, allowRemote, graceSeconds: graceSeconds(10) },
  (options) => handOver({ _tag: "Http", options })
).pipe(Command.withDescription("Serves a folder of buttons over HTTP, to every revision on one URL."))
