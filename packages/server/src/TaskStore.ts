/**
 * Where tasks are kept: a record for each, as text above a driver, until its time is over. A record that says a task
 * is running is believed only while whoever runs it is alive. What is over stays as it is.
 */

import { TooManyTasks } from "@pushbutton/protocol/ProtocolError"
import * as Task from "@pushbutton/protocol/Task"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Limits, TaskLedger } from "./internal/taskLedger.js"
import * as Record from "./internal/taskRecord.js"

/** The place where tasks are kept cannot be read or written. */
export class TaskStoreFailed extends Data.TaggedError("TaskStoreFailed")<{ readonly detail: string }> {
  override get message() {
    return `Tasks cannot be kept: ${this.detail}`
  }
}

export interface Kept {
  readonly task: Task.Task
  /** Whose task it is; undefined where nobody is verified. */
  readonly owner: string | undefined
}

export class TaskStore extends Context.Tag("@pushbutton/server/TaskStore")<
  TaskStore,
  {
    /** A new task, run from here. It is found from the moment this completes, whatever happens to the process. */
    readonly create: (kept: Kept) => Effect.Effect<void, TooManyTasks | TaskStoreFailed>
    /** The newer state of a task. Does nothing for one that is over, or gone. */
    readonly save: (kept: Kept) => Effect.Effect<void, TaskStoreFailed>
    /** Undefined for a task that never was, or whose time is over. */
    readonly find: (taskId: string) => Effect.Effect<Kept | undefined, TaskStoreFailed>
    readonly remove: (taskId: string) => Effect.Effect<void, TaskStoreFailed>
  }
>() {}

/** Texts by key. Keys are letters, digits, `-` and `_`. */
export interface Driver {
  /** Names this opening of the store among all there are and ever will be. */
  readonly runner: string
  /** Whether the work of an opening, of this process or another, may still be going on. */
  readonly isAlive: (runner: string) => Effect.Effect<boolean>
  readonly read: (key: string) => Effect.Effect<string | undefined, TaskStoreFailed>
  /** Completes when the text would outlive the process, as far as the driver can bring that about. */
  readonly write: (key: string, text: string) => Effect.Effect<void, TaskStoreFailed>
  readonly remove: (key: string) => Effect.Effect<void, TaskStoreFailed>
  /** With how much they hold, in bytes or about. Asked for before the first new task. */
  readonly keys: Effect.Effect<
    ReadonlyArray<{ readonly key: string; readonly size: number }>,
    TaskStoreFailed
  >
}

export interface Options {
  /** Tasks that are kept at a time, running or over; 10,000 when left out. */
  readonly max?: number | undefined
  /** The same for one verified caller; 1,000 when left out. Callers that nobody verifies count in `max` only. */
  readonly maxPerOwner?: number | undefined
  /** No new task is kept beyond that, in bytes or about; 256 MiB when left out. What runs may grow beyond it. */
  readonly maxSize?: number | undefined
}

/** How long after its time a task that seems to be running is given up, in milliseconds. */
const slack = 60_000
/** How long a task whose runner died can still be asked about, in milliseconds. */
const keptLost = 600_000
const sweepEvery = 60_000

/** How much of what earlier openings have left is looked at for each new task. */
const readSize = 1_048_576

/**
 * Opens a store: tasks that were running when their process died have failed from here on. What is there is read when
 * somebody asks for it, or for room.
 */
export const fromDriver = (
  driver: Driver,
  { max = 10_000, maxPerOwner = 1000, maxSize = 268_435_456 }: Options = {}
): Effect.Effect<TaskStore["Type"]> => Effect.sync(() => make(driver, { max, maxPerOwner, maxSize }))

