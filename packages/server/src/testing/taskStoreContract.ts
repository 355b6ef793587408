/**
 * What every `TaskStore` has to do, as effects that any test runner can run; they move the clock themselves. A case
 * dies with what it found.
 */
import * as Task from "@pushbutton/protocol/Task"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import type { YieldWrap } from "effect/Utils"
import { canonicalJson } from "../internal/canonicalJson.js"
import {
  type Driver,
  fromDriver,
  type Kept,
  type Options,
  type TaskStore,
  TaskStoreFailed
} from "../TaskStore.js"

export class ContractBroken extends Data.TaggedError("ContractBroken")<{
  readonly expectation: string
  readonly found: unknown
}> {
  override get message() {
    return `Expected ${this.expectation}, found ${JSON.stringify(this.found)}`
  }
}

/** Opens the same place each time; the end of the scope is the end of the process that has it open. */
export type Open = (options?: Options) => Effect.Effect<TaskStore["Type"], unknown, Scope.Scope>

export interface Case {
  readonly name: string
  readonly check: (open: Open) => Effect.Effect<void, unknown>
}

export const cases: ReadonlyArray<Case> = [
  {
    name: "gives back a task as it was created",
    check: (open) =>
      inOne(open, function* (store) {
        const kept = task("t-1", { owner: "ann", statusMessage: "é\n", pollIntervalMs: 5 })
        yield* store.create(kept)
        yield* same("the task", yield* store.find("t-1"), kept)
      })
  },
  {
    name: "knows no task that never was, whatever its id",
    check: (open) =>
      inOne(open, function* (store) {
        for (const id of ["t-1", "", "..", "../t-1", "a/b", "%00", "x".repeat(200), "__proto__"]) {
          yield* same(`nothing for ${id}`, yield* store.find(id), undefined)
        }
      })
  },
  {
    name: "keeps every state",
    check: (open) =>
      inOne(open, function* (store) {
        const created = task("t-1")
        yield* store.create(created)
        for (const event of events) {
          const next = { ...created, task: Task.step(created.task, event, 5) }
          yield* store.save(next)
          yield* same(`the task ${next.task.status}`, yield* store.find("t-1"), next)
          if (Task.isTerminal(next.task)) {
            yield* store.remove("t-1")
            yield* store.create(created)
          }
        }
      })
  },
  {
    name: "leaves a task that is over as it is",
    check: (open) =>
      inOne(open, function* (store) {
        const created = task("t-1")
        const done = { ...created, task: Task.step(created.task, { _tag: "Completed", result: {} }, 5) }
        yield* store.create(created)
        yield* store.save(done)
        yield* store.save({ ...created, task: Task.step(created.task, { _tag: "Cancelled" }, 6) })
        yield* same("the task completed", yield* store.find("t-1"), done)
      })
  },
  {
    name: "does not bring back what was removed",
    check: (open) =>
      inOne(open, function* (store) {
        const created = task("t-1")
        yield* store.create(created)
        yield* store.remove("t-1")
        yield* store.remove("t-1")
        yield* store.save(created)
        yield* same("nothing", yield* store.find("t-1"), undefined)
      })
  },
  {
    name: "forgets what is over when its time is, and not before",
    check: (open) =>
      inOne(open, function* (store) {
        const created = task("t-1", { ttlMs: 1000 })
        const done = { ...created, task: Task.step(created.task, { _tag: "Completed", result: {} }, 5) }
        yield* store.create(created)
        yield* store.save(done)
        yield* TestClock.adjust("999 millis")
        yield* same("the task", yield* store.find("t-1"), done)
        yield* TestClock.adjust("1 millis")
        yield* same("nothing", yield* store.find("t-1"), undefined)
      })
  },
  {
    name: "keeps what runs a little beyond its time, and what has none for ever",
    check: (open) =>
      inOne(open, function* (store) {
        const running = task("t-1", { ttlMs: 1000 })
        const eternal = task("t-2", { ttlMs: null })
        const done = { ...eternal, task: Task.step(eternal.task, { _tag: "Cancelled" }, 5) }
        yield* store.create(running)
        yield* store.create(eternal)
        yield* store.save(done)
        yield* TestClock.adjust("61 seconds")
        yield* same("the task that runs", yield* store.find("t-1"), running)
        yield* TestClock.adjust("1 millis")
        yield* same("it failed", (yield* store.find("t-1"))?.task.status, "failed")
        yield* TestClock.adjust("10000 days")
        yield* same("the task without an end", yield* store.find("t-2"), done)
      })
  },
  {
    name: "refuses tasks beyond the limits until the time of others is over",
    check: (open) =>
      inOne(
        open,
        function* (store) {
          yield* store.create(task("t-1", { owner: "ann", ttlMs: 1000 }))
          yield* store.create(task("t-2", { owner: "ann", ttlMs: 1000 }))
          yield* same("a limit of 2", yield* refusal(store, task("t-3", { owner: "ann" })), 2)
          yield* store.create(task("t-3", { owner: "ben" }))
          yield* store.create(task("t-4"))
          yield* same("a limit of 4", yield* refusal(store, task("t-5")), 4)
          yield* same("nothing", yield* store.find("t-5"), undefined)
          const over = task("t-1", { owner: "ann", ttlMs: 1000 })
          yield* store.save({ ...over, task: Task.step(over.task, { _tag: "Cancelled" }, 5) })
          yield* TestClock.adjust("1 second")
          yield* store.create(task("t-5", { owner: "ann" }))
        },
        { max: 4, maxPerOwner: 2 }
      )
  },
  {
    name: "tells after a restart that what was running has failed, and keeps the rest",
    check: (open) =>
      Effect.gen(function* () {
        const running = task("t-1", { owner: "ann", ttlMs: 1000 })
        const done = task("t-2", { ttlMs: 60_000 })
        const over = { ...done, task: Task.step(done.task, { _tag: "Completed", result: { a: 1 } }, 5) }
        const asking = Task.step(task("t-3").task, asked, 5)
        yield* inOne(open, function* (store) {
          yield* store.create(running)
          yield* store.create(done)
          yield* store.save(over)
          yield* store.create({ task: asking, owner: undefined })
        })
        yield* TestClock.adjust("2 seconds")
        yield* inOne(open, function* (store) {
          yield* same("the task that is over", yield* store.find("t-2"), over)
          const lost = yield* store.find("t-1")
          yield* same("ann's task failed", [lost?.owner, lost?.task.status], ["ann", "failed"])
          const error = lost?.task.status === "failed" ? lost.task.error : undefined
          yield* same("an internal error", error?.code, -32603)
          yield* same("a reason to read", error?.message.includes("stopped while the task was running"), true)
          yield* same("the other failed", (yield* store.find("t-3"))?.task.status, "failed")
        })
        yield* inOne(open, function* (store) {
          yield* same("it to stay failed", (yield* store.find("t-1"))?.task.status, "failed")
          yield* TestClock.adjust("10 minutes")
          yield* same("nothing in the end", yield* store.find("t-1"), undefined)
        })
      })
  },
  {
    name: "counts what was kept before a restart",
    check: (open) =>
      Effect.gen(function* () {
        yield* inOne(open, function* (store) {
          yield* store.create(task("t-1", { owner: "ann" }))
        })
        yield* inOne(
          open,
          function* (store) {
            yield* same("a limit of 1", yield* refusal(store, task("t-2", { owner: "ann" })), 1)
          },
          { maxPerOwner: 1 }
        )
      })
  },
  {
    name: "leaves alone what another process runs that has it open too",
    check: (open) =>
      inOne(open, function* (first) {
        const running = task("t-1")
        yield* first.create(running)
        yield* inOne(open, function* (second) {
          yield* same("the task of the first", yield* second.find("t-1"), running)
        })
        yield* same("the task", yield* first.find("t-1"), running)
      })
  }
]

