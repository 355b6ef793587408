/** Hands over a value that is read from outside: as it is, and again whenever it was read anew and has another content. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface Source<A> {
  /** Calls `signal` whenever there may be something new to read, for as long as the scope lives. */
  readonly watch: (
    signal: () => void
  ) => Effect.Effect<{ readonly refresh: Effect.Effect<void> }, never, Scope.Scope>
  readonly read: Effect.Effect<A>
  /** Two values with the same content are one. */
  readonly content: (value: A) => string
}

/** How long signals are collected before the value is read: a file that is just being written is not read in between. */
const windowMillis = 100

/** Completes when the value as it is has been handed over. One call at a time; a defect of one does not end the rest. */
export const follow = <A>(
  source: Source<A>,
  listener: (value: A) => Effect.Effect<void>
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const happened = yield* Effect.makeLatch(false)
    const { refresh } = yield* source.watch(() => happened.unsafeOpen())
    let told: string | undefined
    const tell = Effect.gen(function* () {
      yield* happened.close
      yield* refresh
      const value = yield* source.read
      const content = source.content(value)
      if (content === told) return
      // Whoever did not take it is told again.
      told = undefined
      yield* listener(value)
      told = content
    }).pipe(Effect.catchAllDefect((defect) => Effect.logError("A change could not be passed on", defect)))
    yield* tell
    const loop = Effect.forever(
      happened.await.pipe(Effect.zipRight(Effect.sleep(windowMillis)), Effect.zipRight(tell))
    )
    // A layer may be built where nothing can be interrupted; the loop has to end with its scope all the same.
    yield* Effect.forkScoped(Effect.interruptible(loop))
  })
