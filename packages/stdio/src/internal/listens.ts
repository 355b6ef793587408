/**
 * The open subscriptions of the connection, by the id of their request. Messages are taken from them as the reader
 * takes them from the pipe.
 */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import type { Listen, Subscription } from "@pushbutton/server/Decision"
import * as Sink from "@pushbutton/server/Sink"
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

  const pump = (id: RequestId) => {
    const subscription = open.get(id)
    if (subscription === undefined) return
    Sink.pump(subscription, writer)
    if (subscription.state() === "over") open.delete(id)
  }

  writer.onWritable(() => {
    for (const id of Array.from(open.keys())) pump(id)
  })

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
