/** A scope that costs nothing until something is acquired in it: most handlers acquire nothing. */
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import type * as Exit from "effect/Exit"
import { pipeArguments } from "effect/Pipeable"
import * as Scope from "effect/Scope"

export const make = (): Scope.CloseableScope => {
  let inner: Scope.CloseableScope | undefined
  let closed: Exit.Exit<unknown, unknown> | undefined

  const opened = Effect.suspend(() => {
    if (inner !== undefined) return Effect.succeed(inner)
    return Effect.flatMap(Scope.make(), (scope) => {
      inner = scope
      // Something acquired after the end is released at once, as by any closed scope.
      return Effect.as(closed === undefined ? Effect.void : Scope.close(scope, closed), scope)
    })
  })

  const scope = {
    [Scope.ScopeTypeId]: Scope.ScopeTypeId,
    [Scope.CloseableScopeTypeId]: Scope.CloseableScopeTypeId,
    strategy: ExecutionStrategy.sequential,
    addFinalizer: (finalizer: Scope.Scope.Finalizer) =>
      Effect.flatMap(opened, (real) => Scope.addFinalizerExit(real, finalizer)),
    fork: (strategy: ExecutionStrategy.ExecutionStrategy) =>
      Effect.flatMap(opened, (real) => Scope.fork(real, strategy)),
    close: (exit: Exit.Exit<unknown, unknown>) =>
      Effect.suspend(() => {
        closed = exit
        return inner === undefined ? Effect.void : Scope.close(inner, exit)
      }),
    pipe(this: unknown) {
      // biome-ignore lint/complexity/noArguments: what `pipeArguments` takes.
      return pipeArguments(this, arguments)
    }
  }
  // The methods of a scope are left out of Effect's published types, so the compiler cannot compare them.
  return scope as unknown as Scope.CloseableScope
}
