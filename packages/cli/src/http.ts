/** `pushbutton http`: serves a folder of buttons to every client that can reach a port. */
import { realpathSync } from "node:fs"
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import { Definitions } from "@pushbutton/buttons/definitions/Definitions"
import * as HttpTransport from "@pushbutton/http/HttpTransport"
import * as StderrLogger from "@pushbutton/stdio/StderrLogger"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ButtonSource from "./ButtonSource.js"
import * as Buttons from "./Buttons.js"
import * as Counts from "./Counts.js"
import * as Greeting from "./Greeting.js"
import type { HttpArguments } from "./HttpArguments.js"
import * as PushbuttonServer from "./PushbuttonServer.js"
import { runMain } from "./runMain.js"

class RemoteRefused extends Data.TaggedError("RemoteRefused")<{ readonly host: string }> {
  override get message() {
    return `${this.host} can be reached from other machines, and nothing here asks who calls. Use --host 127.0.0.1, or --allow-remote when something in front does ask.`
  }
}

class NobodyToServe extends Data.TaggedError("NobodyToServe")<{ readonly option: string }> {
  override get message() {
    return `${this.option} is for clients of older revisions, which --modern-only refuses. Leave out one of them.`
  }
}

const serve = Effect.fnUntraced(function* (options: HttpArguments) {
  const forOlder = options.sse ? "--sse" : options.stateless ? "--stateless" : undefined
  if (forOlder !== undefined && options.modernOnly) return yield* new NobodyToServe({ option: forOlder })
  if (!options.allowRemote && !HttpTransport.isLoopback(options.host))
    return yield* new RemoteRefused({ host: options.host })
  const source = yield* ButtonSource.resolve(options)
  const transport = HttpTransport.layer({
    host: options.host,
    port: options.port,
    drainGrace: Duration.seconds(options.graceSeconds),
    ...(options.sse ? { sse: {} } : {}),
    legacy: options.stateless ? "stateless" : "sessions",
    ...(options.allowedOrigins.length === 0 ? {} : { allowedOrigins: options.allowedOrigins }),
    ...(options.allowedHosts.length === 0 ? {} : { allowedHosts: options.allowedHosts })
  })
  const buttons = yield* ButtonSource.make(source, options)
  const server = yield* Effect.provide(PushbuttonServer.make(options, source.dataDir), buttons)
  return yield* Effect.zipRight(greet(source, options), Effect.never).pipe(
    Effect.provide(Layer.mapError(transport, notListening)),
    Effect.provide(Context.merge(buttons, server))
  )
}, Effect.scoped)

class NotListening extends Data.TaggedError("NotListening")<{ readonly message: string }> {}

const notListening = ({ code, host, message, port }: HttpTransport.ListenFailed) => {
  const place = `Port ${port} on ${host}`
  switch (code) {
    case "EADDRINUSE":
      return new NotListening({
        message: `${place} is in use: stop what listens there, or choose another, as with --port 7401 or PUSHBUTTON_PORT=7401.`
      })
    case "EACCES":
      return new NotListening({
        message: `${place} may not be used by this user: choose one above 1023 with --port.`
      })
    default:
      return new NotListening({ message: `${place} cannot be used: ${message}` })
  }
}

const greet = Effect.fnUntraced(function* (
  { dataDir, definitions }: ButtonSource.ButtonSource,
  { modernOnly, stateless, ...offering }: HttpArguments
) {
  const { sseUrl, url } = yield* HttpTransport.HttpTransport
  const { buttons, problems } = yield* (yield* ButtonCatalogue).list
  const visible = buttons.filter(({ mcpEnabled }) => mcpEnabled)
  yield* Console.log(
    Greeting.render({
      url,
      sseUrl,
      place: dataDir.buttons,
      folder: ButtonSource.folderOf(dataDir),
      definitions,
      defined: Counts.defined((yield* (yield* Definitions).current).defined),
      modernOnly,
      stateless,
      offering,
      buttons: visible,
      hiddenCount: buttons.length - visible.length,
      problemCount: problems.length,
      command: process.execPath,
      script: script()
    })
  )
  yield* Buttons.logProblems
})

/** The file a client starts, whatever link this process was started by. */
const script = () => realpathSync(process.argv[1] ?? "")

const stopping = "Stopping. Ctrl-C again ends at once what still runs."

export const run = (options: HttpArguments): void =>
  runMain(StderrLogger.use(serve(options)), { isServer: true, stopping })
