/**
 * The reply to `subscriptions/listen`: an event stream from the start. Messages are taken from the subscription as
 * the client takes them from the stream, so that a client that stalls keeps no more than a batch here.
 */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import type { Listen, Listener, Subscription } from "@pushbutton/server/Decision"
import * as Sink from "@pushbutton/server/Sink"
import type { Headers } from "../Admission.js"
import type { Response } from "./HttpRequest.js"
import * as Shared from "./Shared.js"
import type { Hooks, SseStream } from "./SseStream.js"

/** The subscription ends with the response. */
export const start = (shared: Shared.Shared, response: Response, headers: Headers, listen: Listen): void =>
  new ListenReply(shared, response, headers, listen.id).open(listen)

/** Keeps nothing of the request but its id. */
class ListenReply implements Listener, Hooks {
  private readonly shared: Shared.Shared
  private readonly response: Response
  private readonly headers: Headers
  private readonly id: RequestId
  private stream: SseStream | undefined
  private subscription: Subscription | undefined

  constructor(shared: Shared.Shared, response: Response, headers: Headers, id: RequestId) {
    this.shared = shared
    this.response = response
    this.headers = headers
    this.id = id
  }

  get tellsEnd(): boolean {
    return false
  }

  open(listen: Listen): void {
    const { headers, response, shared } = this
    this.stream = shared.connections.open(response, Shared.replyHeaders(shared, headers), this)
    this.subscription = listen.open(this)
    shared.subscriptions.add(this.subscription)
    this.onWritable()
  }

  wake(): void {
    Shared.guarded(this.shared, this.response, this.id, this.headers, () => this.onWritable())
  }

  onWritable(): void {
    const { stream, subscription } = this
    if (subscription === undefined || stream === undefined) return
    Sink.pump(subscription, stream)
    if (subscription.state() === "over") stream.end()
  }

  onEnd(): void {
    if (this.subscription === undefined) return
    this.shared.subscriptions.delete(this.subscription)
    this.subscription.close()
  }
}
