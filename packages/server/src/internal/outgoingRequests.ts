/** What the server asks one legacy peer: requests under ids of the server's own, each answered once or given up. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Effect from "effect/Effect"
import type { Questions } from "../Decision.js"

/** `Unsent`: there was no way to the peer any more. `Gone`: the session ended before there was an answer. */
export type Outcome = JsonRpc.Answer | { readonly _tag: "Unsent" } | { readonly _tag: "Gone" }

interface Waiting {
  readonly resolve: (outcome: Outcome) => void
  /** Tells the peer, if it has been asked. */
  readonly takeBack: () => void
}

export class OutgoingRequests {
  private lastId = 0
  private readonly waiting = new Map<JsonRpc.RequestId, Waiting>()
  private isOver = false

  /** Interrupting it takes the request back: the peer is told, and what it answers then is ignored. */
  ask(method: string, params: JsonObject | undefined, questions: Questions): Effect.Effect<Outcome> {
    return Effect.suspend(() => {
      if (this.isOver) return Effect.succeed<Outcome>({ _tag: "Gone" })
      this.lastId += 1
      const id = this.lastId
      let isSent = false
      const answered = Effect.async<Outcome>((resume) => {
        this.waiting.set(id, {
          resolve: (outcome) => resume(Effect.succeed(outcome)),
          takeBack: () => {
            if (isSent) questions.takeBack(cancelled(id))
          }
        })
      })
      const takeBack = Effect.sync(() => {
        const waiting = this.waiting.get(id)
        if (this.waiting.delete(id)) waiting?.takeBack()
      })
      const request = () => {
        isSent = true
        return JsonRpc.encodeRequest(id, method, params)
      }
      const unsent = Effect.suspend(() => {
        const isWaiting = this.waiting.delete(id)
        return isWaiting ? Effect.succeed<Outcome>({ _tag: "Unsent" }) : Effect.never
      })
      // Waits before it sends: the answer may come in the turn in which the request goes out. The session may end
      // while the peer takes nothing, so nobody waits for the sending by itself.
      const outcome = Effect.raceFirst(
        answered,
        Effect.flatMap(questions.ask(request), (isOnItsWay) => (isOnItsWay ? Effect.never : unsent))
      )
      return Effect.onError(outcome, () => takeBack)
    })
  }

  /** Takes a response. False: it answers nothing that is asked here. */
  settle(response: JsonRpc.Response): boolean {
    if (response.id === undefined) return false
    const waiting = this.waiting.get(response.id)
    if (waiting === undefined) return false
    this.waiting.delete(response.id)
    waiting.resolve(JsonRpc.answerOf(response) ?? unreadable)
    return true
  }

  /** What is still asked is taken back, and has no answer. */
  close(): void {
    this.isOver = true
    const waiting = Array.from(this.waiting.values())
    this.waiting.clear()
    for (const { resolve, takeBack } of waiting) {
      takeBack()
      resolve({ _tag: "Gone" })
    }
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
