/**
 * Calls that became tasks: their work, in fibers of its own, and what clients may know and do about it. A task is
 * stored before its handle goes out; the end of the request does nothing to it. When the scope closes, what still
 * runs is interrupted, and stored as failed.
 */
import type { JsonObject } from "@pushbutton/protocol/Json"
import type * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type * as Task from "@pushbutton/protocol/Task"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Reply } from "./Decision.js"
import type { Answer, Question } from "./internal/asking.js"
import { detaching } from "./internal/detaching.js"
import type { Run } from "./internal/taskRun.js"
import { make } from "./internal/taskRuns.js"
import type * as Progress from "./Progress.js"
import type { RandomBytes } from "./RandomBytes.js"
import { RequestContext } from "./RequestContext.js"
import { type Caller, Subscriptions } from "./Subscriptions.js"
import { TaskStore } from "./TaskStore.js"

/**
 * Makes the call that is being served a task from here on, and tells whether it is one: the client gets its handle
 * now, and later asks are put to it through the task. For tools whose `task` is `"detach"`, and before their time for
 * those with `after`; false where the client cannot follow a task, and the call goes on as it is.
 */
export const detach: Effect.Effect<boolean, never, RequestContext> = Effect.flatMap(
  RequestContext,
  (request) => request[detaching] ?? Effect.succeed(false)
)

/** Whether `detach` may come to something: the tool lets its calls become tasks, and the client can follow them. */
export const canDetach: Effect.Effect<boolean, never, RequestContext> = Effect.map(
  RequestContext,
  (request) => request[detaching] !== undefined
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
  /** How often progress changes the status message of a task; as `progress` of the server when left out. */
  readonly progress?: Progress.Options | undefined
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
      | ProtocolError.UnknownTask
      | ProtocolError.TaskElsewhere
      | ProtocolError.InternalError
      | ProtocolError.InvalidParams
    >
    /** Interrupts the work of a task, without waiting for its end. Nothing happens to one that is over. */
    readonly cancel: (
      taskId: string,
      caller: Caller
    ) => Effect.Effect<
      void,
      ProtocolError.UnknownTask | ProtocolError.TaskElsewhere | ProtocolError.InternalError
    >
    /** Of these tasks, those that this caller may be told about. */
    readonly tellable: (taskIds: ReadonlyArray<string>, caller: Caller) => ReadonlyArray<string>
    /** The number of tasks that run. */
    readonly size: () => number
  }
>() {}

export const layer = (options: Options = {}): Layer.Layer<Tasks, never, TaskStore | Subscriptions> =>
  Layer.scoped(
    Tasks,
    Effect.flatMap(Effect.all([TaskStore, Subscriptions]), ([store, subscriptions]) =>
      make(options, store, subscriptions)
    )
  )
