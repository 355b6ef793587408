/**
 * What lives between `initialize` and the end of one legacy peer: a stdio connection or an HTTP session. Handshake
 * revisions keep what 2026-07-28 sends with each request: who the client is, what it can do, its log level, what it
 * subscribed to. A transport keeps the session, hands it in with every message, and closes it.
 */
import type { Implementation } from "@pushbutton/protocol/Implementation"
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { LoggingLevel } from "@pushbutton/protocol/Logging"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import type * as Protocol from "@pushbutton/protocol/Subscription"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import type { Listener } from "./Decision.js"
import { KeptJson } from "./internal/keptJson.js"
import { OutgoingRequests } from "./internal/outgoingRequests.js"
import type { SessionEntry } from "./internal/subscribers.js"
import type { Subscriptions } from "./Subscriptions.js"

export interface Options {
  readonly version: LegacyVersion
  readonly clientInfo: Implementation
  readonly clientCapabilities: JsonObject
  /** Who opened it, where the transport verifies that: it is nobody else's. */
  readonly principal?: string | undefined
  /** The lists whose changes were announced to it. */
  readonly lists?: ReadonlyArray<Protocol.ListMember> | undefined
}

type Channel = Pick<Listener, "wake">

export class LegacySession {
  readonly version: LegacyVersion
  readonly clientInfo: Implementation
  readonly principal: string | undefined
  /** What the server asks this client. */
  readonly requests = new OutgoingRequests()
  /** Undefined until `logging/setLevel`. */
  logLevel: LoggingLevel | undefined = undefined
  private readonly capabilities: KeptJson
  private readonly entry: SessionEntry
  private readonly channels: Array<Channel> = []
  private isInitialized = false
  private isClosed = false
  /** Made for whoever asks too early. */
  private becomesReady: Deferred.Deferred<void> | undefined

  constructor(options: Options, subscriptions: Pick<Subscriptions["Type"], "openSession">) {
    this.version = options.version
    this.clientInfo = options.clientInfo
    this.capabilities = new KeptJson(options.clientCapabilities)
    this.principal = options.principal
    this.entry = subscriptions.openSession(options.lists ?? [], () => this.channels.at(-1)?.wake())
  }

  get clientCapabilities(): JsonObject {
    return this.capabilities.value
  }

  /** Waits until the client is ready to be asked, or never will be. */
  readonly ready: Effect.Effect<void> = Effect.suspend(() => {
    if (this.isInitialized || this.isClosed) return Effect.void
    this.becomesReady ??= Deferred.unsafeMake<void>(FiberId.none)
    return Deferred.await(this.becomesReady)
  })

  /** The client has said that it is ready; nothing that it did not ask for is sent before (all, lifecycle: SHOULD NOT). */
  initialized(): void {
    if (this.isInitialized) return
    this.isInitialized = true
    this.letAsk()
    this.channels.at(-1)?.wake()
  }

  /** False: it names too many resources already. */
  subscribe(uri: string): boolean {
    return this.entry.subscribe(uri)
  }

  unsubscribe(uri: string): void {
    this.entry.unsubscribe(uri)
  }

  /**
   * Adds a stream for what belongs to no request; the newest is woken and takes. Each message is taken once, and what
   * finds no stream waits, within a bound. `attach` itself wakes nobody. Gives the function that takes the stream away again.
   */
  attach(channel: Channel): () => void {
    this.channels.push(channel)
    return () => {
      const at = this.channels.indexOf(channel)
      if (at === -1) return
      this.channels.splice(at, 1)
      this.channels.at(-1)?.wake()
    }
  }

  /** The next message for a stream that was attached; undefined while there is none. */
  take(): string | undefined {
    return this.isInitialized && !this.isClosed ? this.entry.take() : undefined
  }

  /** Nothing is sent to it or asked of it any more. Its running requests are the transport's to end. */
  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.entry.close()
    this.requests.close()
    this.letAsk()
  }

  private letAsk(): void {
    if (this.becomesReady !== undefined) Deferred.unsafeDone(this.becomesReady, Effect.void)
  }
}
