/**
 * The progress of one request on its way to the client. Values only rise; beyond the allowance the newest is held
 * back until it may go, at the latest until the response.
 */
import type { Dialect, ProgressWriter } from "@pushbutton/protocol/dialect/Dialect"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type { Outlet, Sending } from "../Decision.js"
import type { ProgressUpdate } from "../RequestContext.js"
import { Allowance, type Limit } from "./allowance.js"

/** Runs an effect beside the request. */
export type Beside = (effect: Effect.Effect<void>) => Fiber.RuntimeFiber<void>

export class ProgressReports {
  private readonly write: ProgressWriter
  private readonly notify: Outlet["notify"]
  private readonly beside: Beside
  private readonly allowance: Allowance
  private last = Number.NEGATIVE_INFINITY
  private held: ProgressUpdate | undefined
  /** Sends what is held back, one after the other. */
  private pacer: Fiber.RuntimeFiber<void> | undefined
  private state: "open" | "waiting" | "sending" = "open"
  private isOver = false

  constructor(token: string | number, dialect: Dialect, outlet: Outlet, beside: Beside, limit: Limit) {
    this.write = dialect.progress(token)
    this.notify = outlet.notify
    this.beside = beside
    this.allowance = new Allowance(limit)
  }

  report(update: ProgressUpdate): Effect.Effect<void> {
    const { message, progress, total } = update
    return Effect.clockWith(
      (clock) => this.tell({ progress, total, message }, clock.unsafeCurrentTimeMillis()) ?? Effect.void
    )
  }

  tell({ message, progress, total }: ProgressUpdate, now: number): Sending {
    // JSON has no infinity: as a progress it says nothing, and as a total it means an unknown one.
    if (this.isOver || !Number.isFinite(progress) || progress <= this.last) return undefined
    this.last = progress
    if (this.state === "open" && this.allowance.take(now) === 0) return this.send(progress, total, message)
    this.held = { progress, total, message }
    if (this.state === "open") {
      this.state = "waiting"
      this.pacer = this.beside(this.pace)
    }
    return undefined
  }

  /** Sends what is held back, and takes nothing more. */
  finish(): Sending {
    this.isOver = true
    if (this.pacer === undefined || this.state === "open") return undefined
    if (this.state === "sending") return Effect.asVoid(Fiber.await(this.pacer))
    this.stop()
    return this.sendHeld()
  }

  stop(): void {
    this.isOver = true
    this.pacer?.unsafeInterruptAsFork(FiberId.none)
  }

  private readonly pace: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (this.held === undefined) {
      this.state = "open"
      return Effect.void
    }
    const wait = this.isOver ? 0 : this.allowance.take(now)
    if (wait > 0) {
      this.state = "waiting"
      return Effect.zipRight(Effect.sleep(Duration.millis(wait)), this.pace)
    }
    this.state = "sending"
    return Effect.zipRight(this.sendHeld() ?? Effect.void, this.pace)
  })

  private sendHeld(): Sending {
    const update = this.held
    this.held = undefined
    return update && this.send(update.progress, update.total, update.message)
  }

  private send(progress: number, total: number | undefined, message: string | undefined): Sending {
    return this.notify(this.write(progress, Number.isFinite(total) ? total : undefined, message))
  }
}
