/** A legacy session with what runs in it. Whatever ends it ends all of that: nothing is left to expire by itself. */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import { SessionStreams, type Host as StreamHost } from "./SessionStreams.js"
import type { CallKey } from "./Shared.js"

/** What the sessions of one server share. */
export interface Host extends StreamHost {
  readonly cancel: (key: CallKey) => void
  /** Those that have not ended. */
  readonly open: Set<HttpSession>
}

export class HttpSession {
  readonly id: string
  readonly legacy: LegacySession
  private readonly host: Host
  // Most sessions have neither most of the time, and there are many sessions.
  private requests: Map<RequestId, CallKey> | undefined
  private opened: SessionStreams | undefined
  private isOver = false

  constructor(id: string, legacy: LegacySession, host: Host) {
    this.id = id
    this.legacy = legacy
    this.host = host
    host.open.add(this)
  }

  get streams(): SessionStreams {
    this.opened ??= new SessionStreams(this.id, this.legacy, this.host)
    if (this.isOver) this.opened.end()
    return this.opened
  }

  /** By id, as sent: `5` and `"5"` are two requests. False: a request with this id is running. */
  enter(id: RequestId, key: CallKey): boolean {
    this.requests ??= new Map()
    if (this.requests.has(id)) return false
    this.requests.set(id, key)
    return true
  }

  leave(id: RequestId): void {
    this.requests?.delete(id)
    if (this.requests?.size === 0) this.requests = undefined
  }

  find(id: RequestId): CallKey | undefined {
    return this.requests?.get(id)
  }

  /** The client is told and asked nothing more beside its requests, which go on and are answered. */
  drain(): void {
    this.legacy.close()
    this.opened?.endStandalone()
  }

  end(): void {
    if (this.isOver) return
    this.isOver = true
    this.host.open.delete(this)
    this.legacy.close()
    for (const key of Array.from(this.requests?.values() ?? [])) this.host.cancel(key)
    this.opened?.end()
    this.host.store.forget(this.id)
  }
}
