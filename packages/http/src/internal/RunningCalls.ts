/** The running requests of one session by id, as sent: `5` and `"5"` are two requests. */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { Call, Outlet, Reply } from "@pushbutton/server/Decision"
import type { InFlight } from "@pushbutton/server/InFlight"

/** Names a call in flight by identity: the ids of different clients may be equal. */
export interface CallKey {
  readonly id: RequestId
}

/** Where the reply to one request goes, and what precedes it. */
export interface Destination {
  readonly outlet: Outlet
  /** Called once for each request; undefined: it was cancelled, so no response is due. */
  readonly settle: (reply: Reply | undefined) => void
}

export class RunningCalls {
  private readonly inFlight: InFlight<CallKey>
  // Most sessions run nothing most of the time, and there are many sessions.
  private keys: Map<RequestId, CallKey> | undefined

  constructor(inFlight: InFlight<CallKey>) {
    this.inFlight = inFlight
  }

  /** A request with the id of a running one is refused, and the first goes on. */
  start(call: Call, { outlet, settle }: Destination): void {
    if (this.keys?.has(call.id) === true) {
      settle(call.refuse(new ProtocolError.RequestInFlight({ id: call.id })))
      return
    }
    const key: CallKey = { id: call.id }
    this.keys ??= new Map()
    this.keys.set(call.id, key)
    const onSettled = (reply: Reply | undefined) => {
      this.leave(call.id)
      settle(reply)
    }
    this.inFlight.start(key, call, outlet, onSettled, this)
  }

  /** False: no such request is running. */
  cancel(id: RequestId): boolean {
    const key = this.keys?.get(id)
    return key !== undefined && this.inFlight.cancel(key)
  }

  cancelAll(): void {
    for (const key of Array.from(this.keys?.values() ?? [])) this.inFlight.cancel(key)
  }

  private leave(id: RequestId): void {
    this.keys?.delete(id)
    if (this.keys?.size === 0) this.keys = undefined
  }
}
