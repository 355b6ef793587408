/** The tasks that run here, by id: how they come to be, change, are asked about, and end. */
import * as Capabilities from "@pushbutton/protocol/Capabilities"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Task from "@pushbutton/protocol/Task"
import * as TaskMessage from "@pushbutton/protocol/TaskMessage"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type * as Scope from "effect/Scope"
import { RandomBytes } from "../RandomBytes.js"
import type { Caller, Subscriptions } from "../Subscriptions.js"
import type { TaskStore, TaskStoreFailed } from "../TaskStore.js"
import type { Options, Tasks } from "../Tasks.js"
import * as Allowance from "./allowance.js"
import type { Answer, Question } from "./asking.js"
import * as Base64Url from "./base64url.js"
import { Newest } from "./newest.js"
import { isWaiting, type Reason, Run } from "./taskRun.js"
import { TaskSaver } from "./taskSaver.js"

export const make = (
  options: Options,
  store: TaskStore["Type"],
  subscriptions: Subscriptions["Type"]
): Effect.Effect<Tasks["Type"], never, Scope.Scope> =>
  Effect.flatMap(Effect.scope, (scope) => {
    const { endAll, tasks } = makeIn(scope, options, store, subscriptions)
    return Effect.as(
      Effect.addFinalizer(() => endAll({ _tag: "Shutdown" })),
      tasks
    )
  })

