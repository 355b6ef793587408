/**
 * What one inbound message means, as a value: the dispatcher decides, a transport carries it out.
 * Everything a transport needs to know of the protocol is in these types.
 */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import type {
  BatchTooLong,
  InternalError,
  ProtocolError,
  RequestInFlight,
  ShuttingDown,
  TooManyRequests
} from "@pushbutton/protocol/ProtocolError"
import type { HeaderLookup } from "@pushbutton/protocol/RequestHeaders"
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { OwnServices } from "./internal/ownServices.js"
import type { LegacySession } from "./LegacySession.js"
import type { RandomBytes } from "./RandomBytes.js"

/** One JSON-RPC message on one line, and the HTTP status it travels with; stdio ignores the status. */
export interface Reply {
  readonly status: number
  readonly text: string
}

/**
 * A message on its way to a peer: sent when this is there, or when it completes. Undefined where nothing has to be
 * waited for, which costs nothing.
 */
export type Sending = Effect.Effect<void> | undefined

/** Where a running request sends what precedes its response. */
export interface Outlet {
  /** Sends one JSON-RPC message ahead of the response. What it gives completes when the peer can take more. */
  readonly notify: (text: string) => Sending
  /** Undefined where the peer reads nothing before the response: then it cannot be asked anything. */
  readonly questions?: Questions | undefined
  /**
   * Ends the connection that waits for the response; its client comes back for the rest, no sooner than after
   * `retryMillis`. Undefined where no connection can be ended without a loss.
   */
  readonly release?: ((retryMillis: number) => Effect.Effect<void>) | undefined
}

/** Where a running request sends what it asks its peer. */
export interface Questions {
  /**
   * Puts one request on its way as soon as the peer can take it. `request` is called when it goes out: an interruption
   * before that keeps it from going. False: there is nobody to send it to any more, so no answer will come.
   */
  readonly ask: (request: () => string) => Effect.Effect<boolean>
  /**
   * Sends the notification that takes a question back, without waiting; also for a request that its client has
   * cancelled, until that has ended. Dropped where nobody is left to read it.
   */
  readonly takeBack: (notification: string) => void
}

/**
 * Starts an effect whose services are at hand: they are put in the runtime before the fork, not provided inside.
 * `services` are those of many requests, `own` those of one, whose work is interruptible only where it says so.
 */
export type Fork = <A, R>(
  effect: Effect.Effect<A, never, R | RandomBytes>,
  services: Context.Context<R>,
  own?: OwnServices
) => Fiber.RuntimeFiber<A>

/** A request that runs a handler. */
export interface Call {
  readonly id: RequestId
  readonly era: "modern" | "legacy"
  /** A reply where the handler had its answer at once, else the fiber that runs it. */
  readonly start: (outlet: Outlet, fork: Fork) => Reply | Fiber.RuntimeFiber<Reply>
  /** The answer when the server does not let the request run to its end. */
  readonly refuse: (
    reason: RequestInFlight | TooManyRequests | BatchTooLong | ShuttingDown | InternalError
  ) => Reply
}

/** A request that opens a subscription: an entry that a transport takes messages from, without a fiber. */
export interface Listen {
  readonly id: RequestId
  /** Opens it, in the turn of the event loop in which it was decided. The transport then takes what there is. */
  readonly open: (listener: Listener) => Subscription
  readonly refuse: (reason: RequestInFlight | ShuttingDown) => Reply
}

/** A transport's side of a subscription. */
export interface Listener {
  /** Whether the peer has to be told of an end by `notifications/cancelled`, ahead of the result. */
  readonly tellsEnd: boolean
  /** There is something to take, or the subscription ends. Never called by `open`. Must not throw. */
  readonly wake: () => void
}

/** The server's side of a subscription, from its acknowledgement to its end. */
export interface Subscription {
  /**
   * The next message, undefined while there is none: first the acknowledgement, and last the response that ends
   * the subscription. Taken when the peer can take more: what is not taken yet is kept, and kept small.
   */
  readonly take: () => string | undefined
  /** `ending`: what is left is to be taken now, whatever the peer takes. `over`: nothing comes any more. */
  readonly state: () => "open" | "ending" | "over"
  /** Ends it from the server's side: what waits, then the end. */
  readonly end: () => void
  /** The client has cancelled or left: nothing more is sent. */
  readonly close: () => void
}

/** What the transport knows about a message besides its body. */
export interface Facts {
  /** Undefined where the transport has no header layer. */
  readonly header: HeaderLookup | undefined
  readonly session: LegacySession | undefined
  /** Whether the transport keeps no sessions: `initialize` opens none, and a request without one is served by itself. */
  readonly isSessionless?: boolean | undefined
  /** Who calls, where the transport verifies that. */
  readonly principal?: string | undefined
}

export type Decision =
  /** Answered at once. */
  | { readonly _tag: "Reply"; readonly reply: Reply }
  /** `initialize` was accepted: keep the session for this peer until it ends, then close it. The reply goes out now. */
  | { readonly _tag: "Open"; readonly session: LegacySession; readonly reply: Reply }
  /** Runs a handler. */
  | { readonly _tag: "Call"; readonly call: Call }
  /** Opens a subscription: keep it until it is over. Over HTTP the reply is an event stream from the start. */
  | { readonly _tag: "Listen"; readonly listen: Listen }
  /** `notifications/cancelled` for a request of this peer. */
  | { readonly _tag: "Cancel"; readonly id: RequestId; readonly reason: string | undefined }
  /** A notification or a response was taken; nothing is sent back. */
  | { readonly _tag: "Accept" }
  /** What is no message, where an error without an id would be none either: nothing is sent, and it is for the log. */
  | { readonly _tag: "Drop"; readonly error: ProtocolError }
  /** A batch of 2025-03-26: each decision on its own, and the replies, in any order, as one array (`BatchReplies`). */
  | { readonly _tag: "Batch"; readonly decisions: ReadonlyArray<SingleDecision> }

/** On a message of a batch. */
export type SingleDecision = Exclude<Decision, { readonly _tag: "Batch" | "Open" | "Listen" }>
