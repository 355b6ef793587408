/** A legacy session with what runs in it. Whatever ends it ends all of that: nothing is left to expire by itself. */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import { SessionStreams, type Options as StreamOptions } from "./SessionStreams.js"
import type { CallKey } from "./Shared.js"

export interface Options extends Omit<StreamOptions, "sessionId"> {
  readonly id: string
  readonly cancel: (key: CallKey) => void
}

export class HttpSession {
  readonly id: string
  readonly legacy: LegacySession
  readonly streams: SessionStreams
  /** The running requests by id, as sent: `5` and `"5"` are two requests. */
  private readonly requests = new Map<RequestId, CallKey>()
  private readonly cancelCall: (key: CallKey) => void

  constructor({ cancel, id, ...options }: Options) {
    this.id = id
    this.legacy = options.session
    this.streams = new SessionStreams({ ...options, sessionId: id })
    this.cancelCall = cancel
  }

  /** False: a request with this id is running. */
  enter(id: RequestId, key: CallKey): boolean {
    if (this.requests.has(id)) return false
    this.requests.set(id, key)
    return true
  }

  leave(id: RequestId): void {
    this.requests.delete(id)
  }

  find(id: RequestId): CallKey | undefined {
    return this.requests.get(id)
  }

  end(): void {
    this.legacy.close()
    for (const key of Array.from(this.requests.values())) this.cancelCall(key)
    this.streams.end()
  }
}
