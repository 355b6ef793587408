/**
 * One run of a handler that may be left before its end: its own request interrupts it, and goes on to send what was
 * asked, whatever the handler made of that. Its interruption by anybody else is the end of the request.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as HashSet from "effect/HashSet"

/** In place of the handler's result. */
export const left = Symbol("@pushbutton/server/left")
export type Left = typeof left

export class Frame {
  private root: Fiber.RuntimeFiber<unknown, unknown> | undefined
  /** Undefined until it is left. */
  private leavers: HashSet.HashSet<FiberId.FiberId> | undefined

  get hasLeft(): boolean {
    return this.leavers !== undefined
  }

  /** Fails with what a finalizer of a handler that was left died of. */
  run<A, E, R>(handler: Effect.Effect<A, E, R>): Effect.Effect<A | Left, E, R> {
    const entered = Effect.withFiberRuntime<A, E, R>((fiber) => {
      this.root = fiber
      return handler
    })
    return Effect.uninterruptibleMask((restore) =>
      Effect.matchCauseEffect(restore(entered), {
        onSuccess: (value): Effect.Effect<A | Left> =>
          this.hasLeft ? Effect.as(this.settle, left) : Effect.succeed(value),
        onFailure: (cause) => {
          if (!this.hasLeft) return Effect.zipRight(restore(Effect.void), Effect.failCause(cause))
          return Effect.zipRight(
            this.settle,
            Cause.isInterruptedOnly(cause) ? Effect.succeed(left) : Effect.failCause(cause)
          )
        }
      })
    )
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

  /** Ends the interruption by which the handler was left, and no other. */
  private get settle(): Effect.Effect<void> {
    return FiberRef.update(FiberRef.interruptedCause, (cause) =>
      HashSet.isSubset(Cause.interruptors(cause), this.leavers ?? HashSet.empty()) ? Cause.empty : cause
    )
  }
}
