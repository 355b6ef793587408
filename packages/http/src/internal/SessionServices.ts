/** What the sessions of one server share. */
import type { InFlight } from "@pushbutton/server/InFlight"
import type { EventStore } from "../EventStore.js"
import type { CallKey } from "./RunningCalls.js"
import type { SseStream } from "./SseStream.js"

export interface SessionServices {
  readonly inFlight: InFlight<CallKey>
  readonly store: EventStore["Type"]
  /** The event streams that are open. */
  readonly connections: Set<SseStream>
  /** A stream or request of the session is open: until `release` it is in use. */
  readonly hold: (sessionId: string) => void
  readonly release: (sessionId: string) => void
  /** Names no other stream of this server. */
  readonly nextStreamName: () => string
}
