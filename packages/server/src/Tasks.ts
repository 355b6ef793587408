/**
 * Calls that became tasks: their work, in fibers of its own, and what clients may know and do about it. A task is
 * stored before its handle goes out; the end of the request does nothing to it. When the scope closes, what still
 * runs is interrupted, and stored as failed.
 */
import * as Capabilities from "@pushbutton/protocol/Capabilities"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Task from "@pushbutton/protocol/Task"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Reply } from "./Decision.js"
import type { Answer, Question } from "./internal/asking.js"
import * as Base64Url from "./internal/base64url.js"
import { detaching } from "./internal/detaching.js"
import { isWaiting, type Reason, Run } from "./internal/taskRun.js"
import { RandomBytes } from "./RandomBytes.js"
import { RequestContext } from "./RequestContext.js"
import { type Caller, Subscriptions } from "./Subscriptions.js"
import { TaskStore, type TaskStoreFailed } from "./TaskStore.js"

/**
 * Makes the call that is being served a task from here on, and tells whether it is one: the client gets its handle
 * now, and later asks are put to it through the task. For tools whose `task` is `"detach"`, and before their time for
 * those with `after`; false where the client cannot follow a task, and the call goes on as it is.
 */
export const detach: Effect.Effect<boolean, never, RequestContext> = Effect.flatMap(
  RequestContext,
  (request) => request[detaching] ?? Effect.succeed(false)
)

export interface Options {
  /**
   * How long a task may take, and at least how long it is kept, both from its creation. Infinite is possible; one
   * hour when left out.
   */
  readonly ttl?: Duration.DurationInput | undefined
  /** How long the end of a task can be read, at least; 10 minutes when left out. */
  readonly keep?: Duration.DurationInput | undefined
  /** What clients are told to wait between two polls; one second when left out. */
  readonly pollInterval?: Duration.DurationInput | undefined
  /** Tasks that may run at a time; 1,000 when left out. */
  readonly maxRunning?: number | undefined
  /** The same for one verified caller; 64 when left out. Callers that nobody verifies count in `maxRunning` only. */
  readonly maxRunningPerPrincipal?: number | undefined
}

type CannotStart = ProtocolError.TooManyTasks | ProtocolError.InternalError | ProtocolError.ShuttingDown

export class Tasks extends Context.Tag("@pushbutton/server/Tasks")<
  Tasks,
  {
    /** A stored task for work that `own` will be told of. Not interruptible. */
    readonly create: (caller: Caller) => Effect.Effect<Run, CannotStart, RandomBytes>
    /** The work of a created task is running: `finished` has to be called at its end. */
    readonly own: (run: Run) => Effect.Effect<void>
    /** The task that was created is not needed after all. */
    readonly discard: (run: Run) => Effect.Effect<void>
    /** Stores what the end of the work makes of its task. */
    readonly finished: (run: Run, exit: Exit.Exit<Reply>) => Effect.Effect<void>
    /** Puts questions to the client of a task, and waits. */
    readonly ask: (run: Run, questions: ReadonlyArray<Question>) => Effect.Effect<ReadonlyArray<Answer>>
    /** Tells how the work goes. */
    readonly tell: (run: Run, message: string) => Effect.Effect<void>

    /** A task as it stands. Another caller's task is as unknown as one that never was. */
    readonly get: (
      taskId: string,
      caller: Caller
    ) => Effect.Effect<
      Task.Task,
      ProtocolError.UnknownTask | ProtocolError.InternalError | ProtocolError.MissingRequiredClientCapability
    >
    /** Answers open questions of a task; what answers none is ignored. */
    readonly update: (
      taskId: string,
      responses: JsonObject,
      caller: Caller
    ) => Effect.Effect<
      void,
      ProtocolError.UnknownTask | ProtocolError.InternalError | ProtocolError.InvalidParams
    >
    /** Interrupts the work of a task, without waiting for its end. Nothing happens to one that is over. */
    readonly cancel: (
      taskId: string,
      caller: Caller
    ) => Effect.Effect<void, ProtocolError.UnknownTask | ProtocolError.InternalError>
    /** Of these tasks, those that this caller may be told about. */
    readonly tellable: (taskIds: ReadonlyArray<string>, caller: Caller) => ReadonlyArray<string>
    /** The tasks that run. */
    readonly size: () => number
  }
>() {}

