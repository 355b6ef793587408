/** The resources that one session names, within bounds of its own and of all sessions together. */
import * as Protocol from "@pushbutton/protocol/Subscription"

/** What is left for all sessions, in UTF-16 units. */
export interface Room {
  left: number
}

/** What a name costs besides its length, where it is kept. */
const overhead = 200

export class SessionNames {
  /** As the session spelled them, by the normal spelling. */
  private readonly named = new Map<string, string>()
  private readonly most: number
  private readonly shared: Room
  private room = Protocol.maxFilterLength

  constructor(most: number, shared: Room) {
    this.most = most
    this.shared = shared
  }

  has(normal: string): boolean {
    return this.named.has(normal)
  }

  /** False: there is no room. It must not be named already. */
  add(normal: string, uri: string): boolean {
    const length = lengthOf(normal, uri)
    if (this.named.size >= this.most || length > this.room || length + overhead > this.shared.left)
      return false
    this.room -= length
    this.shared.left -= length + overhead
    this.named.set(normal, uri)
    return true
  }

  /** False: it was not named. */
  remove(normal: string): boolean {
    const uri = this.named.get(normal)
    if (uri === undefined) return false
    const length = lengthOf(normal, uri)
    this.room += length
    this.shared.left += length + overhead
    return this.named.delete(normal)
  }

  /** Gives those that there were. */
  clear(): ReadonlyArray<string> {
    const uris = Array.from(this.named.values())
    for (const normal of Array.from(this.named.keys())) this.remove(normal)
    return uris
  }
}

/** What a name takes up, as in the filter of a subscription. */
const lengthOf = (normal: string, uri: string): number => Math.max(uri.length, normal.length)
