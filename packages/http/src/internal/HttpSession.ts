/** A legacy session with what runs in it. Whatever ends it ends all of that: nothing is left to expire by itself. */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import type { Call } from "@pushbutton/server/Decision"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import { type Destination, RunningCalls } from "./RunningCalls.js"
import type { SessionServices } from "./SessionServices.js"
import { SessionStreams } from "./SessionStreams.js"

export class HttpSession {
  readonly id: string
  readonly legacy: LegacySession
  private readonly services: SessionServices
  private readonly calls: RunningCalls
  // Most sessions have none most of the time, and there are many sessions.
  private opened: SessionStreams | undefined
  private isOver = false

  constructor(id: string, legacy: LegacySession, services: SessionServices) {
    this.id = id
    this.legacy = legacy
    this.services = services
    this.calls = new RunningCalls(services.inFlight)
  }

  get principal(): string | undefined {
    return this.legacy.principal
  }

  get streams(): SessionStreams {
    this.opened ??= new SessionStreams(this.id, this.legacy, this.services)
    if (this.isOver) this.opened.end()
    return this.opened
  }

  /** The session is in use until the call has ended. */
  start(call: Call, { outlet, settle }: Destination): void {
    this.services.hold(this.id)
    this.calls.start(call, {
      outlet,
      settle: (reply) => {
        this.services.release(this.id)
        settle(reply)
      }
    })
  }

  cancel(id: RequestId): boolean {
    return this.calls.cancel(id)
  }

  /** The client is told and asked nothing more beside its requests, which go on and are answered. */
  drain(): void {
    this.legacy.close()
    this.opened?.drain()
  }

  end(): void {
    if (this.isOver) return
    this.isOver = true
    this.legacy.close()
    this.calls.cancelAll()
    this.opened?.end()
    this.services.store.forget(this.id)
  }
}