export const make = (
  options: Options,
  store: TaskStore["Type"],
  subscriptions: Subscriptions["Type"]
): Effect.Effect<Tasks["Type"], never, Scope.Scope> => {
  const ttl = Duration.toMillis(options.ttl ?? "1 hour")
  const keep = Duration.toMillis(options.keep ?? "10 minutes")
  const pollIntervalMs = Math.max(1, Math.round(Duration.toMillis(options.pollInterval ?? "1 second")))
  const max = options.maxRunning ?? 1000
  const maxPerPrincipal = options.maxRunningPerPrincipal ?? 64
  const runs = new Map<string, Run>()
  const savers = new Map<Run, Effect.Semaphore>()
  let isClosed = false

  const exceeded = (owner: string | undefined): number | undefined => {
    if (runs.size >= max) return max
    if (owner === undefined) return undefined
    let own = 0
    for (const run of runs.values()) if (run.owner === owner) own++
    return own >= maxPerPrincipal ? maxPerPrincipal : undefined
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

  /** One write at a time, each of the newest state. */
  const save = (run: Run): Effect.Effect<void, TaskStoreFailed> => {
    const saver = savers.get(run) ?? Effect.unsafeMakeSemaphore(1)
    savers.set(run, saver)
    return saver.withPermits(1)(Effect.suspend(() => store.save({ task: run.task, owner: run.owner })))
  }

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
          notice: Task.notice(run.task),
          isFor: ({ extra }) => namesTask(extra["taskIds"], taskId)
        }),
        true
      )
    })

  /** A state on the way that cannot be stored costs nothing but the knowledge of it elsewhere. */
  const changeAndSave = (run: Run, event: Task.Event) =>
    Effect.flatMap(change(run, event), (changed) =>
      changed
        ? Effect.catchAll(save(run), (failure) => Effect.logWarning("A task's state was not stored", failure))
        : Effect.void
    )

  const forget = (run: Run) => {
    runs.delete(run.task.taskId)
    savers.delete(run)
  }

  const lookup = (taskId: string, { principal }: Caller) =>
    Effect.suspend(() => {
      const run = runs.get(taskId)
      const found =
        run === undefined
          ? Effect.catchAll(store.find(taskId), unkept)
          : Effect.succeed({ task: run.task, owner: run.owner })
      return Effect.flatMap(found, (kept) =>
        kept === undefined || kept.owner !== principal
          ? Effect.fail(new ProtocolError.UnknownTask({ taskId }))
          : Effect.succeed({ task: kept.task, run })
      )
    })

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
      return Effect.forEach(
        Array.from(runs.values()),
        ({ fiber }) => (fiber === undefined ? Effect.void : Fiber.await(fiber)),
        { discard: true }
      )
    })

  const tasks = Tasks.of({
    create,
    own: (run) => {
      const { createdAt, taskId, ttlMs } = run.task
      if (ttlMs === null) return Effect.void
      const expire = Effect.sync(() => {
        if (Task.isTerminal(run.task)) forget(run)
        else run.end({ _tag: "Expired" })
      })
      const timer = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.delay(expire, Duration.millis(Math.max(0, createdAt + ttlMs - now)))
      )
      return Effect.map(Effect.forkDaemon(Effect.interruptible(timer)), (fiber) => {
        // The work may have ended meanwhile.
        if (runs.get(taskId) === run) run.timer = fiber
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
      Effect.flatMap(change(run, run.outcome(exit)), () =>
        Effect.matchEffect(save(run), {
          onFailure: (failure) => Effect.logError("The end of a task was not stored", failure),
          onSuccess: () =>
            Effect.sync(() => {
              forget(run)
              run.timer?.unsafeInterruptAsFork(FiberId.none)
            })
        })
      ),
    ask,
    tell: (run, message) => Effect.asVoid(change(run, { _tag: "Told", message })),
    get: (taskId, caller) =>
      Effect.flatMap(lookup(taskId, caller), ({ task }) => {
        const required = Capabilities.missing(Task.needs(task), caller.clientCapabilities)
        return required === undefined
          ? Effect.succeed(task)
          : Effect.fail(new ProtocolError.MissingRequiredClientCapability({ required }))
      }),
    update: (taskId, responses, caller) =>
      Effect.flatMap(lookup(taskId, caller), ({ run }) => {
        if (run === undefined) return Effect.void
        const taken = run.take(responses)
        if (Either.isLeft(taken)) return Effect.fail(taken.left)
        const { deliver, keys } = taken.right
        return Effect.uninterruptible(
          Effect.zipRight(changeAndSave(run, { _tag: "Closed", keys }), Effect.sync(deliver))
        )
      }),
    cancel: (taskId, caller) =>
      Effect.map(lookup(taskId, caller), ({ run }) => {
        if (run !== undefined && !Task.isTerminal(run.task)) run.end({ _tag: "Cancelled" })
      }),
    tellable: (taskIds, { clientCapabilities, principal }) =>
      taskIds.filter((taskId) => {
        const run = runs.get(taskId)
        return (
          run !== undefined &&
          run.owner === principal &&
          Capabilities.missing(askable(run.clientCapabilities), clientCapabilities) === undefined
        )
      }),
    size: () => runs.size
  })
  return Effect.as(
    Effect.addFinalizer(() => endAll({ _tag: "Shutdown" })),
    tasks
  )
}

export const layer = (options: Options = {}): Layer.Layer<Tasks, never, TaskStore | Subscriptions> =>
  Layer.scoped(
    Tasks,
    Effect.flatMap(Effect.all([TaskStore, Subscriptions]), ([store, subscriptions]) =>
      make(options, store, subscriptions)
    )
  )

/** Nobody guesses an id: it alone may be all that a caller has to show. */
const idBytes = 18

const unkept = (failure: TaskStoreFailed) =>
  Effect.zipRight(
    Effect.logError("Tasks cannot be kept", failure),
    Effect.fail(new ProtocolError.InternalError())
  )

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
