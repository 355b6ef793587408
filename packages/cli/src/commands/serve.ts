/** `pushbutton stdio` and `pushbutton http`: they say what to start, and the entry starts it in place of this program. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { HttpArguments } from "../HttpArguments.js"
import type { StdioArguments } from "../StdioArguments.js"
import { checked, offering } from "./offeringOptions.js"
import { definitions, dir, graceSeconds } from "./options.js"

export type Successor =
  | { readonly _tag: "Stdio"; readonly options: StdioArguments }
  | { readonly _tag: "Http"; readonly options: HttpArguments }

/** Takes what is to be started once the command line has been read. */
export class Handover extends Context.Tag("pushbutton/Handover")<
  Handover,
  { readonly to: (successor: Successor) => Effect.Effect<void> }
>() {}

const handOver = (successor: Successor) => Effect.flatMap(Handover, ({ to }) => to(successor))

const modernOnly = Options.boolean("modern-only").pipe(
  Options.withDescription("Refuse clients of the revisions before 2026-07-28, which begin with a handshake.")
)

export const stdio = Command.make(
  "stdio",
  { dir, definitions, graceSeconds: graceSeconds(1), modernOnly, ...offering },
  (options) => Effect.zipRight(checked(options), handOver({ _tag: "Stdio", options }))
).pipe(Command.withDescription("Serves a folder of buttons to the program that starts this one."))

const host = Options.text("host").pipe(
  Options.withDescription("The address to listen on. Also PUSHBUTTON_HOST. 127.0.0.1 when left out."),
  Options.withFallbackConfig(Config.string("PUSHBUTTON_HOST")),
  Options.withDefault("127.0.0.1")
)

const defaultPort = 7332

const portProblem = "--port and PUSHBUTTON_PORT take a whole number from 0 to 65535"

/** The text of a port as a person writes it; none of JavaScript's other ways to write a number. */
const parsePort = (text: string): Option.Option<number> =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Option.some(Number(text)) : Option.none()

/** An empty variable counts as unset. */
const portVariable = Config.string("PUSHBUTTON_PORT").pipe(
  Config.map((text) => text.trim()),
  Config.map((text) => (text === "" ? String(defaultPort) : text))
)

const port = Options.text("port").pipe(
  Options.withPseudoName("port"),
  Options.withDescription(
    "The port to listen on; 0 takes any free one. Also PUSHBUTTON_PORT. 7332 when left out."
  ),
  Options.withFallbackConfig(portVariable),
  Options.withDefault(String(defaultPort)),
  Options.filterMap(parsePort, portProblem)
)

/** A scheme and a host, perhaps a port, and nothing behind it but a slash. */
const isOrigin = (text: string): boolean => /^[\w+.-]+:\/\/[^/?#@\s]+\/?$/.test(text) && URL.canParse(text)

const allowedOrigins = Options.text("allow-origin").pipe(
  Options.withPseudoName("origin"),
  Options.withDescription(
    "A web page's origin that may call, besides those of this machine. May be repeated."
  ),
  Options.repeated,
  Options.filterMap(
    (origins) => (origins.every(isOrigin) ? Option.some(origins) : Option.none()),
    "--allow-origin takes an origin, such as https://example.com or http://localhost:3000"
  )
)

const allowedHosts = Options.text("allow-host").pipe(
  Options.withPseudoName("host"),
  Options.withDescription("A Host header to accept besides those of this machine. May be repeated."),
  Options.repeated
)

const allowRemote = Options.boolean("allow-remote").pipe(
  Options.withDescription("Listen where other machines can reach it, although nothing here asks who calls.")
)

const sse = Options.boolean("sse").pipe(
  Options.withDescription("Serve clients that only know HTTP+SSE, the transport of 2024-11-05, at /sse.")
)

const stateless = Options.boolean("stateless").pipe(
  Options.withDescription(
    "Keep no sessions for clients of the revisions before 2026-07-28, as for replicas behind a balancer: they are asked nothing and told of no changes."
  )
)

export const http = Command.make(
  "http",
  {
    dir,
    definitions,
    host,
    port,
    allowedOrigins,
    allowedHosts,
    allowRemote,
    modernOnly,
    sse,
    stateless,
    graceSeconds: graceSeconds(10),
    ...offering
  },
  (options) => Effect.zipRight(checked(options), handOver({ _tag: "Http", options }))
).pipe(Command.withDescription("Serves a folder of buttons over HTTP, to every revision on one URL."))
