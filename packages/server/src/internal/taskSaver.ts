/**
 * Writes of the tasks that run here: one at a time for each, always of its newest state. The end of a task is written
 * until it is stored, or until nobody may ask for it any more.
 */
import * as Task from "@pushbutton/protocol/Task"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { TaskStore, TaskStoreFailed } from "../TaskStore.js"
import type { Run } from "./taskRun.js"

/** One second after a failure, then later and later, at most half a minute. */
const schedule = Schedule.union(Schedule.exponential("1 second"), Schedule.spaced("30 seconds"))

export class TaskSaver {
  private readonly store: TaskStore["Type"]
  /** Tries go on within it. */
  private readonly scope: Scope.Scope
  private readonly gates = new WeakMap<Run, Effect.Semaphore>()

  constructor(store: TaskStore["Type"], scope: Scope.Scope) {
    this.store = store
    this.scope = scope
  }

  save(run: Run): Effect.Effect<void, TaskStoreFailed> {
    return this.alone(
      run,
      Effect.suspend(() => this.store.save({ task: run.task, owner: run.owner }))
    )
  }

  /** Completes after the first try; `stored` is called when one was successful, which may be later. */
  saveEnd(run: Run, stored: () => void): Effect.Effect<void> {
    const done = Effect.sync(stored)
    return Effect.matchEffect(this.tryEnd(run), {
      onFailure: (failure) => {
        const again = this.tryEnd(run).pipe(
          Effect.uninterruptible,
          Effect.retry(schedule),
          Effect.zipRight(done),
          Effect.ignore,
          Effect.interruptible
        )
        return Effect.zipRight(
          Effect.logError("The end of a task was not stored, and is tried again", failure),
          Effect.forkIn(again, this.scope)
        )
      },
      onSuccess: () => done
    })
  }

  /** What has ended and is not stored yet gets a last try. */
  saveLast(run: Run): Effect.Effect<void> {
    if (!Task.isTerminal(run.task)) return Effect.void
    return Effect.catchAll(this.tryEnd(run), (failure) =>
      Effect.logError("The end of a task was not stored", failure)
    )
  }

  private tryEnd(run: Run): Effect.Effect<void, TaskStoreFailed> {
    return this.alone(
      run,
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Task.isExpired(run.task, now)
          ? this.store.remove(run.task.taskId)
          : this.store.save({ task: run.task, owner: run.owner })
      )
    )
  }

  private alone<A, E>(run: Run, effect: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      const gate = this.gates.get(run) ?? Effect.unsafeMakeSemaphore(1)
      this.gates.set(run, gate)
      return gate.withPermits(1)(effect)
    })
  }
}
