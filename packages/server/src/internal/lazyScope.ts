/** A scope that costs nothing until something is acquired in it: most handlers acquire nothing. */
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import type * as Exit from "effect/Exit"
import { pipeArguments } from "effect/Pipeable"
import * as Scope from "effect/Scope"

/** Has the methods of a scope that Effect's published types leave out, by which `Scope`'s functions reach it. */
export class LazyScope implements Scope.CloseableScope {
  private inner: Scope.CloseableScope | undefined
  private closed: Exit.Exit<unknown, unknown> | undefined

  get [Scope.ScopeTypeId](): Scope.ScopeTypeId {
    return Scope.ScopeTypeId
  }

  get [Scope.CloseableScopeTypeId](): Scope.CloseableScopeTypeId {
    return Scope.CloseableScopeTypeId
  }

  get strategy(): ExecutionStrategy.ExecutionStrategy {
    return ExecutionStrategy.sequential
  }

  addFinalizer(finalizer: Scope.Scope.Finalizer): Effect.Effect<void> {
    return Effect.flatMap(this.opened, (scope) => Scope.addFinalizerExit(scope, finalizer))
  }

  fork(strategy: ExecutionStrategy.ExecutionStrategy): Effect.Effect<Scope.CloseableScope> {
    return Effect.flatMap(this.opened, (scope) => Scope.fork(scope, strategy))
  }

  close(exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> {
    return Effect.suspend(() => this.end(exit) ?? Effect.void)
  }

  pipe() {
    // biome-ignore lint/complexity/noArguments: what `pipeArguments` takes.
    return pipeArguments(this, arguments)
  }

  /** Closes it; gives what is left to do for that, undefined where nothing was acquired. */
  end(exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> | undefined {
    this.closed = exit
    return this.inner && Scope.close(this.inner, exit)
  }

  private get opened(): Effect.Effect<Scope.CloseableScope> {
    return Effect.suspend(() => {
      if (this.inner !== undefined) return Effect.succeed(this.inner)
      return Effect.flatMap(Scope.make(), (made) => {
        // Another fiber may have made one meanwhile.
        this.inner ??= made
        // Something acquired after the end is released at once, as by any closed scope.
        return Effect.as(
          this.closed === undefined ? Effect.void : Scope.close(this.inner, this.closed),
          this.inner
        )
      })
    })
  }
}