/** A driver whose writes and removals fail while it is broken. */
export const breakable = (driver: Driver) => {
  let isBroken = false
  const failing = <A>(effect: Effect.Effect<A, TaskStoreFailed>) =>
    Effect.suspend(() => (isBroken ? new TaskStoreFailed({ detail: "ENOSPC" }) : effect))
  const become = (broken: boolean) =>
    Effect.sync(() => {
      isBroken = broken
    })
  return {
    driver: {
      ...driver,
      write: (key: string, text: string) => failing(driver.write(key, text)),
      remove: (key: string) => failing(driver.remove(key))
    },
    fail: become(true),
    mend: become(false)
  }
}

/** What a store over a driver has to do when its writes fail after a task was created. */
export const brokenCases: ReadonlyArray<{
  readonly name: string
  readonly check: (driver: Driver) => Effect.Effect<void, unknown>
}> = [
  {
    name: "tells that a state could not be kept, has the state of before, and takes the new one later",
    check: (inner) =>
      Effect.gen(function* () {
        const { driver, fail, mend } = breakable(inner)
        const store = yield* fromDriver(driver)
        const created = task("t-1")
        const done = { ...created, task: Task.step(created.task, { _tag: "Completed", result: {} }, 5) }
        yield* store.create(created)
        yield* fail
        yield* same("a failure", (yield* Effect.flip(store.save(done)))._tag, "TaskStoreFailed")
        yield* same("the task as it was", yield* store.find("t-1"), created)
        yield* mend
        yield* store.save(done)
        yield* same("the task completed", yield* store.find("t-1"), done)
      })
  },
  {
    name: "tells that a task could not be removed, and removes it later",
    check: (inner) =>
      Effect.gen(function* () {
        const { driver, fail, mend } = breakable(inner)
        const store = yield* fromDriver(driver)
        yield* store.create(task("t-1"))
        yield* fail
        yield* same("a failure", (yield* Effect.flip(store.remove("t-1")))._tag, "TaskStoreFailed")
        yield* mend
        yield* store.remove("t-1")
        yield* same("nothing", yield* store.find("t-1"), undefined)
      })
  }
]