const make = (driver: Driver, limits: Limits): TaskStore["Type"] => {
  const ledger = new TaskLedger()
  let isListed = false
  let sweepAt = 0

  const remove = (taskId: string) =>
    Effect.zipRight(
      Effect.sync(() => ledger.leave(taskId)),
      driver.remove(taskId)
    )

  const encode = (kept: Kept) => Record.encode({ ...kept, runner: driver.runner })

  const write = (kept: Kept) =>
    Effect.suspend(() => {
      const text = encode(kept)
      return Effect.tap(driver.write(kept.task.taskId, text), () =>
        Effect.sync(() => ledger.enter(kept.task.taskId, kept, text.length))
      )
    })

  const list = Effect.gen(function* () {
    if (isListed) return
    ledger.found(yield* driver.keys)
    isListed = true
  })

  /** Finds out about tasks of earlier openings, up to a size of all; one that cannot be read is not counted. */
  const readUp = (total: number) =>
    Effect.gen(function* () {
      let left = total
      for (let next = ledger.nextUnread(); next !== undefined && left > 0; next = ledger.nextUnread()) {
        const [taskId, size] = next
        left -= size
        ledger.leave(taskId)
        const kept = yield* Effect.orElseSucceed(find(taskId), () => undefined)
        if (kept !== undefined) ledger.enter(taskId, kept, size)
      }
    })

  /** Forgets what is over and whose time is; what cannot be removed now is tried again when it is next in the way. */
  const sweep = (now: number) =>
    Effect.suspend(() => {
      sweepAt = now + sweepEvery
      return Effect.forEach(ledger.gone(now), (taskId) => Effect.ignore(remove(taskId)), { discard: true })
    })

  /** Makes room for one more. */
  const enter = Effect.fnUntraced(function* (owner: string | undefined, now: number) {
    yield* list
    yield* readUp(readSize)
    if (ledger.exceeded(owner, limits) !== undefined) yield* readUp(Number.POSITIVE_INFINITY)
    if (now >= sweepAt || ledger.exceeded(owner, limits) !== undefined) yield* sweep(now)
    const limit = ledger.exceeded(owner, limits)
    if (limit !== undefined) return yield* new TooManyTasks({ limit })
  })

  const find = Effect.fnUntraced(function* (taskId: string) {
    if (!legalKey.test(taskId)) return undefined
    const text = yield* driver.read(taskId)
    const record = text === undefined ? undefined : Record.decode(text)
    if (record === undefined) return undefined
    const now = yield* Clock.currentTimeMillis
    const { owner, runner, task } = record
    if (Task.isTerminal(task)) {
      if (!Task.isExpired(task, now)) return { task, owner }
      yield* remove(taskId)
      return undefined
    }
    if (yield* isRunning(driver, runner, task, now)) return { task, owner }
    const kept = { task: Task.keptUntil(Task.step(task, lost, now), now + keptLost), owner }
    yield* write(kept)
    return kept
  })

  return TaskStore.of({
    create: Effect.fnUntraced(function* (kept) {
      const { owner, task } = kept
      yield* enter(owner, yield* Clock.currentTimeMillis)
      if (!legalKey.test(task.taskId)) {
        return yield* new TaskStoreFailed({ detail: "a task id has illegal characters" })
      }
      const text = encode(kept)
      // Counted before it is written, so that none of those that come at the same time takes its room.
      ledger.enter(task.taskId, kept, text.length)
      yield* Effect.tapError(driver.write(task.taskId, text), () =>
        Effect.sync(() => ledger.leave(task.taskId))
      )
    }),
    save: (kept) => Effect.suspend(() => (ledger.isGoingOn(kept.task.taskId) ? write(kept) : Effect.void)),
    find,
    remove
  })
}

/** Keeps tasks as long as the process lives. */
export const layerMemory = (options: Options = {}): Layer.Layer<TaskStore> =>
  Layer.effect(TaskStore, makeMemory(options))

export const makeMemory = (options: Options = {}): Effect.Effect<TaskStore["Type"]> =>
  Effect.suspend(() => fromDriver(memoryDriver(new Map()), options))

/** A driver over a map. Only this opening is alive; several over one map are a process that starts again. */
export const memoryDriver = (texts: Map<string, string>, runner = "memory"): Driver => ({
  runner,
  isAlive: (other) => Effect.succeed(other === runner),
  read: (key) => Effect.sync(() => texts.get(key)),
  write: (key, text) => Effect.sync(() => void texts.set(key, text)),
  remove: (key) => Effect.sync(() => void texts.delete(key)),
  keys: Effect.sync(() => Array.from(texts, ([key, { length }]) => ({ key, size: length })))
})

/** Ids come from clients and become keys, which may be file names. */
const legalKey = /^[A-Za-z0-9_-]{1,128}$/

/**
 * Whoever runs a task ends it when its time is over, so one that is far beyond was left by a process that died, or
 * could not write its end.
 */
const isRunning = (driver: Driver, runner: string, task: Task.Task, now: number): Effect.Effect<boolean> => {
  if (Task.isExpired(task, now - slack - 1)) return Effect.succeed(false)
  return runner === driver.runner ? Effect.succeed(true) : driver.isAlive(runner)
}

const lost: Task.Event = {
  _tag: "Failed",
  error: Task.interrupted("The server stopped while the task was running, and the work may be unfinished")
}
