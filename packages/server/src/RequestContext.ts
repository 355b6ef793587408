/** What a handler can know of the request it serves, and its way back to the client. */
import type { Implementation } from "@pushbutton/protocol/Implementation"
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import type { Entry, LoggingLevel } from "@pushbutton/protocol/Logging"
import type { ProtocolVersion } from "@pushbutton/protocol/ProtocolVersion"
import type { HeaderLookup } from "@pushbutton/protocol/RequestHeaders"
import type { TraceContext } from "@pushbutton/protocol/TraceContext"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { MayAsk } from "./internal/asking.js"
import type { MayDetach } from "./internal/detaching.js"
import type { MayRelease } from "./internal/releasing.js"
import type { MayTell } from "./internal/telling.js"

/** One step of progress: `progress` of `total`, in any unit the tool likes. */
export interface ProgressUpdate {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export class RequestContext extends Context.Tag("@pushbutton/server/RequestContext")<
  RequestContext,
  {
    readonly id: RequestId
    readonly method: string
    /** The revision this request is served in. */
    readonly version: ProtocolVersion
    /** Undefined where the client did not say who it is. Never to be trusted. */
    readonly clientInfo: Implementation | undefined
    readonly clientCapabilities: JsonObject
    /** The request's `_meta`, as sent; before 2026-07-28 without what is reserved for the protocol. */
    readonly meta: JsonObject
    readonly logLevel: LoggingLevel | undefined
    /** The trace that the client's `_meta` names, for passing on. Spans of the handler are in it already. */
    readonly trace: TraceContext | undefined
    /** HTTP request headers by lower-case name; undefined on transports without headers. */
    readonly header: HeaderLookup | undefined
    /** Who calls, as the transport has verified it; undefined where it verifies nobody. */
    readonly principal: string | undefined
    /** See `Progress.report`. */
    readonly progress: (update: ProgressUpdate) => Effect.Effect<void>
    /** See `Log.send`. */
    readonly log: (entry: Entry) => Effect.Effect<void>
  } & MayAsk &
    MayDetach &
    MayRelease &
    MayTell
>() {}