const asked: Task.Event = { _tag: "Asked", requests: { "a/b": { method: "roots/list" } } }

const events: ReadonlyArray<Task.Event> = [
  asked,
  { _tag: "Told", message: "half" },
  { _tag: "Completed", result: { content: [{ type: "text", text: "\u2028" }], nested: { deep: [null] } } },
  { _tag: "Failed", error: { code: -1, message: "No", data: { why: [1] } } },
  { _tag: "Failed", error: { code: -1, message: "No" } },
  { _tag: "Cancelled", message: "Enough" }
]

const task = (
  taskId: string,
  {
    owner,
    ttlMs = 3_600_000,
    ...members
  }: Partial<Pick<Task.Task, "ttlMs" | "statusMessage" | "pollIntervalMs">> & { readonly owner?: string } = {}
): Kept => ({
  task: { taskId, status: "working", createdAt: 0, lastUpdatedAt: 0, ttlMs, issued: [], ...members },
  owner
})

/** Runs in one opening, which is closed at the end. */
const inOne = (
  open: Open,
  body: (store: TaskStore["Type"]) => Generator<YieldWrap<Effect.Effect<unknown, unknown>>, void, never>,
  options?: Options
): Effect.Effect<void, unknown> =>
  Effect.scoped(Effect.flatMap(open(options), (store) => Effect.gen(() => body(store))))

const refusal = (store: TaskStore["Type"], kept: Kept): Effect.Effect<number | undefined, unknown> =>
  Effect.map(Effect.either(store.create(kept)), (created) =>
    Either.isLeft(created) && created.left._tag === "TooManyTasks" ? created.left.limit : undefined
  )

const same = (expectation: string, found: unknown, expected: unknown): Effect.Effect<void> =>
  Effect.suspend(() =>
    canonical(found) === canonical(expected)
      ? Effect.void
      : Effect.die(new ContractBroken({ expectation, found }))
  )

const canonical = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify([value])))
