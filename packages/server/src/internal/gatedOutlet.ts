/** The way out of one request: what it sends once it was cancelled or has ended goes nowhere. */
import * as Effect from "effect/Effect"
import type { Outlet } from "../Decision.js"

export interface Gate {
  state: "open" | "cancelled" | "ended"
}

/** Made member by member as they are asked for: most requests send nothing ahead of their reply. */
export class GatedOutlet implements Outlet {
  private readonly outlet: Outlet
  private readonly gate: Gate

  constructor(outlet: Outlet, gate: Gate) {
    this.outlet = outlet
    this.gate = gate
  }

  get notify(): Outlet["notify"] {
    const { gate } = this
    const { notify } = this.outlet
    return (text) => (gate.state === "open" ? notify(text) : undefined)
  }

  get questions(): Outlet["questions"] {
    const { gate } = this
    const { questions } = this.outlet
    return (
      questions && {
        ask: (request) =>
          Effect.suspend(() => (gate.state === "open" ? questions.ask(request) : Effect.succeed(false))),
        takeBack: (notification) => {
          if (gate.state !== "ended") questions.takeBack(notification)
        }
      }
    )
  }

  get release(): Outlet["release"] {
    const { gate } = this
    const { release } = this.outlet
    return (
      release &&
      ((retryMillis) => Effect.suspend(() => (gate.state === "open" ? release(retryMillis) : Effect.void)))
    )
  }
}
