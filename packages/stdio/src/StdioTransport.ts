/**
 * The stdio transport: one JSON-RPC message per line on stdin and stdout, for one peer. Nothing else is ever
 * written to stdout. The end of stdin starts the same shutdown as closing the layer.
 */
import type { Readable, Writable } from "node:stream"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as InFlight from "@pushbutton/server/InFlight"
import { RandomBytes } from "@pushbutton/server/RandomBytes"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as ConsoleGuard from "./internal/consoleGuard.js"
import * as Intake from "./internal/intake.js"
import * as Lines from "./internal/lines.js"
import * as Listens from "./internal/listens.js"
import * as Peer from "./internal/peer.js"
import * as Writer from "./internal/writer.js"
import * as StderrLogger from "./StderrLogger.js"
import * as SystemRandom from "./SystemRandom.js"

export interface Options {
  /** Defaults to the process's stdin. */
  readonly input?: Readable | undefined
  /** Defaults to the process's stdout. */
  readonly output?: Writable | undefined
  /** The longest line that is read, in bytes; 16 MiB when left out. */
  readonly maxMessageBytes?: number | undefined
  /** Requests that may run at a time; 1,000 when left out. One more is answered with an error. */
  readonly maxRequests?: number | undefined
  /**
   * UTF-16 units that may wait for a peer that does not read; 67,108,864 when left out. With more it counts as gone.
   * Long before that its requests are read no further.
   */
  readonly maxUnread?: number | undefined
  /** How long running requests may go on after the end of input; one second when left out. */
  readonly drainGrace?: Duration.DurationInput | undefined
}

export class StdioTransport extends Context.Tag("@pushbutton/stdio/StdioTransport")<
  StdioTransport,
  {
    /** Completes when the peer has closed its end and the running requests have ended. */
    readonly ended: Effect.Effect<void>
  }
>() {}

/**
 * Serves the peer for as long as the layer lives; meanwhile the console prints to stderr. Closing it drains: see
 * `Options.drainGrace`.
 */
export const layer = (options: Options = {}): Layer.Layer<StdioTransport, never, Dispatcher> =>
  Layer.scoped(StdioTransport, make(options))

/** Serves until the peer closes its end. */
export const serve = (options: Options = {}): Effect.Effect<void, never, Dispatcher> =>
  Effect.scoped(Effect.flatMap(make(options), (transport) => transport.ended))

/**
 * A whole program: builds the server's layer and serves until the peer closes its end. Unless `options.output` says
 * otherwise, stdout is the protocol's until the process ends: what layers print as they are built and released, and
 * what `runMain` says of a failure, goes to stderr.
 */
export const launch = <E, R>(
  server: Layer.Layer<Dispatcher, E, R>,
  options: Options = {}
): Effect.Effect<void, E, R> =>
  Effect.zipRight(
    options.output === undefined ? ConsoleGuard.toStderrForGood : Effect.void,
    Effect.provide(Effect.provide(serve(options), server), StderrLogger.layer)
  )

export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<StdioTransport["Type"], never, Dispatcher | Scope.Scope> {
  if (options.output === undefined) yield* ConsoleGuard.toStderr
  const dispatcher = yield* Dispatcher
  const runtime = yield* Effect.runtime<never>()
  const input = options.input ?? process.stdin
  const limitBytes = options.maxMessageBytes ?? 16 * 1024 * 1024
  const gone = yield* Deferred.make<void>()
  const peerIsGone = () => Deferred.unsafeDone(gone, Effect.void)
  const fork = Runtime.runFork(runtime)
  const onGone = (why: Writer.Gone) => {
    if (why === "unread")
      fork(Effect.logWarning("The connection ends: the peer does not read what it is sent"))
    peerIsGone()
  }
  // Acquired first, so released last: the replies of drained requests are still written.
  const writer = yield* Writer.make(options.output ?? process.stdout, {
    mostUnread: options.maxUnread ?? 64 * 1024 * 1024,
    onGone
  })
  const intake = yield* Intake.make(input, writer)
  const inFlight = yield* Effect.provideService(
    InFlight.make<JsonRpc.RequestId>({ max: options.maxRequests ?? 1_000 }),
    RandomBytes,
    SystemRandom.service
  )
  const listens = Listens.make(writer)
  const peer = Peer.make({ dispatcher, inFlight, listens, writer, log: (line) => void fork(line) })
  const drain = Effect.sync(() => {
    listens.endAll()
    peer.endSession()
  }).pipe(Effect.zipRight(inFlight.drain(options.drainGrace ?? "1 second")))
  yield* Effect.addFinalizer(() => drain)

  const receive = (line: string) => {
    if (line.trim() === "") return
    if (!peer.receive(JsonRpc.decode(line))) intake.noteMalformed()
    if (writer.isCongested()) intake.awaitReader()
  }

  const refuse = (error: JsonRpc.Malformed["error"]) => {
    peer.refuse(error)
    intake.noteMalformed()
  }
  const tooLong = new ProtocolError.MessageTooLarge({ limitBytes })
  const lines = Lines.splitter(limitBytes, {
    line: receive,
    notText: () => refuse(notText),
    tooLong: () => refuse(tooLong)
  })

  yield* Effect.acquireRelease(
    Effect.sync(() => listen(input, lines, writer, peerIsGone)),
    (stop) => Effect.sync(stop)
  )
  return StdioTransport.of({ ended: Effect.zipRight(Deferred.await(gone), drain) })
})

const notText = new ProtocolError.ParseError({ detail: "The message is not UTF-8" })

const listen = (
  input: Readable,
  lines: Lines.Splitter,
  writer: Writer.Writer,
  onGone: () => void
): (() => void) => {
  const onData = (chunk: Buffer) => writer.together(() => lines.push(chunk))
  const onEnd = () => {
    lines.end()
    onGone()
  }
  input.on("data", onData)
  input.on("end", onEnd)
  input.on("error", onGone)
  input.on("close", onGone)
  return () => {
    input.off("data", onData)
    input.off("end", onEnd)
    input.off("close", onGone)
    // A paused stdin lets the process end; the error listener stays, since nobody is left to care.
    input.pause()
  }
}