const makeIn = (
  scope: Scope.Scope,
  options: Options,
  store: TaskStore["Type"],
  subscriptions: Subscriptions["Type"]
) => {
  const ttl = Duration.toMillis(options.ttl ?? "1 hour")
  const keep = Duration.toMillis(options.keep ?? "10 minutes")
  const pollIntervalMs = Math.max(1, Math.round(Duration.toMillis(options.pollInterval ?? "1 second")))
  const max = options.maxRunning ?? 1000
  const maxPerPrincipal = options.maxRunningPerPrincipal ?? 64
  const runs = new Map<string, Run>()
  const saver = new TaskSaver(store, scope)
  const progress = Allowance.limit(options.progress)
  const told = new WeakMap<Run, Newest<string>>()
  let isClosed = false

  /** Without those whose end is not stored yet. */
  const active = () => Array.from(runs.values()).filter(({ task }) => !Task.isTerminal(task))

  const exceeded = (owner: string | undefined): number | undefined => {
    const running = active()
    if (running.length >= max) return max
    if (owner === undefined) return undefined
    const own = running.filter((run) => run.owner === owner)
    return own.length >= maxPerPrincipal ? maxPerPrincipal : undefined
  }

  const create = Effect.fnUntraced(function* ({ clientCapabilities, principal }: Caller) {
    if (isClosed) return yield* new ProtocolError.ShuttingDown()
    const limit = exceeded(principal)
    if (limit !== undefined) return yield* new ProtocolError.TooManyTasks({ limit })
    const now = yield* Clock.currentTimeMillis
    const taskId = Base64Url.encode(yield* (yield* RandomBytes).next(idBytes))
    const task: Task.Task = {
      taskId,
      status: "working",
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: Number.isFinite(ttl) ? Math.ceil(ttl) : null,
      pollIntervalMs,
      issued: []
    }
    const run = new Run(task, principal, clientCapabilities)
    // Counted from here on, so that several at once stay within the limit.
    runs.set(taskId, run)
    yield* store.create({ task, owner: principal }).pipe(
      Effect.tapErrorCause(() => Effect.sync(() => void runs.delete(taskId))),
      Effect.catchTag("TaskStoreFailed", unkept)
    )
    return run
  }, Effect.uninterruptible)

  /** Whether the event changed anything. Subscribers are told; whether it is stored is for the caller to see to. */
  const change = (run: Run, event: Task.Event) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const next = Task.step(run.task, event, now)
      if (next === run.task) return Effect.succeed(false)
      run.task = Task.isTerminal(next) ? Task.keptUntil(next, now + keep) : next
      const { taskId } = run.task
      return Effect.as(
        subscriptions.publish({
          key: `tasks/${taskId}`,
          notice: TaskMessage.notice(run.task),
          isFor: ({ extra }) => namesTask(extra["taskIds"], taskId)
        }),
        true
      )
    })

  /** A state on the way that cannot be stored costs nothing but the knowledge of it elsewhere. */
  const changeAndSave = (run: Run, event: Task.Event) =>
    Effect.flatMap(change(run, event), (changed) =>
      changed
        ? Effect.catchAll(saver.save(run), (failure) =>
            Effect.logWarning("A task's state was not stored", failure)
          )
        : Effect.void
    )

  const forget = (run: Run) => {
    runs.delete(run.task.taskId)
  }

  /** Each new status message may be pushed to many. */
  const messages = (run: Run): Newest<string> => {
    const existing = told.get(run)
    if (existing !== undefined) return existing
    const newest = new Newest<string>(
      progress,
      (message) => Effect.asVoid(change(run, { _tag: "Told", message })),
      (effect) => Effect.forkIn(Effect.interruptible(effect), scope)
    )
    told.set(run, newest)
    return newest
  }

  const lookup = (taskId: string, { principal }: Caller) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const run = runs.get(taskId)
      const found =
        run === undefined
          ? Effect.catchAll(store.find(taskId), unkept)
          : Effect.succeed({ task: run.task, owner: run.owner })
      return Effect.flatMap(found, (kept) =>
        kept === undefined || kept.owner !== principal || isOver(kept.task, now)
          ? Effect.fail(new ProtocolError.UnknownTask({ taskId }))
          : Effect.succeed({ task: kept.task, run })
      )
    })

  /** The run of a task; undefined where there is nothing left to do about it. */
  const lookupRun = (taskId: string, caller: Caller) =>
    Effect.flatMap(lookup(taskId, caller), ({ run, task }) =>
      run === undefined && !Task.isTerminal(task)
        ? Effect.fail(new ProtocolError.TaskElsewhere({ taskId }))
        : Effect.succeed(run)
    )

  const ask: Tasks["Type"]["ask"] = (run, questions) =>
    Effect.suspend(() => {
      const required = lacking(questions, run.clientCapabilities)
      if (required !== undefined) {
        run.end({ _tag: "Lacking", required })
        return Effect.interrupt
      }
      const { found, requests } = run.ask(questions)
      return changeAndSave(run, { _tag: "Asked", requests }).pipe(
        Effect.zipRight(
          Effect.forEach(found, (one) =>
            isWaiting(one) ? Deferred.await(one.response) : Effect.succeed(one)
          )
        ),
        Effect.map((responses) => responses.map((response): Answer => ({ _tag: "Response", response }))),
        Effect.onInterrupt(() => changeAndSave(run, { _tag: "Closed", keys: run.withdraw(found) }))
      )
    })

  const endAll = (reason: Reason) =>
    Effect.suspend(() => {
      isClosed = true
      for (const run of runs.values()) run.end(reason)
      return Effect.zipRight(
        Effect.forEach(
          Array.from(runs.values()),
          ({ fiber }) => (fiber === undefined ? Effect.void : Fiber.await(fiber)),
          { discard: true }
        ),
        Effect.suspend(() =>
          Effect.forEach(Array.from(runs.values()), (run) => saver.saveLast(run), { discard: true })
        )
      )
    })

  const tasks: Tasks["Type"] = {
    create,
    own: (run) => {
      const { createdAt, ttlMs } = run.task
      if (ttlMs === null) return Effect.void
      const expire = Effect.sync(() => {
        if (!Task.isTerminal(run.task)) run.end({ _tag: "Expired" })
      })
      const timer = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.delay(expire, Duration.millis(Math.max(0, createdAt + ttlMs - now)))
      )
      return Effect.map(Effect.forkDaemon(Effect.interruptible(timer)), (fiber) => {
        // The work may have ended meanwhile.
        if (!Task.isTerminal(run.task)) run.timer = fiber
        else fiber.unsafeInterruptAsFork(FiberId.none)
      })
    },
    discard: (run) =>
      Effect.zipRight(
        Effect.sync(() => forget(run)),
        Effect.catchAll(store.remove(run.task.taskId), (failure) =>
          Effect.logWarning("A task could not be removed", failure)
        )
      ),
    finished: (run, exit) =>
      Effect.flatMap(change(run, run.outcome(exit)), () => {
        run.timer?.unsafeInterruptAsFork(FiberId.none)
        return saver.saveEnd(run, () => forget(run))
      }),
    ask,
    tell: (run, message) => messages(run).offer(message),
    get: (taskId, caller) =>
      Effect.flatMap(lookup(taskId, caller), ({ task }) => {
        const required = Capabilities.missing(Task.needs(task), caller.clientCapabilities)
        return required === undefined
          ? Effect.succeed(task)
          : Effect.fail(new ProtocolError.MissingRequiredClientCapability({ required }))
      }),
    update: (taskId, responses, caller) =>
      Effect.flatMap(lookupRun(taskId, caller), (run) => {
        if (run === undefined) return Effect.void
        const taken = run.take(responses)
        if (Either.isLeft(taken)) return Effect.fail(taken.left)
        const { deliver, keys } = taken.right
        return Effect.uninterruptible(
          Effect.zipRight(changeAndSave(run, { _tag: "Closed", keys }), Effect.sync(deliver))
        )
      }),
    cancel: (taskId, caller) =>
      Effect.map(lookupRun(taskId, caller), (run) => {
        if (run !== undefined && !Task.isTerminal(run.task)) run.end({ _tag: "Cancelled" })
      }),
    tellable: (taskIds, { clientCapabilities, principal }) =>
      taskIds.filter((taskId) => {
        const run = runs.get(taskId)
        return (
          run !== undefined &&
          !Task.isTerminal(run.task) &&
          run.owner === principal &&
          Capabilities.missing(askable(run.clientCapabilities), clientCapabilities) === undefined
        )
      }),
    size: () => active().length
  }
  return { tasks, endAll }
}

/** Nobody guesses an id: it alone may be all that a caller has to show. */
const idBytes = 18

const unkept = (failure: TaskStoreFailed) =>
  Effect.zipRight(
    Effect.logError("Tasks cannot be kept", failure),
    Effect.fail(new ProtocolError.InternalError())
  )

const isOver = (task: Task.Task, now: number): boolean => Task.isTerminal(task) && Task.isExpired(task, now)

const namesTask = (taskIds: JsonValue | undefined, taskId: string): boolean =>
  Array.isArray(taskIds) && taskIds.includes(taskId)

const lacking = (questions: ReadonlyArray<Question>, declared: JsonObject): JsonObject | undefined => {
  for (const { needs } of questions) {
    const missing = Capabilities.missing(needs, declared)
    if (missing !== undefined) return missing
  }
  return undefined
}

/** What of a client's capabilities lets it be asked: a push may hold any question, so its reader needs all of them. */
const askable = ({ elicitation, roots, sampling }: JsonObject): JsonObject => ({
  ...(elicitation === undefined ? {} : { elicitation }),
  ...(roots === undefined ? {} : { roots }),
  ...(sampling === undefined ? {} : { sampling })
})
