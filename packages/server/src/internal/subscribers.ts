/**
 * The open subscriptions. Each is an entry with what waits to be taken for it: no fiber, no queue, and nothing of
 * its request but the id. Equal events that wait are one, so what waits is bounded whatever the peer does.
 */
import type { Implementation } from "@pushbutton/protocol/Implementation"
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import * as Protocol from "@pushbutton/protocol/Subscription"
import * as Uri from "@pushbutton/protocol/Uri"
import type { Listener, Subscription } from "../Decision.js"
import type { ListSources, Seen } from "./listSources.js"
import * as ResourceNames from "./resourceNames.js"

export interface Limits {
  /** Subscriptions that may be open at a time. */
  readonly max: number
  /** The same for one verified caller. Callers that nobody verifies count in `max` only. */
  readonly maxPerPrincipal: number
  /**
   * Events that may wait for one subscription. Beyond, updates below a resource that it names become one update of
   * that resource, and of the events of extensions the oldest is dropped.
   */
  readonly maxPending: number
}

/** Something that happened. */
export interface Event {
  /** Of the events with one key that wait, only the newest is sent. */
  readonly key: string
  readonly notice: Protocol.Notice
  readonly isFor: (granted: Protocol.Granted) => boolean
}

export interface Opening {
  readonly id: RequestId
  readonly granted: Protocol.Granted
  readonly principal: string | undefined
  readonly identity: Implementation
}

export interface Subscribers {
  /** The limit that one more subscription of this caller would exceed. */
  readonly exceeded: (principal: string | undefined) => number | undefined
  readonly open: (opening: Opening, listener: Listener) => Subscription
  /** A list may have changed. */
  readonly listChanged: () => void
  readonly publish: (event: Event) => void
  readonly resourceUpdated: (uri: string) => void
  /** Compares the lists and gives the subscriptions with something new to take, each once. */
  readonly collect: () => ReadonlyArray<Listener>
  readonly size: () => number
}

interface Entry {
  readonly opening: Opening
  readonly listener: Listener
  readonly seen: Array<Seen>
  pending: Map<string, Protocol.Notice> | undefined
  step: "acknowledge" | "notify" | "result" | "over"
  isEnding: boolean
}

/** `onEvent` is called when `collect` may have something to give. */
export const make = (limits: Limits, lists: ListSources, onEvent: () => void): Subscribers => {
  const entries = new Set<Entry>()
  const names = ResourceNames.make<Entry>()
  const perPrincipal = new Map<string, number>()
  let touched = new Set<Entry>()
  let areListsStale = false

  const count = (principal: string | undefined, change: 1 | -1) => {
    if (principal === undefined) return
    const next = (perPrincipal.get(principal) ?? 0) + change
    if (next === 0) perPrincipal.delete(principal)
    else perPrincipal.set(principal, next)
  }

  const leave = (entry: Entry) => {
    if (!entries.delete(entry)) return
    touched.delete(entry)
    names.remove(entry, entry.opening.granted.uris)
    count(entry.opening.principal, -1)
  }

  const add = (entry: Entry, key: string, notice: Protocol.Notice) => {
    entry.pending ??= new Map()
    entry.pending.set(key, notice)
    touched.add(entry)
    onEvent()
  }

  const isFull = (entry: Entry, key: string): boolean =>
    entry.pending !== undefined && entry.pending.size >= limits.maxPending && !entry.pending.has(key)

  const addLists = (entry: Entry) => {
    for (const member of lists.differing(entry.seen)) add(entry, member, Protocol.listChanged(member))
  }

  const end = (entry: Entry) => {
    if (entry.isEnding || entry.step === "over") return
    addLists(entry)
    entry.isEnding = true
    leave(entry)
    entry.listener.wake()
  }

  const close = (entry: Entry) => {
    entry.step = "over"
    entry.pending = undefined
    leave(entry)
  }

  const subscriptionOf = (entry: Entry): Subscription => ({
    take: () => take(entry, close),
    state: () => (entry.step === "over" ? "over" : entry.isEnding ? "ending" : "open"),
    end: () => end(entry),
    close: () => close(entry)
  })

  return {
    exceeded: (principal) => {
      if (entries.size >= limits.max) return limits.max
      const own = principal === undefined ? 0 : (perPrincipal.get(principal) ?? 0)
      return own >= limits.maxPerPrincipal ? limits.maxPerPrincipal : undefined
    },
    open: (opening, listener) => {
      const isEmpty = Protocol.isEmpty(opening.granted)
      const entry: Entry = {
        opening,
        listener,
        seen: lists.see(opening.granted.lists),
        pending: undefined,
        step: "acknowledge",
        // Nothing can come of an empty filter, so the request is complete with its acknowledgement: no teardown.
        isEnding: isEmpty
      }
      if (!isEmpty) {
        entries.add(entry)
        names.add(entry, opening.granted.uris)
        count(opening.principal, 1)
      }
      return subscriptionOf(entry)
    },
    listChanged: () => {
      if (entries.size === 0) return
      areListsStale = true
      onEvent()
    },
    publish: ({ isFor, key, notice }) => {
      for (const entry of entries) {
        if (!isFor(entry.opening.granted)) continue
        const own = eventKey(key)
        if (isFull(entry, own)) dropOldest(entry)
        add(entry, own, notice)
      }
    },
    resourceUpdated: (updated) => {
      const normal = Uri.normalize(updated)
      if (normal === undefined) return
      const key = resourceKey(normal)
      for (const { name, named, subscriber: entry, uri } of names.receivers(updated, normal)) {
        if (name !== normal && isFull(entry, key)) {
          add(entry, resourceKey(name), Protocol.resourceUpdated(named))
        } else add(entry, key, Protocol.resourceUpdated(uri))
      }
    },
    collect: () => {
      if (areListsStale) for (const entry of entries) addLists(entry)
      areListsStale = false
      const changed = touched
      touched = new Set()
      return Array.from(changed, ({ listener }) => listener)
    },
    size: () => entries.size
  }
}

/** Apart from each other, and from lists, whose keys have no space. */
const resourceKey = (normal: string): string => `resource ${normal}`
const eventKey = (key: string): string => `${eventPrefix}${key}`

const eventPrefix = "event "

/** Of the events of extensions: lists and resources are never dropped. */
const dropOldest = ({ pending }: Entry): void => {
  for (const key of pending?.keys() ?? []) {
    if (!key.startsWith(eventPrefix)) continue
    pending?.delete(key)
    return
  }
}

const take = (entry: Entry, close: (entry: Entry) => void): string | undefined => {
  const { granted, id, identity } = entry.opening
  if (entry.step === "over") return undefined
  if (entry.step === "acknowledge") {
    entry.step = "notify"
    return Protocol.encode(id, Protocol.acknowledged(granted))
  }
  const notice = takePending(entry)
  if (notice !== undefined) return Protocol.encode(id, notice)
  if (!entry.isEnding) return undefined
  if (entry.step === "notify" && entry.listener.tellsEnd && !Protocol.isEmpty(granted)) {
    entry.step = "result"
    return Protocol.encode(id, Protocol.cancelled(id))
  }
  close(entry)
  return Protocol.encodeResult(id, identity)
}

const takePending = (entry: Entry): Protocol.Notice | undefined => {
  const first = entry.pending?.entries().next()
  if (first === undefined || first.done === true) return undefined
  const [key, notice] = first.value
  entry.pending?.delete(key)
  // An idle subscription keeps no map.
  if (entry.pending?.size === 0) entry.pending = undefined
  return notice
}
