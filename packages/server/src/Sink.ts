/** How messages that wait here reach a peer: taken as the peer takes them, without a fiber or a queue. */
import type { Subscription } from "./Decision.js"

/** Where messages are taken from: a subscription, or a session. */
export interface Source extends Pick<Subscription, "take"> {
  /** Missing where nothing ends. */
  readonly state?: Subscription["state"]
}

/** A stream of messages to a peer. */
export interface Sink {
  /** Whether the peer keeps up. */
  readonly canTake: () => boolean
  /** Takes a message over, whether the peer keeps up or not. */
  readonly add: (message: string) => void
}

/** Moves what the peer can take. What a source that ends has left goes out all the same. */
export const pump = (source: Source, sink: Sink): void => {
  while (sink.canTake() || source.state?.() === "ending") {
    const message = source.take()
    if (message === undefined) return
    sink.add(message)
  }
}
