/**
 * Calls that may become tasks. The work runs in a fiber of its own from the start; the request waits for it until it
 * ends or is handed over, and takes it along when it is cancelled before that. Up to the handover the handler asks and
 * reports as any call does, from then on through the task.
 */
import * as Capabilities from "@pushbutton/protocol/Capabilities"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as TaskMessage from "@pushbutton/protocol/TaskMessage"
import type { Tool } from "@pushbutton/protocol/Tool"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type { Decision, Reply } from "../Decision.js"
import { RandomBytes } from "../RandomBytes.js"
import type { ProgressUpdate } from "../RequestContext.js"
import type { TaskMode } from "../TaskMode.js"
import type { Tasks } from "../Tasks.js"
import * as ToolResult from "../ToolResult.js"
import { type Asking, asking, unavailable } from "./asking.js"
import { type Carrier, refuse } from "./call.js"
import { detaching } from "./detaching.js"
import type { Route } from "./Route.js"
import * as Replies from "./reply.js"
import type { Run } from "./taskRun.js"
import { telling } from "./telling.js"

/** How a call of this tool is carried; undefined as any other call. Left for a client that cannot have it. */
export const admit = (
  tasks: Tasks["Type"],
  route: Route,
  tool: Tool,
  mode: TaskMode
): Either.Either<(() => Carrier) | undefined, Decision> => {
  if (mode === "never") return Either.right(undefined)
  const isRequired = typeof mode === "object" && "required" in mode
  if (route.era === "legacy") {
    return isRequired ? Either.left(refuseLegacy(route, tool)) : Either.right(undefined)
  }
  if (TaskMessage.isDeclared(route.clientCapabilities)) return Either.right(() => carrier(tasks, route, mode))
  return isRequired
    ? Either.left(
        refuse(route, new ProtocolError.MissingRequiredClientCapability({ required: TaskMessage.capability }))
      )
    : Either.right(undefined)
}

/** The revisions with a handshake have no such tasks, and no error that would say so to a model. */
const refuseLegacy = (route: Route, tool: Tool): Decision => {
  const text = `${tool.name} takes so long that it only runs as a task, which needs a client that speaks MCP 2026-07-28 with the extension ${TaskMessage.extension}.`
  return Replies.answer(
    Replies.result(route.id, route.dialect.callToolResult(ToolResult.error(text), tool, route.identity))
  )
}

const carrier = (tasks: Tasks["Type"], route: Route, mode: TaskMode): Carrier => {
  const answered = Deferred.unsafeMake<Reply>(FiberId.none)
  const gate = Effect.unsafeMakeSemaphore(1)
  let original: Asking = unavailable("this request has no way to ask")
  let random: RandomBytes["Type"] | undefined
  let isOver = false
  /** Undefined until the handover. */
  let run: Run | undefined
  let fiber: Fiber.RuntimeFiber<Reply> | undefined

  const handle = ({ task }: Run) => Replies.result(route.id, TaskMessage.created(task, route.identity))

  const ended = (exit: Exit.Exit<Reply>): Effect.Effect<void> =>
    Effect.suspend(() => {
      isOver = true
      return run === undefined ? Effect.asVoid(Deferred.done(answered, exit)) : tasks.finished(run, exit)
    })

  /** The work in its own fiber: it outlives the request, and is awaited where it must not. */
  const start = <R>(work: Effect.Effect<Reply, never, R>) => {
    const unlessEnded = Effect.suspend(() => (run?.reason === undefined ? work : Effect.interrupt))
    return Effect.map(
      Effect.forkDaemon(Effect.onExit(Effect.interruptible(unlessEnded), ended)),
      (started) => {
        fiber = started
      }
    )
  }

  /** A handler that was left for its questions ends by itself, and its request with it. */
  const cannotBeTask = () => isOver || original.hasLeft

  const handOver: Effect.Effect<boolean> = Effect.suspend(() => {
    if (run !== undefined) return Effect.succeed(true)
    if (random === undefined || cannotBeTask()) return Effect.succeed(false)
    return tasks.create(route).pipe(
      Effect.provideService(RandomBytes, random),
      Effect.flatMap((created) => {
        if (cannotBeTask()) return Effect.as(tasks.discard(created), false)
        run = created
        created.fiber = fiber
        Deferred.unsafeDone(answered, Effect.succeed(handle(created)))
        return Effect.as(tasks.own(created), true)
      }),
      Effect.catchAll((failure) => Effect.as(goesOn(failure), false))
    )
  }).pipe(gate.withPermits(1), Effect.uninterruptible)

  const asCall = <R>(work: Effect.Effect<Reply, never, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(
        start(work),
        Effect.onInterrupt(restore(reply), () => {
          // Also what was handed over: its handle does not go out any more.
          run?.end({ _tag: "Cancelled" })
          return fiber === undefined ? Effect.void : Fiber.interrupt(fiber)
        })
      )
    )

  const after =
    typeof mode === "object" && "after" in mode ? Duration.toMillis(mode.after) : Number.POSITIVE_INFINITY

  const reply: Effect.Effect<Reply> = Number.isFinite(after)
    ? Effect.flatMap(
        Effect.timeoutOption(Deferred.await(answered), Duration.millis(after)),
        Option.match({
          onSome: (answer) => Effect.succeed(answer),
          onNone: () => Effect.zipRight(handOver, Deferred.await(answered))
        })
      )
    : Deferred.await(answered)

  const asTask = <R>(work: Effect.Effect<Reply, never, R>) =>
    Effect.uninterruptibleMask((restore) =>
      tasks.create(route).pipe(
        Effect.flatMap((created) => {
          run = created
          return tasks.own(created).pipe(
            Effect.zipRight(start(work)),
            Effect.zipRight(
              Effect.sync(() => {
                created.fiber = fiber
              })
            ),
            // Cancelled meanwhile: then nobody gets the handle.
            Effect.zipRight(
              Effect.onInterrupt(restore(Effect.void), () =>
                Effect.sync(() => created.end({ _tag: "Cancelled" }))
              )
            ),
            Effect.as(handle(created))
          )
        }),
        Effect.catchAll((failure) =>
          mode === "always" && failure._tag === "TooManyTasks"
            ? Effect.zipRight(goesOn(failure), restore(asCall(work)))
            : Effect.succeed(Replies.error(route.id, failure, route.era))
        )
      )
    )

  const becomesTaskAtOnce = mode === "always" || (typeof mode === "object" && "required" in mode)

  return {
    request: (request) => {
      original = request[asking] ?? original
      return {
        ...request,
        progress: (update) =>
          Effect.suspend(() =>
            run === undefined ? request.progress(update) : tasks.tell(run, describe(update))
          ),
        [telling]: undefined,
        [asking]: {
          steps: original.steps,
          get hasLeft() {
            return original.hasLeft
          },
          complete: (key) => original.complete(key),
          supports: (needs) => Capabilities.missing(needs, route.clientCapabilities) === undefined,
          answer: (questions) =>
            Effect.suspend(() => (run === undefined ? original.answer(questions) : tasks.ask(run, questions)))
        },
        [detaching]: handOver
      }
    },
    run: (work) =>
      Effect.flatMap(RandomBytes, (bytes) => {
        random = bytes
        return becomesTaskAtOnce ? asTask(work) : asCall(work)
      })
  }
}

const goesOn = (failure: ProtocolError.ProtocolError) =>
  Effect.logWarning("A call could not become a task and goes on as it is", failure)

const describe = ({ message, progress, total }: ProgressUpdate): string =>
  message ?? (total === undefined ? String(progress) : `${progress} of ${total}`)
