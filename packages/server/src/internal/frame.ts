/**
 * One run of a handler: the part of a request that an interruption ends. All else of the request goes on to its reply,
 * in a fiber where nothing is interruptible but what says so.
 *
 * The handler may be left before its end: its own request interrupts it, and goes on to send what was asked, whatever
 * the handler made of that. Its interruption by anybody else is the end of the request.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import type * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as HashSet from "effect/HashSet"
import type { LazyScope } from "./lazyScope.js"

/** In place of the handler's result. */
export const left = Symbol("@pushbutton/server/left")
export type Left = typeof left

/** What becomes of a run that has ended. */
export interface Ends<in A, in E, out B, out E2, out R> {
  /** What is to be around the author's code: the handler, and the release of its resources. */
  around<A1, E1, R1>(effect: Effect.Effect<A1, E1, R1>): Effect.Effect<A1, E1, R1>
  onSuccess(outcome: A | Left): Effect.Effect<B, E2, R>
  onFailure(cause: Cause.Cause<E>): Effect.Effect<B, E2, R>
}

export class Frame {
  private handler: Effect.Effect<unknown, unknown> = Effect.void
  private root: Fiber.RuntimeFiber<unknown, unknown> | undefined
  /** Undefined until it is left. */
  private leavers: HashSet.HashSet<FiberId.FiberId> | undefined
  private context: Context.Context<never> | undefined

  get hasLeft(): boolean {
    return this.leavers !== undefined
  }

  /** What the handler runs with; undefined before it does. */
  get services(): Context.Context<never> | undefined {
    return this.context
  }

  /** To be run in a fiber that cannot be interrupted, with this frame in its context (`ownServices.ts`). Runs once. */
  run<A, E, R, B, E2, R2>(
    handler: Effect.Effect<A, E, R>,
    scope: LazyScope,
    ends: Ends<A, E, B, E2, R2>
  ): Effect.Effect<B, E2, R | R2> {
    // What the handler needs is needed by the whole, whose type says so; `running` finds it again and gives its result.
    this.handler = handler as Effect.Effect<A, E>
    return Effect.matchCauseEffect(ends.around(running as Effect.Effect<A, E, R>), {
      onSuccess: (value) => {
        const exit = Exit.succeed(value)
        const closing = scope.end(exit)
        if (closing !== undefined || this.hasLeft) return this.conclude(closing, exit, ends)
        this.end()
        return ends.onSuccess(value)
      },
      onFailure: (cause) => {
        const exit = Exit.failCause(cause)
        return this.conclude(scope.end(exit), exit, ends)
      }
    })
  }

  /**
   * Interrupts the handler, for an interrupted fiber runs no error handler of the author's. The asking fiber may be a
   * child whose parent does not wait for it, and it may be uninterruptible: then the failure unwinds it.
   */
  leave(): Effect.Effect<never> {
    return Effect.withFiberRuntime((fiber) => {
      this.leavers = HashSet.add(this.leavers ?? HashSet.empty(), fiber.id())
      this.root?.unsafeInterruptAsFork(fiber.id())
      fiber.unsafeInterruptAsFork(fiber.id())
      return Effect.interrupt
    })
  }

  enter(fiber: Fiber.RuntimeFiber<unknown, unknown>): Effect.Effect<unknown, unknown> {
    this.root = fiber
    this.context = fiber.currentContext
    return this.handler
  }

  /** Fails with what a finalizer died of, also one of a handler that was left. */
  private conclude<A, E, B, E2, R2>(
    closing: Effect.Effect<void> | undefined,
    exit: Exit.Exit<A, E>,
    ends: Ends<A, E, B, E2, R2>
  ): Effect.Effect<B, E2, R2> {
    const closed =
      closing === undefined
        ? exit
        : Effect.matchCauseEffect(ends.around(closing), {
            onSuccess: () => exit,
            onFailure: (cause) =>
              Effect.failCause(Exit.isSuccess(exit) ? cause : Cause.sequential(exit.cause, cause))
          })
    return Effect.matchCauseEffect(closed, {
      onSuccess: (value) => (this.end() ? this.settled(() => ends.onSuccess(left)) : ends.onSuccess(value)),
      onFailure: (cause) => {
        if (!this.end()) return ends.onFailure(cause)
        return this.settled(() =>
          Cause.isInterruptedOnly(cause) ? ends.onSuccess(left) : ends.onFailure(cause)
        )
      }
    })
  }

  /** Whether it was left. From here on it cannot be: what a stray fiber asks ends that fiber, and nothing else. */
  private end(): boolean {
    this.root = undefined
    return this.hasLeft
  }

  /** Ends the interruption by which the handler was left, and no other. */
  private settled<B, E2, R2>(next: () => Effect.Effect<B, E2, R2>): Effect.Effect<B, E2, R2> {
    const leavers = this.leavers ?? HashSet.empty()
    const settle = FiberRef.update(FiberRef.interruptedCause, (cause) =>
      HashSet.isSubset(Cause.interruptors(cause), leavers) ? Cause.empty : cause
    )
    return Effect.flatMap(settle, next)
  }
}

/** The frame whose handler runs in a fiber; nothing for authors. */
export class Running extends Context.Tag("@pushbutton/server/Running")<Running, Frame>() {}

/**
 * Runs the handler of the frame in the context. One effect for all requests: V8 puts the closures that Effect makes for
 * a change of flags among the old objects, so what each refers to would survive till a full collection, which here is
 * the request with all that belongs to it. Collecting that took a third of the CPU.
 */
const running = Effect.interruptible(
  Effect.withFiberRuntime<unknown, unknown>((fiber) =>
    Context.unsafeGet(fiber.currentContext as Context.Context<Running>, Running).enter(fiber)
  )
)
