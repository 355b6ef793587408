/**
 * The reply to `subscriptions/listen`: an event stream from the start. Messages are taken from the subscription as
 * the client takes them from the stream, so that a client that stalls keeps no more than a batch here.
 */
import type { Listen, Subscription } from "@pushbutton/server/Decision"
import * as Sink from "@pushbutton/server/Sink"
import type { Headers } from "../Admission.js"
import type { Response } from "./HttpRequest.js"
import * as Shared from "./Shared.js"

/** The subscription ends with the response. Keeps nothing of the request but its id. */
export const start = (shared: Shared.Shared, response: Response, headers: Headers, listen: Listen): void => {
  let subscription: Subscription | undefined

  const pump = () => {
    if (subscription === undefined) return
    Sink.pump(subscription, stream)
    if (subscription.state() === "over") stream.end()
  }
  const wake = () => Shared.guarded(shared, response, listen.id, headers, pump)
  const onEnd = () => {
    if (subscription === undefined) return
    shared.subscriptions.delete(subscription)
    subscription.close()
  }

  const own = Shared.replyHeaders(shared, headers)
  const stream = shared.connections.open(response, own, { onEnd, onWritable: pump })
  subscription = listen.open({ tellsEnd: false, wake })
  shared.subscriptions.add(subscription)
  pump()
}
