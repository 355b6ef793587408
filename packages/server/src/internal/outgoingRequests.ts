/** What the server asks one legacy peer: requests under ids of the server's own, each answered once or given up. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Effect from "effect/Effect"

/** `Gone`: the session ended before there was an answer. */
export type Outcome = JsonRpc.Answer | { readonly _tag: "Gone" }

/** The way of one request to the peer and back. */
export interface Way {
  /** Puts the request on its way. */
  readonly send: (text: string) => Effect.Effect<void>
  /** Puts the notification that takes a request back on its way; must not wait. */
  readonly withdraw: (text: string) => void
}

export class OutgoingRequests {
  private lastId = 0
  private readonly waiting = new Map<JsonRpc.RequestId, (outcome: Outcome) => void>()
  private isOver = false

  /** Interrupting it takes the request back: the peer is told, and what it answers then is ignored. */
  ask(method: string, params: JsonObject | undefined, way: Way): Effect.Effect<Outcome> {
    return Effect.suspend(() => {
      if (this.isOver) return Effect.succeed<Outcome>({ _tag: "Gone" })
      this.lastId += 1
      const id = this.lastId
      const answered = Effect.async<Outcome>((resume) => {
        this.waiting.set(id, (outcome) => resume(Effect.succeed(outcome)))
      })
      const takeBack = Effect.sync(() => {
        if (this.waiting.delete(id)) way.withdraw(cancelled(id))
      })
      const sent = way.send(JsonRpc.encodeRequest(id, method, params))
      // Waits before it sends: the answer may come in the turn in which the request goes out. The session may end
      // while the peer takes nothing, so nobody waits for the sending by itself.
      const outcome = Effect.raceFirst(answered, Effect.zipRight(sent, Effect.never))
      return Effect.onError(outcome, () => takeBack)
    })
  }

  /** Takes a response. False: it answers nothing that is asked here. */
  settle(response: JsonRpc.Response): boolean {
    if (response.id === undefined) return false
    const resolve = this.waiting.get(response.id)
    if (resolve === undefined) return false
    this.waiting.delete(response.id)
    resolve(JsonRpc.answerOf(response) ?? unreadable)
    return true
  }

  /** What is still asked has no answer. */
  close(): void {
    this.isOver = true
    const waiting = Array.from(this.waiting.values())
    this.waiting.clear()
    for (const resolve of waiting) resolve({ _tag: "Gone" })
  }

  get size(): number {
    return this.waiting.size
  }
}

const cancelled = (id: JsonRpc.RequestId): string =>
  JsonRpc.encodeNotification("notifications/cancelled", {
    requestId: id,
    reason: "The server no longer needs the answer"
  })

const unreadable: Outcome = {
  _tag: "Error",
  code: -32600,
  message: "The client's response is neither a result nor an error"
}
