/** A transport's side of a subscription that takes messages when the test lets it. */
import type { Listen, Subscription } from "@pushbutton/server/Decision"

export interface Subscriber {
  /** What was taken, decoded. */
  readonly messages: Array<Message>
  readonly subscription: Subscription
  /** False: nothing is taken until `takeAll`. */
  readsAlong: boolean
  /** Takes all there is and gives it. */
  readonly takeAll: () => ReadonlyArray<Message>
  /** How often it was woken. */
  readonly wakes: () => number
}

export interface Message {
  readonly jsonrpc?: string
  readonly method?: string
  readonly id?: unknown
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: unknown
}

export const subscribe = (
  open: Listen["open"],
  { readsAlong = true, tellsEnd = false }: { readonly readsAlong?: boolean; readonly tellsEnd?: boolean } = {}
): Subscriber => {
  const messages: Array<Message> = []
  let wakes = 0
  const takeAll = () => {
    const from = messages.length
    for (let text = subscription.take(); text !== undefined; text = subscription.take()) {
      messages.push(JSON.parse(text))
    }
    return messages.slice(from)
  }
  const subscription = open({
    tellsEnd,
    wake: () => {
      wakes++
      if (subscriber.readsAlong) takeAll()
    }
  })
  const subscriber: Subscriber = { messages, subscription, readsAlong, takeAll, wakes: () => wakes }
  if (readsAlong) takeAll()
  return subscriber
}

/** What a message says, without its envelope: the method and, for updates, the resource. */
export const summary = ({ method, params, result }: Message): string => {
  if (result !== undefined) return "result"
  const name = (method ?? "").replace("notifications/", "")
  return typeof params?.["uri"] === "string" ? `${name} ${params["uri"]}` : name
}
