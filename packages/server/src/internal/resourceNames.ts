/**
 * Who names which resource, by the normal spelling: an update finds its subscribers at the cost of its own path and
 * of those it finds, whatever else is subscribed to.
 */
import * as Protocol from "@pushbutton/protocol/Subscription"
import * as Uri from "@pushbutton/protocol/Uri"

/** A subscriber that an update is for, through the nearest of the resources that it names. */
export interface Receiver<Subscriber> {
  readonly subscriber: Subscriber
  /** The resource it names, in the normal spelling and in its own. */
  readonly name: string
  readonly named: string
  /** The resource that has changed, spelled as the subscriber spells what it names. */
  readonly uri: string
}

export interface ResourceNames<Subscriber> {
  /** Texts that are no URI count for nothing. */
  readonly add: (subscriber: Subscriber, uris: ReadonlyArray<string>) => void
  readonly remove: (subscriber: Subscriber, uris: ReadonlyArray<string>) => void
  /** Those to tell of an update, each once. `normal` is the normal spelling of `updated`. */
  readonly receivers: (updated: string, normal: string) => Iterable<Receiver<Subscriber>>
}

export const make = <Subscriber>(): ResourceNames<Subscriber> => {
  const subscribersOf = new Map<string, Map<Subscriber, string>>()
  /** How many names have this length, so that a path of thousands of segments is not cut at each of them. */
  const lengths = new Map<number, number>()

  const countLength = (length: number, change: 1 | -1) => {
    const next = (lengths.get(length) ?? 0) + change
    if (next === 0) lengths.delete(length)
    else lengths.set(length, next)
  }

  return {
    add: (subscriber, uris) => {
      for (const uri of uris) {
        const name = Uri.normalize(uri)
        if (name === undefined) continue
        let subscribers = subscribersOf.get(name)
        if (subscribers === undefined) {
          subscribers = new Map()
          subscribersOf.set(name, subscribers)
          countLength(name.length, 1)
        }
        if (!subscribers.has(subscriber)) subscribers.set(subscriber, uri)
      }
    },
    remove: (subscriber, uris) => {
      for (const uri of uris) {
        const name = Uri.normalize(uri)
        if (name === undefined) continue
        const subscribers = subscribersOf.get(name)
        if (subscribers?.delete(subscriber) !== true || subscribers.size > 0) continue
        subscribersOf.delete(name)
        countLength(name.length, -1)
      }
    },
    receivers: (updated, normal) => {
      const found = new Map<Subscriber, Receiver<Subscriber>>()
      if (subscribersOf.size === 0) return found.values()
      for (const length of Protocol.lengthsOfNames(normal)) {
        if (!lengths.has(length)) continue
        const name = normal.slice(0, length)
        for (const [subscriber, named] of subscribersOf.get(name) ?? []) {
          if (found.has(subscriber)) continue
          const uri = updated.startsWith(named) ? updated : named + normal.slice(length)
          found.set(subscriber, { subscriber, name, named, uri })
        }
      }
      return found.values()
    }
  }
}
