/** A list that items leave from anywhere in it, each in constant time. */

export interface Link<A> {
  readonly item: A
  older: Link<A> | undefined
  newer: Link<A> | undefined
}

export class Chain<A> {
  private oldest: Link<A> | undefined
  private newest: Link<A> | undefined
  private count = 0

  get size(): number {
    return this.count
  }

  get first(): Link<A> | undefined {
    return this.oldest
  }

  get last(): Link<A> | undefined {
    return this.newest
  }

  add(item: A): Link<A> {
    const link: Link<A> = { item, older: this.newest, newer: undefined }
    if (this.newest === undefined) this.oldest = link
    else this.newest.newer = link
    this.newest = link
    this.count += 1
    return link
  }

  /** Only for a link of this chain that has not been taken out. */
  take({ newer, older }: Link<A>): void {
    if (older === undefined) this.oldest = newer
    else older.newer = newer
    if (newer === undefined) this.newest = older
    else newer.older = older
    this.count -= 1
  }

  *[Symbol.iterator](): Iterator<A> {
    for (let link = this.oldest; link !== undefined; link = link.newer) yield link.item
  }
}
