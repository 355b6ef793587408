/** What the sessions of one server share. */
import type { InFlight } from "@pushbutton/server/InFlight"
import type { EventStore } from "../EventStore.js"
import type { Connections } from "./Connections.js"
import type { CallKey } from "./RunningCalls.js"
import type { SentAway } from "./SentAway.js"

export interface SessionServices {
  readonly inFlight: InFlight<CallKey>
  readonly store: EventStore["Type"]
  readonly connections: Connections
  readonly sentAway: SentAway
  /** A stream or request of the session is open: until `release` it is in use. */
  readonly hold: (sessionId: string) => void
  readonly release: (sessionId: string) => void
  /** Numbers the streams of this server. */
  readonly nextStream: () => number
}
