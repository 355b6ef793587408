/**
 * The open subscriptions, and the sessions that are told without one. Each is an entry with what waits to be taken for
 * it: no fiber, no queue, and nothing of its request but the id. Equal events that wait are one, so what waits is
 * bounded whatever the peer does.
 */
import type { Implementation } from "@pushbutton/protocol/Implementation"
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import * as Protocol from "@pushbutton/protocol/Subscription"
import * as Uri from "@pushbutton/protocol/Uri"
import type { Listener, Subscription } from "../Decision.js"
import type { ListSources, Seen } from "./listSources.js"
import * as Pending from "./pendingNotices.js"
import * as ResourceNames from "./resourceNames.js"
import { type Room, SessionNames } from "./sessionNames.js"

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
  /** Resources that one session may name, within `maxFilterLength`; a subscription's are bounded before it is opened. */
  readonly maxResources: number
  /** The length of the names of all sessions, with 200 UTF-16 units more for each. */
  readonly maxSessionNames: number
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

/** A legacy session: it is told of lists without asking, and of the resources it has named so far. */
export interface SessionEntry {
  /** False: it names as many resources as it may, or as long ones. What is no URI is named by nobody, nor is anything once it is closed. */
  readonly subscribe: (uri: string) => boolean
  /** What waits for this resource, and for those below, is dropped. */
  readonly unsubscribe: (uri: string) => void
  readonly take: () => string | undefined
  readonly close: () => void
}

export interface Subscribers {
  /** The limit that one more subscription of this caller would exceed. */
  readonly exceeded: (principal: string | undefined) => number | undefined
  readonly open: (opening: Opening, listener: Listener) => Subscription
  readonly openSession: (lists: ReadonlyArray<Protocol.ListMember>, wake: () => void) => SessionEntry
  /** A list may have changed. */
  readonly listChanged: () => void
  /** Tells subscriptions; sessions know no extensions. */
  readonly publish: (event: Event) => void
  readonly resourceUpdated: (uri: string) => void
  /** Compares the lists and gives the subscriptions with something new to take, each once. */
  readonly collect: () => ReadonlyArray<Pick<Listener, "wake">>
  /** The subscriptions that are open, sessions aside. */
  readonly size: () => number
}

interface Entry extends Pending.Waiting {
  readonly granted: Protocol.Granted
  readonly listener: Pick<Listener, "wake">
  readonly seen: Array<Seen>
}

interface ListenEntry extends Entry {
  readonly opening: Opening
  readonly listener: Listener
  step: "acknowledge" | "notify" | "result" | "over"
  isEnding: boolean
}

