/** What a store knows of the tasks that it keeps: whose they are, how much they are, and until when. */
import * as Task from "@pushbutton/protocol/Task"
import type { Kept } from "../TaskStore.js"

interface Entry {
  readonly owner: string | undefined
  readonly expiresAt: number | undefined
  readonly isOver: boolean
  readonly size: number
}

export interface Limits {
  readonly max: number
  readonly maxPerOwner: number
  readonly maxSize: number
}

export class TaskLedger {
  private readonly entries = new Map<string, Entry>()
  private readonly perOwner = new Map<string, number>()
  /** Sizes of tasks of earlier openings, of which nothing else is known yet. */
  private readonly unread = new Map<string, number>()
  private size = 0

  /** What earlier openings have left. */
  found(left: ReadonlyArray<{ readonly key: string; readonly size: number }>): void {
    for (const { key, size } of left) {
      if (this.entries.has(key) || this.unread.has(key)) continue
      this.unread.set(key, size)
      this.size += size
    }
  }

  enter(taskId: string, { owner, task }: Kept, size: number): void {
    this.leave(taskId)
    this.entries.set(taskId, { owner, expiresAt: Task.expiresAt(task), isOver: Task.isTerminal(task), size })
    this.size += size
    this.count(owner, 1)
  }

  leave(taskId: string): void {
    const entry = this.entries.get(taskId)
    this.size -= entry?.size ?? this.unread.get(taskId) ?? 0
    this.unread.delete(taskId)
    if (entry === undefined) return
    this.entries.delete(taskId)
    this.count(entry.owner, -1)
  }

  /** Whether a task is kept that is not over. */
  isGoingOn(taskId: string): boolean {
    return this.entries.get(taskId)?.isOver === false
  }

  /** One of an earlier opening that is not known yet, with its size. */
  nextUnread(): readonly [taskId: string, size: number] | undefined {
    for (const next of this.unread) return next
    return undefined
  }

  /** How many tasks are too many for one more of this owner; undefined when there is room. */
  exceeded(owner: string | undefined, { max, maxPerOwner, maxSize }: Limits): number | undefined {
    const count = this.entries.size + this.unread.size
    if (count >= max) return max
    if (this.size >= maxSize) return count
    return owner !== undefined && (this.perOwner.get(owner) ?? 0) >= maxPerOwner ? maxPerOwner : undefined
  }

  /** What is over and whose time is. */
  gone(now: number): ReadonlyArray<string> {
    return Array.from(this.entries).flatMap(([taskId, { expiresAt, isOver }]) =>
      isOver && expiresAt !== undefined && expiresAt <= now ? [taskId] : []
    )
  }

  private count(owner: string | undefined, change: 1 | -1): void {
    if (owner === undefined) return
    const next = (this.perOwner.get(owner) ?? 0) + change
    if (next === 0) this.perOwner.delete(owner)
    else this.perOwner.set(owner, next)
  }
}
