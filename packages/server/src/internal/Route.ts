/** One accepted request on its way to a feature: what was sent, and the revision that answers it. */
import type { Dialect } from "@pushbutton/protocol/dialect/Dialect"
import type { Implementation } from "@pushbutton/protocol/Implementation"
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import type { LoggingLevel } from "@pushbutton/protocol/Logging"
import type { HeaderLookup } from "@pushbutton/protocol/RequestHeaders"
import type * as Duration from "effect/Duration"
import type { LegacySession } from "../LegacySession.js"
import type * as Notices from "./notices.js"
import type { Era } from "./reply.js"
import type * as Rounds from "./rounds.js"

/** How handlers may ask their client. */
export interface Asks {
  readonly rounds: Rounds.Settings
  readonly legacy: LegacyAsks
}

/** What holds for clients of handshake revisions alone. */
export interface LegacyAsks {
  /** How long one question waits for its answer. */
  readonly timeout: Duration.Duration
  /** Whether handlers run again with each round, as on 2026-07-28, instead of waiting where they ask. */
  readonly replays: boolean
  /** Whether a client of 2025-11-25 without a session is told by an error which pages to visit. */
  readonly urlErrors: boolean
}

export interface Route {
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
  readonly era: Era
  readonly dialect: Dialect
  readonly identity: Implementation
  readonly clientInfo: Implementation | undefined
  readonly clientCapabilities: JsonObject
  readonly meta: JsonObject
  readonly logLevel: LoggingLevel | undefined
  readonly progressToken: string | number | undefined
  readonly header: HeaderLookup | undefined
  readonly principal: string | undefined
  /** The session it came in; undefined on 2026-07-28 and where the transport keeps none. */
  readonly session: LegacySession | undefined
  readonly asks: Asks
  readonly notices: Notices.Settings
  /** Whether a request that runs a handler has a span of its own. */
  readonly isTraced: boolean
}