/** `onEvent` is called when `collect` may have something to give. */
export const make = (limits: Limits, lists: ListSources, onEvent: () => void): Subscribers => {
  const entries = new Set<Entry>()
  const listening = new Set<ListenEntry>()
  const room: Room = { left: limits.maxSessionNames }
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

  const join = (entry: Entry) => {
    entries.add(entry)
    names.add(entry, entry.granted.uris)
  }

  const leave = (entry: Entry) => {
    if (!entries.delete(entry)) return
    touched.delete(entry)
    names.remove(entry, entry.granted.uris)
  }

  const leaveListening = (entry: ListenEntry) => {
    leave(entry)
    if (listening.delete(entry)) count(entry.opening.principal, -1)
  }

  const add = (entry: Entry, key: string, notice: Protocol.Notice) => {
    Pending.put(entry, key, notice)
    touched.add(entry)
    onEvent()
  }

  const isFull = (entry: Entry, key: string): boolean =>
    entry.pending !== undefined && entry.pending.size >= limits.maxPending && !entry.pending.has(key)

  const addLists = (entry: Entry) => {
    for (const member of lists.differing(entry.seen)) add(entry, member, Protocol.listChanged(member))
  }

  const end = (entry: ListenEntry) => {
    if (entry.isEnding || entry.step === "over") return
    addLists(entry)
    entry.isEnding = true
    leaveListening(entry)
    entry.listener.wake()
  }

  const close = (entry: ListenEntry) => {
    entry.step = "over"
    entry.pending = undefined
    leaveListening(entry)
  }

  const subscriptionOf = (entry: ListenEntry): Subscription => ({
    take: () => take(entry, close),
    state: () => (entry.step === "over" ? "over" : entry.isEnding ? "ending" : "open"),
    end: () => end(entry),
    close: () => close(entry)
  })

  const sessionOf = (entry: Entry): SessionEntry => {
    const named = new SessionNames(limits.maxResources, room)
    return {
      subscribe: (uri) => {
        const normal = Uri.normalize(uri)
        if (normal === undefined || named.has(normal) || !entries.has(entry)) return true
        if (!named.add(normal, uri)) return false
        names.add(entry, [uri])
        return true
      },
      unsubscribe: (uri) => {
        const normal = Uri.normalize(uri)
        if (normal === undefined || !named.remove(normal)) return
        names.remove(entry, [uri])
        Pending.dropUnnamed(entry, (name) => named.has(name))
      },
      take: () => {
        const notice = Pending.take(entry)
        return notice === undefined ? undefined : Protocol.encodePlain(notice)
      },
      close: () => {
        entry.pending = undefined
        names.remove(entry, named.clear())
        leave(entry)
      }
    }
  }

  return {
    exceeded: (principal) => {
      if (listening.size >= limits.max) return limits.max
      const own = principal === undefined ? 0 : (perPrincipal.get(principal) ?? 0)
      return own >= limits.maxPerPrincipal ? limits.maxPerPrincipal : undefined
    },
    open: (opening, listener) => {
      const isEmpty = Protocol.isEmpty(opening.granted)
      const entry: ListenEntry = {
        opening,
        granted: opening.granted,
        listener,
        seen: lists.see(opening.granted.lists),
        pending: undefined,
        step: "acknowledge",
        // Nothing can come of an empty filter, so the request is complete with its acknowledgement: no teardown.
        isEnding: isEmpty
      }
      if (!isEmpty) {
        join(entry)
        listening.add(entry)
        count(opening.principal, 1)
      }
      return subscriptionOf(entry)
    },
    openSession: (members, wake) => {
      const entry: Entry = {
        granted: { lists: members, uris: [], extra: {} },
        listener: { wake },
        seen: lists.see(members),
        pending: undefined
      }
      join(entry)
      return sessionOf(entry)
    },
    listChanged: () => {
      if (entries.size === 0) return
      areListsStale = true
      onEvent()
    },
    publish: ({ isFor, key, notice }) => {
      for (const entry of listening) {
        if (!isFor(entry.granted)) continue
        const own = Pending.eventKey(key)
        if (isFull(entry, own)) Pending.dropOldest(entry)
        add(entry, own, notice)
      }
    },
    resourceUpdated: (updated) => {
      const normal = Uri.normalize(updated)
      if (normal === undefined) return
      const key = Pending.resourceKey(normal)
      for (const { name, named, subscriber: entry, uri } of names.receivers(updated, normal)) {
        if (name !== normal && isFull(entry, key)) {
          add(entry, Pending.resourceKey(name), Protocol.resourceUpdated(named))
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
    size: () => listening.size
  }
}

const take = (entry: ListenEntry, close: (entry: ListenEntry) => void): string | undefined => {
  const { granted, id, identity } = entry.opening
  if (entry.step === "over") return undefined
  if (entry.step === "acknowledge") {
    entry.step = "notify"
    return Protocol.encode(id, Protocol.acknowledged(granted))
  }
  const notice = Pending.take(entry)
  if (notice !== undefined) return Protocol.encode(id, notice)
  if (!entry.isEnding) return undefined
  if (entry.step === "notify" && entry.listener.tellsEnd && !Protocol.isEmpty(granted)) {
    entry.step = "result"
    return Protocol.encode(id, Protocol.cancelled(id))
  }
  close(entry)
  return Protocol.encodeResult(id, identity)
}
