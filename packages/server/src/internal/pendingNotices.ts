/** What waits to be taken for one subscription or session: of equal events, by key, the newest. */
import * as Protocol from "@pushbutton/protocol/Subscription"

export interface Waiting {
  /** Undefined while nothing waits: an idle subscription keeps no map. */
  pending: Map<string, Protocol.Notice> | undefined
}

const resourcePrefix = "resource "
const eventPrefix = "event "

/** Keys are apart from each other, and from lists, whose keys have no space. */
export const resourceKey = (normal: string): string => `${resourcePrefix}${normal}`
export const eventKey = (key: string): string => `${eventPrefix}${key}`

export const put = (entry: Waiting, key: string, notice: Protocol.Notice): void => {
  entry.pending ??= new Map()
  entry.pending.set(key, notice)
}

export const take = (entry: Waiting): Protocol.Notice | undefined => {
  const first = entry.pending?.entries().next()
  if (first === undefined || first.done === true) return undefined
  const [key, notice] = first.value
  remove(entry, key)
  return notice
}

/** Of the events of extensions: lists and resources are never dropped. */
export const dropOldest = (entry: Waiting): void => {
  for (const key of entry.pending?.keys() ?? []) {
    if (key.startsWith(eventPrefix)) return remove(entry, key)
  }
}

/** Drops the updates of resources that are not named, by their normal spelling, and lie below none that is. */
export const dropUnnamed = (entry: Waiting, isNamed: (normal: string) => boolean): void => {
  for (const key of Array.from(entry.pending?.keys() ?? [])) {
    if (!key.startsWith(resourcePrefix)) continue
    const normal = key.slice(resourcePrefix.length)
    const names = Array.from(Protocol.lengthsOfNames(normal), (length) => normal.slice(0, length))
    if (!names.some(isNamed)) remove(entry, key)
  }
}

const remove = (entry: Waiting, key: string): void => {
  entry.pending?.delete(key)
  if (entry.pending?.size === 0) entry.pending = undefined
}
