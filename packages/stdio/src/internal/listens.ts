/**
 * The open subscriptions of the connection, by the id of their request. Messages are taken from them as the reader
 * takes them from the pipe.
 */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import type { Listen, Subscription } from "@pushbutton/server/Decision"
import type { Writer } from "./writer.js"

export interface Listens {
  readonly has: (id: RequestId) => boolean
  /** The id must not be in use. */
  readonly start: (listen: Listen) => void
  /** Ends a subscription as its client asks: nothing more is sent. False: no such subscription. */
  readonly cancel: (id: RequestId) => boolean
  /** Ends all from the server's side: each is told so and gets its result. */
  readonly endAll: () => void
}

export const make = (writer: Writer): Listens => {
  const open = new Map<RequestId, Subscription>()
  let isWaiting = false

  const pump = (id: RequestId) => {
    const subscription = open.get(id)
    if (subscription === undefined) return
    while (!writer.isBlocked() || subscription.state() === "ending") {
      const message = subscription.take()
      if (message === undefined) break
      writer.push(message)
    }
    if (subscription.state() === "over") open.delete(id)
    else if (writer.isBlocked()) waitForReader()
  }

  const waitForReader = () => {
    if (isWaiting) return
    isWaiting = true
    writer.onKeptUp(() => {
      isWaiting = false
      for (const id of Array.from(open.keys())) pump(id)
    })
  }

  return {
    has: (id) => open.has(id),
    start: (listen) => {
      open.set(listen.id, listen.open({ tellsEnd: true, wake: () => pump(listen.id) }))
      pump(listen.id)
    },
    cancel: (id) => {
      open.get(id)?.close()
      return open.delete(id)
    },
    endAll: () => {
      for (const subscription of Array.from(open.values())) subscription.end()
    }
  }
}
