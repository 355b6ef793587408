/**
 * What one request logs on its way to the client that asked for it. A logger cannot wait, so messages wait here for a
 * client that reads slowly; beyond the allowance they are dropped, and the client is told how many.
 */
import * as Logging from "@pushbutton/protocol/Logging"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type { Outlet, Sending } from "../Decision.js"
import { Allowance, type Limit } from "./allowance.js"
import type { Beside } from "./progressReports.js"

/** Which messages are for a client. */
export interface Wanted {
  readonly least: Logging.LoggingLevel
  /** At this moment: a session may set another level while the request runs. */
  readonly minimum: () => Logging.LoggingLevel
}

export class LogMessages {
  /** Messages below it are not for this client, whatever it asks for while the request runs. */
  readonly least: Logging.LoggingLevel
  private readonly minimum: () => Logging.LoggingLevel
  private readonly notify: Outlet["notify"]
  private readonly beside: Beside
  private readonly allowance: Allowance
  private readonly mostWaiting: number
  private waiting: Array<string> = []
  private sender: Fiber.RuntimeFiber<void> | undefined
  private isSending = false
  private dropped = 0
  private droppedLevel: Logging.LoggingLevel = "debug"
  private isOver = false

  constructor({ least, minimum }: Wanted, outlet: Outlet, beside: Beside, limit: Limit) {
    this.least = least
    this.minimum = minimum
    this.notify = outlet.notify
    this.beside = beside
    this.allowance = new Allowance(limit)
    this.mostWaiting = limit.burst
  }

  /** Whether a message of this level is for the client. */
  wants(level: Logging.LoggingLevel): boolean {
    return !this.isOver && Logging.isAtLeast(level, this.minimum())
  }

  /** Takes a message without waiting for anything. */
  offer(entry: Logging.Entry, now: number): void {
    if (!this.wants(entry.level)) return
    if (this.waiting.length >= this.mostWaiting || this.allowance.take(now) > 0) {
      this.dropped++
      if (Logging.isAtLeast(entry.level, this.droppedLevel)) this.droppedLevel = entry.level
      return
    }
    this.tellDropped()
    this.waiting.push(Logging.encodeMessage(entry))
    this.start()
  }

  /** Takes a message, and completes when the client can take more. */
  send(entry: Logging.Entry): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      this.offer(entry, now)
      return this.sent
    })
  }

  /** Sends what waits, and takes nothing more. */
  finish(): Sending {
    this.tellDropped()
    this.isOver = true
    this.start()
    return this.isSending ? this.sent : undefined
  }

  stop(): void {
    this.isOver = true
    this.sender?.unsafeInterruptAsFork(FiberId.none)
  }

  private start(): void {
    if (this.isSending || this.waiting.length === 0) return
    this.isSending = true
    this.sender = this.beside(this.drain)
  }

  private readonly drain: Effect.Effect<void> = Effect.suspend(() => {
    const text = this.waiting.shift()
    if (text !== undefined) return Effect.zipRight(this.notify(text) ?? Effect.void, this.drain)
    this.isSending = false
    return Effect.void
  })

  private readonly sent: Effect.Effect<void> = Effect.suspend(() =>
    this.isSending && this.sender !== undefined ? Effect.asVoid(Fiber.await(this.sender)) : Effect.void
  )

  /** In one line, of the highest level among them: a client filters by level too. */
  private tellDropped(): void {
    if (this.dropped === 0) return
    const count = this.dropped
    this.dropped = 0
    this.waiting.push(
      Logging.encodeMessage({
        level: this.droppedLevel,
        data: `${count} log ${count === 1 ? "message was" : "messages were"} dropped here: there were too many at once`
      })
    )
    this.droppedLevel = "debug"
  }
}
